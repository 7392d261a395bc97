import JSONPaths
import SluiceCore

/// The members of elements that are printed.
///
/// An array on a path needs no `[*]`: the path of a member of its elements is that of the array and the key.
package struct MemberSelection: Sendable {
    private typealias Rest = ArraySlice<JSONPath.Component>

    private let only: [Rest]?
    private let except: [Rest]

    /// - Parameters:
    ///   - only: The selected paths; nil for all.
    ///   - except: The paths that are left out.
    package init(only: [JSONPath]?, except: [JSONPath]) {
        self.only = only?.map { $0.components[...] }
        self.except = except.map { $0.components[...] }
    }

    /// Returns the selected parts of an element. An element without any is an empty object.
    package func selected(of element: JSONValue) -> JSONValue {
        let part = only.map { Self.part(of: element, at: $0) ?? .object([:]) } ?? element
        return except.isEmpty ? part : Self.rest(of: part, without: except) ?? .object([:])
    }

    /// Returns the parts of a value at paths; nil if the value has none.
    private static func part(of value: JSONValue, at paths: [Rest]) -> JSONValue? {
        if paths.contains(where: \.isEmpty) { return value }
        return switch map(value, paths, { part, rest in rest.flatMap { self.part(of: part, at: $0) } }) {
        case .object(let members) where members.isEmpty: nil
        case .array(let elements) where elements.isEmpty: nil
        case let parts: parts
        }
    }

    /// Returns a value without its parts at paths; nil if the value is such a part.
    private static func rest(of value: JSONValue, without paths: [Rest]) -> JSONValue? {
        if paths.contains(where: \.isEmpty) { return nil }
        return map(value, paths) { part, rest in
            if let rest { self.rest(of: part, without: rest) } else { part }
        } ?? value
    }

    /// Returns a container of the results for its parts that are not nil; nil for a scalar.
    ///
    /// - Parameter body: Receives a part, and the rests of the paths that lead into it; nil for none.
    private static func map(
        _ value: JSONValue, _ paths: [Rest], _ body: (JSONValue, [Rest]?) -> JSONValue?
    ) -> JSONValue? {
        switch value {
        case .object(let members):
            var result = JSONObject()
            for (key, member) in members {
                let rests = paths.filter { $0.first == .key(key) || $0.first == .anyKey }.map { $0.dropFirst() }
                if let part = body(member, rests.isEmpty ? nil : rests) { result[key] = part }
            }
            return .object(result)
        case .array(let elements):
            let result = elements.enumerated().compactMap { index, element in
                let rests = paths.compactMap { path -> Rest? in
                    switch path.first {
                    case .anyIndex, .index(index): path.dropFirst()
                    case .index: nil
                    default: path
                    }
                }
                return body(element, rests.isEmpty ? nil : rests)
            }
            return .array(result)
        default: return nil
        }
    }
}

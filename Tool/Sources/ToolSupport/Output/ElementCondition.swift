import JSONPaths
import SluiceCore

/// A condition for elements: a member that is equal to a value, such as `owner.login=lloyd`.
package struct ElementCondition: Sendable {
    private let path: JSONPath
    /// The value as a string; nil for a JSON string in quotes.
    private let text: String?
    /// The value as JSON; nil for a text that is not JSON.
    private let literal: JSONValue?

    /// - Returns: Nil for a text without a path and `=`, with a wildcard in the path, or with another operator, such as `>=` or `==`.
    package init?(_ argument: String) {
        // A sign in a quoted key is part of the path.
        for index in argument.utf8.indices where argument.utf8[index] == UInt8(ascii: "=") {
            let key = String(argument[..<index])
            let value = String(argument[argument.utf8.index(after: index)...])
            guard !key.isEmpty, let path = try? JSONPath(parsing: key) else { continue }
            if path.selectsSeveral || "!<>~".contains(key.last ?? "=") || value.hasPrefix("=") { return nil }
            self.path = path
            literal = try? JSONModelDecoder().decode(JSONValue.self, from: value)
            text = literal?.string == nil ? value : nil
            return
        }
        return nil
    }

    /// Whether the member of an element is the string or the JSON value. A member that is missing is null.
    package func accepts(_ element: JSONRaw, with decoder: JSONModelDecoder) throws -> Bool {
        let value: JSONValue
        do { value = try decoder.decode(JSONValue.self, from: element, at: path) } catch {
            guard error.isOfMissingPart else { throw error }
            value = .null
        }
        return value == literal || text.map { value == .string($0) } == true
    }
}

extension JSONModelError {
    /// Whether the error is that of a value without a part at a path: a key or an index is missing, or a scalar is on the path.
    package var isOfMissingPart: Bool {
        issues.allSatisfy { issue in
            switch issue.kind {
            case .pathNotFound, .typeMismatch, .nullValue: true
            default: false
            }
        }
    }
}

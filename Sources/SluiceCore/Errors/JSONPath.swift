/// A path to a value in JSON: `a.b`, `a[0]`, `a[*]`, `a.*`, with an optional leading `$`. `\.` is a dot in a key.
///
/// The empty path (or `$`) selects the whole document. `[*]` selects every element of an array, and `*` instead of a key
/// selects the value of every member of an object. `\*` is the key that consists of an asterisk.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// One step of a path.
    public enum Component: Sendable, Hashable {
        /// The member of an object with a key.
        case key(String)
        /// The element of an array at an index from 0.
        case index(Int)
        /// Every element of an array.
        case every
        /// The value of every member of an object.
        case everyMember
    }

    /// The steps from the root.
    public var components: [Component]

    /// Creates a path from its steps.
    public init(_ components: [Component] = []) { self.components = components }

    /// Parses a path.
    ///
    /// - Throws: ``JSONModelError`` of the kind `invalidPath` if the string is not a path.
    public init(parsing text: String) throws(JSONModelError) {
        var parser = Parser(text: Array(text.utf8))
        components = try parser.run()
    }

    /// Creates a path from a literal. A malformed literal is a runtime error.
    public init(stringLiteral text: String) {
        do { try self.init(parsing: text) } catch { preconditionFailure(error.description) }
    }

    /// The path in the syntax of a literal. The empty path is `$`.
    public var description: String {
        var text = ""
        for component in components {
            switch component {
            case .key(let key):
                if !text.isEmpty { text += "." }
                if key == "*" { text += "\\" }
                for scalar in key.unicodeScalars {
                    if ".[]\\".unicodeScalars.contains(scalar) { text += "\\" }
                    text.unicodeScalars.append(scalar)
                }
            case .index(let index): text += "[\(index)]"
            case .every: text += "[*]"
            case .everyMember: text += text.isEmpty ? "*" : ".*"
            }
        }
        return text.isEmpty ? "$" : text
    }

    /// The path for messages. A very long path is shortened to its two ends.
    var shortDescription: String {
        let shown = 12
        guard components.count > shown * 2 else { return description }
        let left = components.count - shown * 2
        let (head, tail) = (JSONPath(Array(components.prefix(shown))), JSONPath(Array(components.suffix(shown))))
        return "\(head) … (\(left) more) … \(tail)"
    }
}

extension JSONPath {
    private struct Parser {
        let text: [UInt8]
        var at = 0

        private func malformed(_ why: String) -> JSONModelError {
            JSONModelError(.invalidPath("'\(String(decoding: text, as: UTF8.self))' is not a path: \(why)"))
        }

        mutating func run() throws(JSONModelError) -> [Component] {
            var components: [Component] = []
            var wantsKey = false
            if text.first == UInt8(ascii: "$") {
                switch text.dropFirst().first {
                case nil, UInt8(ascii: "["): at = 1
                case UInt8(ascii: "."):
                    at = 2
                    wantsKey = true
                    if text.count == 2 { throw malformed("a key is missing after the dot") }
                default: break
                }
            }
            while at < text.count || wantsKey {
                if at < text.count, text[at] == UInt8(ascii: "["), !wantsKey {
                    components.append(try bracket())
                } else {
                    components.append(try key())
                }
                wantsKey = false
                guard at < text.count, text[at] != UInt8(ascii: "[") else { continue }
                guard text[at] == UInt8(ascii: ".") else { throw malformed("a dot is missing after ]") }
                at += 1
                wantsKey = true
            }
            return components
        }

        private mutating func key() throws(JSONModelError) -> Component {
            let start = at
            var bytes: [UInt8] = []
            scan: while at < text.count {
                switch text[at] {
                case UInt8(ascii: "."), UInt8(ascii: "["): break scan
                case UInt8(ascii: "\\"):
                    at += 1
                    guard at < text.count else { throw malformed("nothing follows the backslash") }
                    bytes.append(text[at])
                default: bytes.append(text[at])
                }
                at += 1
            }
            if bytes.isEmpty { throw malformed("a key is empty") }
            if text[start..<at] == [UInt8(ascii: "*")] { return .everyMember }
            return .key(String(decoding: bytes, as: UTF8.self))
        }

        private mutating func bracket() throws(JSONModelError) -> Component {
            guard let end = text[at...].firstIndex(of: UInt8(ascii: "]")) else {
                throw malformed("[ is not closed")
            }
            let inside = String(decoding: text[(at + 1)..<end], as: UTF8.self)
            at = end + 1
            if inside == "*" { return .every }
            guard !inside.isEmpty, inside.utf8.allSatisfy({ (48...57).contains($0) }), let index = Int(inside)
            else {
                throw malformed("[\(inside)] is neither an index nor [*]")
            }
            return .index(index)
        }
    }
}

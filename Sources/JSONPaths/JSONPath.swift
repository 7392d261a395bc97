/// A path to a value in JSON: `a.b`, `a[0]`, `a[*]`, `a.*`, `["a b"]`, with an optional leading `$`.
///
/// The empty path (or `$`) selects the whole document. `[*]` selects every element of an array, and `*` instead of a key
/// selects the value of every member of an object. A quoted key may contain any characters, or none: `a[""]`, `["a.b"]`, `["*"]`.
/// In a key without quotes, a backslash makes `.`, `[`, `]`, `\` or `*` part of the key: `a\.b`.
public struct JSONPath: Sendable, Hashable {
    /// One step of a path.
    public enum Component: Sendable, Hashable {
        /// The member of an object with a key.
        case key(String)
        /// The element of an array at an index from 0.
        case index(Int)
        /// Every element of an array.
        case anyIndex
        /// The value of every member of an object.
        case anyKey

        /// Whether two steps are equal. Keys are compared by their code units.
        @_documentation(visibility: internal) public static func == (a: Component, b: Component) -> Bool {
            switch (a, b) {
            case (.key(let a), .key(let b)): a.hasSameCodeUnits(as: b)
            case (.index(let a), .index(let b)): a == b
            case (.anyIndex, .anyIndex), (.anyKey, .anyKey): true
            default: false
            }
        }

        /// Hashes the step.
        @_documentation(visibility: internal) public func hash(into hasher: inout Hasher) {
            switch self {
            case .key(let key): key.hashCodeUnits(into: &hasher)
            case .index(let index): hasher.combine(index)
            case .anyIndex: hasher.combine(-1)
            case .anyKey: hasher.combine(-2)
            }
        }
    }

    /// The steps from the root.
    public var components: [Component]

    /// Creates a path from its steps.
    public init(_ components: [Component] = []) { self.components = components }
}

extension JSONPath: ExpressibleByStringLiteral {
    /// Creates a path from a literal. A malformed literal ends the process with a message that names the path and the error.
    ///
    /// A path that is not a literal is parsed by `JSONPath(parsing:)`, which throws an error.
    @_documentation(visibility: internal) public init(stringLiteral text: String) {
        // Release builds omit the message of preconditionFailure.
        do { try self.init(checking: text) } catch { fatalError(Self.message(about: text, error)) }
    }
}

extension JSONPath: CustomStringConvertible {
    /// The path in the syntax of a literal. The empty path is `$`. A key that would be read otherwise is in quotes.
    public var description: String {
        var text = ""
        for component in components {
            switch component {
            // `$` at the beginning is the root, unless a key follows without a dot.
            case .key("$") where text.isEmpty: text = "$.$"
            // At the beginning of an argument of a command, a hyphen begins an option.
            case .key(let key) where Self.needsQuotes(key) || text.isEmpty && key.utf8.first == UInt8(ascii: "-"):
                text += "[\(Self.quoted(key))]"
            case .key(let key): text += (text.isEmpty ? "" : ".") + key
            case .index(let index): text += "[\(index)]"
            case .anyIndex: text += "[*]"
            case .anyKey: text += text.isEmpty ? "*" : ".*"
            }
        }
        return text.isEmpty ? "$" : text
    }

    /// The path for messages. A very long path is shortened to its two ends.
    package var shortDescription: String {
        let shown = 12
        guard components.count > shown * 2 else { return description }
        let left = components.count - shown * 2
        let (head, tail) = (JSONPath(Array(components.prefix(shown))), JSONPath(Array(components.suffix(shown))))
        return "\(head) … (\(left) more) … \(tail)"
    }

    /// Whether a key has another meaning without quotes, or cannot be read in a message.
    private static func needsQuotes(_ key: String) -> Bool {
        key.isEmpty || key == "*"
            || key.unicodeScalars.contains { isControl($0) || ".[]\\".unicodeScalars.contains($0) }
    }

    /// Whether a scalar is a control character or ends a line.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Returns a key as a JSON string.
    private static func quoted(_ key: String) -> String {
        let text = key.unicodeScalars.reduce(into: "\"") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where isControl(scalar):
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension JSONPath {
    /// Whether the path has wildcards.
    package var selectsSeveral: Bool { components.contains(where: \.isWildcard) }
}

extension JSONPath.Component {
    package var isKey: Bool { if case .key = self { true } else { false } }
    /// Whether the component selects several values.
    package var isWildcard: Bool {
        switch self {
        case .anyIndex, .anyKey: true
        case .key, .index: false
        }
    }
    /// Whether the component selects members of an object, not elements of an array.
    package var isOfObject: Bool {
        switch self {
        case .key, .anyKey: true
        case .index, .anyIndex: false
        }
    }
}

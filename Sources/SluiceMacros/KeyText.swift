#if Macros

/// The text of a key, taken apart: `owner.login`, `$.items[0]`, `a\.b` for a dot inside a key.
///
/// The core parses the same text again at run time; here it is for errors at the literal itself.
struct KeyText: Equatable {
    enum Component: Hashable {
        case key(String)
        case index(Int)
    }

    enum Flaw: Error, Equatable {
        case empty
        case root
        case emptyComponent
        case unclosedIndex
        case badIndex(String)
        case anyElement
        case textAfterIndex
        case badEscape(String)
    }

    private(set) var components: [Component] = []

    init(key: String) {
        components = [.key(key)]
    }

    init(_ text: String) throws(Flaw) {
        var rest = Substring(text)
        guard !rest.isEmpty else { throw .empty }
        guard rest != "$" else { throw .root }
        // A `$` is the root before a dot or a bracket only: `$ref` is a key like any other.
        if rest.hasPrefix("$.") {
            rest = rest.dropFirst(2)
        } else if rest.hasPrefix("$[") {
            rest = rest.dropFirst()
        }
        if rest.first != "[" { try takeKey(from: &rest) }
        while let next = rest.popFirst() {
            switch next {
            case "[": try takeIndex(from: &rest)
            case ".": try takeKey(from: &rest)
            default: throw .textAfterIndex
            }
        }
    }

    private mutating func takeKey(from rest: inout Substring) throws(Flaw) {
        var key = ""
        while let next = rest.first, next != ".", next != "[" {
            rest.removeFirst()
            guard next == "\\" else {
                key.append(next)
                continue
            }
            guard let escaped = rest.popFirst(), "\\.[]".contains(escaped) else {
                throw .badEscape(text(ofEscapeBefore: rest))
            }
            key.append(escaped)
        }
        guard !key.isEmpty else { throw .emptyComponent }
        components.append(.key(key))
    }

    /// The backslash and the character after it, for the message.
    private func text(ofEscapeBefore rest: Substring) -> String {
        let base = rest.base
        let start = base[..<rest.startIndex].lastIndex(of: "\\") ?? base.startIndex
        return String(base[start..<rest.startIndex])
    }

    private mutating func takeIndex(from rest: inout Substring) throws(Flaw) {
        guard let end = rest.firstIndex(of: "]") else { throw .unclosedIndex }
        let text = rest[..<end]
        rest = rest[rest.index(after: end)...]
        guard text != "*" else { throw .anyElement }
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), let index = Int(text) else {
            throw .badIndex(String(text))
        }
        components.append(.index(index))
    }
}

extension KeyText: CustomStringConvertible {
    /// The path as one would write it, for messages.
    var description: String {
        components.indices.reduce(into: "") { text, position in
            switch components[position] {
            case .key(let key): text += (position == 0 ? "" : ".") + KeyText.escape(key)
            case .index(let index): text += "[\(index)]"
            }
        }
    }

    func prefix(_ length: Int) -> KeyText {
        var copy = self
        copy.components = Array(components.prefix(length))
        return copy
    }

    /// A key that is to stay one component. Raw identifiers may hold dots and brackets.
    static func escape(_ key: String) -> String {
        key.reduce(into: "") { text, character in
            if "\\.[".contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}
#endif

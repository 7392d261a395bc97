extension JSONPath {
    /// Creates the path of a JSON Pointer (RFC 6901), such as `/items/0/name`.
    ///
    /// A token of digits without a leading zero is the index of an element: a pointer does not tell an index from a key. The token `-`, for the
    /// element after the last one, is a key.
    ///
    /// - Parameter pointer: The pointer. The empty pointer is that of the root.
    /// - Returns: Nil if the text is not a pointer: if it is not empty and does not begin with a slash, or if a tilde is followed by neither 0
    ///   nor 1.
    public init?(pointer: String) {
        self.init()
        var tokens = pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard tokens.removeFirst().isEmpty else { return nil }
        for token in tokens {
            guard let component = Component(pointerToken: Substring(token)) else { return nil }
            components.append(component)
        }
    }

    /// The path as a JSON Pointer (RFC 6901); nil for a path with a wildcard.
    public var pointer: String? {
        var text = ""
        for component in components {
            switch component {
            case .key(let key):
                text += "/"
                for scalar in key.unicodeScalars {
                    switch scalar {
                    case "~": text += "~0"
                    case "/": text += "~1"
                    default: text.unicodeScalars.append(scalar)
                    }
                }
            case .index(let index): text += "/\(index)"
            case .anyIndex, .anyKey: return nil
            }
        }
        return text
    }
}

extension JSONPath.Component {
    fileprivate init?(pointerToken token: Substring) {
        if let index = Int(token), index >= 0, String(index) == token {
            self = .index(index)
            return
        }
        var key = ""
        var rest = token.unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "~" else {
                key.unicodeScalars.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "0": key.unicodeScalars.append("~")
            case "1": key.unicodeScalars.append("/")
            default: return nil
            }
        }
        self = .key(key)
    }
}

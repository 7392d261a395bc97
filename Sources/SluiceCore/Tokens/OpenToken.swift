/// The token at the end of the input so far, which is not complete.
enum OpenToken {
    case none
    /// A key, or a part of one.
    case key
    /// A number or a literal.
    case scalar
    /// A string, with its contents so far.
    case string(String)

    /// - Parameters:
    ///   - bytes: The bytes of the token, after white space.
    ///   - isKey: Whether a key is expected.
    init(_ bytes: some Collection<UInt8>, isKey: Bool) {
        let token = bytes.drop(while: \.isBlank)
        switch token.first {
        case nil: self = .none
        case UInt8(ascii: "\"") where isKey: self = .key
        case UInt8(ascii: "\""):
            self = .string(Array(token.dropFirst()).withUnsafeBufferPointer { OpenString.contents($0) })
        default: self = .scalar
        }
    }
}

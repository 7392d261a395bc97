/// The token at the end of the input so far, which is not complete.
enum OpenToken {
    /// No token, or one that is not valid at its position, whose error is found when the token is complete.
    case none
    /// A key, or a part of one.
    case key
    /// A number or a literal.
    case scalar
    /// A string, with its contents so far.
    case string(String)

    /// - Parameters:
    ///   - bytes: The bytes of the token, after white space.
    ///   - expectation: The tokens that are valid at the position.
    init(_ bytes: some Collection<UInt8>, expecting expectation: GrammarState.Expectation) {
        let token = bytes.drop(while: \.isBlank)
        let isString = token.first == UInt8(ascii: "\"")
        switch expectation {
        case _ where token.isEmpty: self = .none
        case .key, .keyOrClose: self = isString ? .key : .none
        case .value where isString, .valueOrClose where isString:
            self = .string(Array(token.dropFirst()).withUnsafeBufferPointer { OpenString.contents($0) })
        case .value, .valueOrClose: self = .scalar
        case .colon, .commaOrClose: self = .none
        }
    }
}

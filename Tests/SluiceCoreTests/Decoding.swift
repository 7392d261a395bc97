import SluiceCore
import Testing

/// Decodes a text in three ways from each source of tokens, which must agree: whole, byte by byte, and in pieces of
/// seven.
func decode<T: JSONConvertible & Equatable>(
    _ type: T.Type = T.self, _ text: String, at path: JSONPath = JSONPath(),
    with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> T {
    let bytes = Array(text.utf8)
    let first = try decoder.decode(T.self, from: bytes, at: path)
    for source in JSONModelDecoder.Source.allCases {
        var decoder = decoder
        decoder.source = source
        let whole = try decoder.decode(T.self, from: bytes, at: path)
        #expect(whole == first, "\(source)", sourceLocation: sourceLocation)
        for size in [1, 7] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            let cut = try decoder.decode(T.self, from: .chunks(pieces), at: path)
            #expect(cut == first, "\(source), in pieces of \(size)", sourceLocation: sourceLocation)
        }
    }
    return first
}

/// The one issue of a text that is refused, which must be the same from each source of tokens.
func refusal<T: JSONConvertible>(
    _ type: T.Type, _ text: String, at path: JSONPath = JSONPath(),
    with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONIssue {
    var first: JSONIssue?
    for source in JSONModelDecoder.Source.allCases {
        var decoder = decoder
        decoder.source = source
        let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) {
            _ = try decoder.decode(T.self, from: text, at: path)
        }
        let issues = try #require(error, sourceLocation: sourceLocation).issues
        #expect(issues.count == 1, sourceLocation: sourceLocation)
        #expect("\(issues[0])" == "\(first ?? issues[0])", "\(source)", sourceLocation: sourceLocation)
        #expect(
            issues[0].location.offset == (first ?? issues[0]).location.offset, "\(source)",
            sourceLocation: sourceLocation)
        first = first ?? issues[0]
    }
    return try #require(first)
}

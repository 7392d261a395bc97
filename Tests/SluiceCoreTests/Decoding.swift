import SluiceCore
import Testing

/// Decodes a text in three ways, which must agree: whole, byte by byte, and in pieces of seven.
func decode<T: JSONFillable & Equatable>(
    _ type: T.Type = T.self, _ text: String, at path: String = "",
    with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> T {
    let bytes = Array(text.utf8)
    let whole = try decoder.decode(T.self, from: bytes, at: path)
    for size in [1, 7] {
        let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
        let cut = try decoder.decode(T.self, fromChunks: pieces, at: path)
        #expect(cut == whole, "in pieces of \(size)", sourceLocation: sourceLocation)
    }
    return whole
}

/// The one issue of a text that is refused.
func refusal<T: JSONFillable>(
    _ type: T.Type, _ text: String, at path: String = "", with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONIssue {
    let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) {
        _ = try decoder.decode(T.self, from: text, at: path)
    }
    let issues = try #require(error, sourceLocation: sourceLocation).issues
    #expect(issues.count == 1, sourceLocation: sourceLocation)
    return issues[0]
}

import SluiceCore
import Testing

/// Encodes a value in memory and in chunks, and checks that both texts are equal and valid JSON.
public func encode<T: JSONConvertible>(
    _ value: T, with encoder: JSONModelEncoder = JSONModelEncoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
    let text = try encoder.encode(value, as: .string)
    var pieces: [UInt8] = []
    try encoder.write(value) { pieces += $0 }
    #expect(String(decoding: pieces, as: UTF8.self) == text, sourceLocation: sourceLocation)
    var decoder = JSONModelDecoder()
    decoder.limits.depth = JSONLimits.maximumDepth
    try decoder.validate(Array(text.utf8))
    return text
}

/// The only issue of encoding a value that is rejected.
public func encodingRefusal<T: JSONConvertible>(
    _ value: T, with encoder: JSONModelEncoder = JSONModelEncoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONIssue {
    let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) {
        _ = try encoder.encode(value)
    }
    let issues = try #require(error, sourceLocation: sourceLocation).issues
    #expect(issues.count == 1, sourceLocation: sourceLocation)
    return try #require(issues.first, sourceLocation: sourceLocation)
}

/// Checks that a value in every layout of text is decoded to an equal value.
public func expectRoundTrip<T: JSONConvertible & Equatable>(
    _ value: T, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    for formatting in [JSONModelEncoder.Formatting.compact, .pretty] {
        for nulls in [JSONModelEncoder.NullStrategy.omit, .write] {
            var encoder = JSONModelEncoder()
            (encoder.formatting, encoder.nullStrategy) = (formatting, nulls)
            let text = try encode(value, with: encoder, sourceLocation: sourceLocation)
            let back = try JSONModelDecoder().decode(T.self, from: text)
            #expect(back == value, "\(text)", sourceLocation: sourceLocation)
        }
    }
}

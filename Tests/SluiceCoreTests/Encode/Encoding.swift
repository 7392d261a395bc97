import SluiceCore
import Testing

/// The text of a value, which must be the same in memory and in pieces, and be JSON.
func encode<T: JSONConvertible>(
    _ value: T, with encoder: JSONModelEncoder = JSONModelEncoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
    let text = try encoder.encode(value, as: .string)
    var pieces: [UInt8] = []
    try encoder.write(value) { pieces += $0 }
    #expect(String(decoding: pieces, as: UTF8.self) == text, sourceLocation: sourceLocation)
    var decoder = JSONModelDecoder()
    decoder.limits.depth = JSONLimits.greatestDepth
    try decoder.validate(Array(text.utf8))
    return text
}

/// The one issue of a value that is refused.
func encodingRefusal<T: JSONConvertible>(
    _ value: T, with encoder: JSONModelEncoder = JSONModelEncoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONIssue {
    let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) {
        _ = try encoder.encode(value)
    }
    let issues = try #require(error, sourceLocation: sourceLocation).issues
    #expect(issues.count == 1, sourceLocation: sourceLocation)
    return issues[0]
}

/// Checks that a value reads back as it was, in every layout.
func expectRoundTrip<T: JSONConvertible & Equatable>(
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

import SluiceCore
import Testing

extension JSONMergeOptions {
    /// Values in values are merged.
    public static let nested = JSONMergeOptions(nested: .merge)
    /// Arrays are merged element by element.
    public static let byIndex = JSONMergeOptions(arrays: .byIndex)
}

extension Feed {
    public func merge<T: JSONConvertible>(
        _ text: String, into value: inout T, at path: JSONPath = JSONPath(),
        options: JSONMergeOptions = JSONMergeOptions(), with decoder: JSONModelDecoder = JSONModelDecoder()
    ) throws(JSONModelError) {
        let (decoder, bytes) = (applied(to: decoder), Array(text.utf8))
        if let size {
            try decoder.merge(.chunks(bytes.pieces(of: size)), into: &value, at: path, options: options)
        } else {
            try decoder.merge(bytes, into: &value, at: path, options: options)
        }
    }
}

/// Merges JSON into copies of a value, whole and in chunks from every source. The results must be equal.
public func merged<T: JSONConvertible & Equatable>(
    _ text: String, into value: T, at path: JSONPath = JSONPath(), options: JSONMergeOptions = JSONMergeOptions(),
    with decoder: JSONModelDecoder = JSONModelDecoder(), sourceLocation: SourceLocation = #_sourceLocation
) throws -> T {
    var first: T?
    for feed in Feed.all() {
        var result = value
        try feed.merge(text, into: &result, at: path, options: options, with: decoder)
        #expect(result == first ?? result, "\(feed)", sourceLocation: sourceLocation)
        first = first ?? result
    }
    return first ?? value
}

/// The only issue of a merge that is rejected and changes nothing, which must be the same in every feed.
///
/// Chunks are an exception: an error of the syntax of chunks has the path of the document.
public func mergeRefusal<T: JSONConvertible & Equatable>(
    _ text: String, into value: T, at path: JSONPath = JSONPath(), options: JSONMergeOptions = JSONMergeOptions(),
    with decoder: JSONModelDecoder = JSONModelDecoder(), sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONIssue {
    var first: JSONIssue?
    for feed in Feed.all() {
        var result = value
        let error = #expect(throws: JSONModelError.self, "\(feed)", sourceLocation: sourceLocation) {
            try feed.merge(text, into: &result, at: path, options: options, with: decoder)
        }
        let issue = try #require(error?.issues.first, sourceLocation: sourceLocation)
        #expect(error?.issues.count == 1 && result == value, "\(feed)", sourceLocation: sourceLocation)
        let known = first ?? issue
        #expect(
            issue.kind == known.kind && issue.location == known.location, "\(feed)", sourceLocation: sourceLocation)
        let hasPath = feed.size == nil || !["syntax", "unexpectedEnd"].contains(issue.kind.name)
        #expect(!hasPath || issue.path == known.path, "\(feed)", sourceLocation: sourceLocation)
        first = first ?? issue
    }
    return try #require(first, sourceLocation: sourceLocation)
}

/// The first issue of an error.
public func failure<R>(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> R) throws
    -> JSONIssue
{
    let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) { _ = try body() }
    return try #require(error?.issues.first, sourceLocation: sourceLocation)
}

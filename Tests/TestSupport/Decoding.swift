import SluiceCore
import Testing

/// Decodes JSON whole and in chunks with every source, and checks that the values are equal.
public func decode<T: JSONConvertible & Equatable>(
    _ type: T.Type = T.self, _ text: String, at path: JSONPath = JSONPath(),
    with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> T {
    let bytes = Array(text.utf8)
    let first = try decoder.decode(type, from: bytes, at: path)
    for feed in Feed.all() {
        let value = try feed.decode(type, bytes, at: path, with: decoder)
        #expect(value == first, "\(feed)", sourceLocation: sourceLocation)
    }
    return first
}

/// Decodes JSON whole and in chunks with every source, and checks that the stored properties are equal.
@_disfavoredOverload
public func decode<T: JSONConvertible>(
    _ type: T.Type = T.self, _ text: String, at path: JSONPath = JSONPath(),
    with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> T {
    let bytes = Array(text.utf8)
    let first = try decoder.decode(type, from: bytes, at: path)
    let expected = contents(of: first)
    for feed in Feed.all() {
        let value = try feed.decode(type, bytes, at: path, with: decoder)
        #expect(contents(of: value) == expected, "\(feed)", sourceLocation: sourceLocation)
    }
    return first
}

/// The only issue of decoding JSON that is rejected, which must be the same in every feed.
public func refusal<T: JSONConvertible>(
    _ type: T.Type, _ text: String, at path: JSONPath = JSONPath(),
    with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONIssue {
    let issues = try refusals(type, text, at: path, with: decoder, sourceLocation: sourceLocation)
    #expect(issues.count == 1, sourceLocation: sourceLocation)
    return try #require(issues.first, sourceLocation: sourceLocation)
}

/// The only issue of decoding JSON that is rejected, or nil after a failure of the test.
public func issue<T: JSONConvertible>(
    _ type: T.Type, _ text: String, with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) -> JSONIssue? {
    try? refusal(type, text, with: decoder, sourceLocation: sourceLocation)
}

/// All issues of decoding JSON that is rejected, without the reported ones. They must be the same in every feed.
public func refusals<T: JSONConvertible>(
    _ type: T.Type, _ text: String, at path: JSONPath = JSONPath(),
    with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> [JSONIssue] {
    let bytes = Array(text.utf8)
    var decoder = decoder
    decoder.issueHandler = nil
    var first: [JSONIssue]?
    for feed in Feed.all() {
        let error = #expect(throws: JSONModelError.self, "\(feed)", sourceLocation: sourceLocation) {
            _ = try feed.decode(type, bytes, at: path, with: decoder)
        }
        let issues = try #require(error, sourceLocation: sourceLocation).issues
        expectSame(issues, first ?? issues, "\(feed)", sourceLocation)
        first = first ?? issues
    }
    return try #require(first, sourceLocation: sourceLocation)
}

/// The value that JSON is decoded to and the issues that are reported, which must be the same in every feed.
public func reported<T: JSONConvertible & Equatable>(
    _ type: T.Type, _ text: String, with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> (value: T, issues: [JSONIssue]) {
    let bytes = Array(text.utf8)
    var first: (value: T, issues: [JSONIssue])?
    for feed in Feed.all() {
        let log = IssueLog()
        var decoder = decoder
        decoder.issueHandler = { log.add($0) }
        let value = try feed.decode(type, bytes, with: decoder)
        let known = first ?? (value, log.issues)
        #expect(value == known.value, "\(feed)", sourceLocation: sourceLocation)
        expectSame(log.issues, known.issues, "\(feed)", sourceLocation)
        first = known
    }
    return try #require(first, sourceLocation: sourceLocation)
}

private func expectSame(
    _ issues: [JSONIssue], _ known: [JSONIssue], _ feed: Comment, _ sourceLocation: SourceLocation
) {
    let facts = { (issues: [JSONIssue]) in issues.map { "\($0), offset \($0.location.offset)" } }
    #expect(facts(issues) == facts(known), feed, sourceLocation: sourceLocation)
}

/// The defect that makes the plan of a type unusable.
public func defect<T: JSONConvertible>(of type: T.Type, sourceLocation: SourceLocation = #_sourceLocation)
    -> String?
{
    let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) {
        _ = try JSONModelDecoder().decode(type, from: "{}")
    }
    guard case .invalidPlan(let reason) = error?.issues[0].kind else { return nil }
    return reason
}

/// The stored properties of a value and of the values in it, without the names of types.
public func contents(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct where mirror.children.isEmpty, .class where mirror.children.isEmpty, .enum, nil:
        return String(describing: value)
    case .dictionary, .set:
        return "[\(mirror.children.map { contents(of: $0.value) }.sorted().joined(separator: ", "))]"
    default:
        let parts = mirror.children.map { "\($0.label.map { $0 + ": " } ?? "")\(contents(of: $0.value))" }
        return "(\(parts.joined(separator: ", ")))"
    }
}

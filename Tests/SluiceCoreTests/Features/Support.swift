import SluiceCore
import Synchronization
import Testing

/// Issues that a decoder reported, or threw.
final class IssueLog: Sendable {
    private let kept = Mutex<[JSONIssue]>([])

    var issues: [JSONIssue] { kept.withLock { $0 } }

    func add(_ issue: JSONIssue) { kept.withLock { $0.append(issue) } }
}

/// Runs `body` for a text whole, byte by byte and in pieces of seven, from each source of tokens: the outcomes and the
/// issues must agree.
private func inEveryWay<R: Equatable>(
    _ text: String, _ decoder: JSONModelDecoder, _ sourceLocation: SourceLocation,
    _ body: (JSONModelDecoder, [ArraySlice<UInt8>]?, IssueLog) throws -> R
) throws -> (result: R, issues: [JSONIssue]) {
    let bytes = Array(text.utf8)
    var first: (result: R, issues: [JSONIssue])?
    for source in JSONModelDecoder.Source.allCases {
        for size in [0, 1, 7] {
            var decoder = decoder
            decoder.source = source
            let log = IssueLog()
            decoder.issueHandler = { log.add($0) }
            let pieces =
                size == 0
                ? []
                : stride(from: 0, to: bytes.count, by: size).map {
                    bytes[$0..<min($0 + size, bytes.count)]
                }
            let result = try body(decoder, size == 0 ? nil : pieces, log)
            let issues = log.issues
            guard let known = first else {
                first = (result, issues)
                continue
            }
            let way: Comment = "\(source), in pieces of \(size)"
            #expect(result == known.result, way, sourceLocation: sourceLocation)
            #expect(issues.map { "\($0)" } == known.issues.map { "\($0)" }, way, sourceLocation: sourceLocation)
        }
    }
    return try #require(first, sourceLocation: sourceLocation)
}

/// What is made of a text, and what was reported.
func reported<T: JSONConvertible & Equatable>(
    _ type: T.Type, _ text: String, with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> (value: T, issues: [JSONIssue]) {
    let bytes = Array(text.utf8)
    let (value, issues) = try inEveryWay(text, decoder, sourceLocation) { decoder, pieces, _ in
        if let pieces { return try decoder.decode(type, from: .chunks(pieces)) }
        return try decoder.decode(type, from: bytes)
    }
    return (value, issues)
}

/// All issues of a text that is refused; what is reported does not count.
func refusals<T: JSONConvertible>(
    _ type: T.Type, _ text: String, with decoder: JSONModelDecoder = JSONModelDecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> [JSONIssue] {
    let bytes = Array(text.utf8)
    let (isRefused, issues) = try inEveryWay(text, decoder, sourceLocation) { decoder, pieces, log in
        var decoder = decoder
        decoder.issueHandler = nil
        do throws(JSONModelError) {
            if let pieces {
                _ = try decoder.decode(type, from: .chunks(pieces))
            } else {
                _ = try decoder.decode(type, from: bytes)
            }
            return false
        } catch {
            for issue in error.issues { log.add(issue) }
            return true
        }
    }
    #expect(isRefused, sourceLocation: sourceLocation)
    return issues
}

/// What makes a model's plan unusable.
func defect<T: JSONConvertible>(of type: T.Type, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
    let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) {
        _ = try JSONModelDecoder().decode(type, from: "{}")
    }
    guard case .invalidPlan(let why) = error?.issues[0].kind else { return nil }
    return why
}

extension JSONModelDecoder {
    /// A decoder with some options.
    static func with(_ change: (inout JSONModelDecoder) -> Void) -> JSONModelDecoder {
        var decoder = JSONModelDecoder()
        change(&decoder)
        return decoder
    }

    /// A decoder that gathers all issues.
    static var collecting: JSONModelDecoder { .with { $0.errorPolicy = .collect(limit: .max) } }
}

extension [JSONIssue] {
    /// Where and what, briefly.
    var brief: [String] { map { "\($0.path): \($0.kind.brief)" } }
}

extension JSONIssue.Kind {
    fileprivate var brief: String {
        switch self {
        case .typeMismatch(let expected, let found): "\(expected), not \(found)"
        case .missingKeys(let keys): "lacks \(keys.joined(separator: ", "))"
        case .nullValue: "null"
        case .unknownKey(let key): "unknown \(key)"
        case .duplicateKey(let key): "twice \(key)"
        case .invalidKey(let key, _): "no key \(key)"
        case .notAnInteger(_, let text), .numberOutOfRange(_, let text): text
        default: "\(self)"
        }
    }
}

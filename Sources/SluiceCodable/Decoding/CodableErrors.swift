// Errors with the cases, paths and texts of Foundation, and their issues.

import SluiceCore

/// The underlying error of the error for a number that its type cannot represent, until the error is located.
struct UnrepresentableNumber: Error {
    let type: Any.Type
    let text: String
    let hasFraction: Bool

    var issue: JSONIssue.Kind {
        hasFraction
            ? .notAnInteger(type: "\(type)", text: text) : .numberOutOfRange(type: "\(type)", text: text)
    }
}

/// The underlying error of an error whose coding path is that of Foundation and does not lead to the value, until the error is located.
package struct ValueFailure: Error {
    let path: [any CodingKey]
    let kind: JSONIssue.Kind

    /// - Parameter path: The coding path of the value.
    package init(_ kind: JSONIssue.Kind, at path: [any CodingKey]) { (self.kind, self.path) = (kind, path) }
}

/// The texts of errors, made once for each type: a client may catch an error for each value, without a look at it.
private enum ErrorTexts {
    private enum Reason: Hashable, Sendable {
        case mismatch(found: UInt8)
        case null
        case unrepresentable
    }

    private struct Key: Hashable, Sendable {
        let type: ObjectIdentifier
        let reason: Reason
    }

    /// The greatest number of texts.
    private static let capacity = 512
    private static let texts = Lock<[Key: String]>([:])

    private static func text(_ type: Any.Type, _ reason: Reason, _ make: () -> String) -> String {
        texts.withLock { texts in
            let key = Key(type: ObjectIdentifier(type), reason: reason)
            if let known = texts[key] { return known }
            let text = make()
            if texts.count < capacity { texts[key] = text }
            return text
        }
    }

    static func mismatch(_ type: Any.Type, _ kind: TapeEntry.Kind) -> String {
        text(type, .mismatch(found: kind.rawValue)) {
            "Expected to decode \(type) but found \(kind.foundName) instead."
        }
    }

    static func null(_ type: Any.Type) -> String {
        text(type, .null) { "Cannot get value of type \(type) -- found null value instead" }
    }

    static func unrepresentable(_ type: Any.Type, _ text: String) -> String {
        "Number " + text + self.text(type, .unrepresentable) { " is not representable in \(type)." }
    }
}

/// A value whose initializer needs more of the thread's stack than is left. The caller receives the error of the limit of depth.
struct StackUsedUp: Error {
    let path: [any CodingKey]

    func issue(_ limits: JSONLimits) -> JSONIssue {
        var issue = JSONIssue.stackUsedUp(limits.depth)
        issue.path = JSONPath(path)
        return issue
    }
}

extension TapeDecoder {
    /// Returns the error for a value that is not of the requested scalar type.
    ///
    /// - Parameter key: The key of the value in this decoder's container; nil for the decoder's own value.
    @inline(never)
    func unusable(_ type: Any.Type, _ index: Int, _ key: (any CodingKey)?) -> any Error {
        let entry = tape[index]
        let path = key.map { self.path($0) } ?? codingPath
        switch entry.kind {
        case .null where type != Bool.self: return Self.nullValue(type, path)
        // A scalar of another type is a number.
        case .number where type != Bool.self && type != String.self,
            .nonFinite where type != Bool.self && type != String.self:
            return unrepresentable(type, index, path)
        default: return mismatch(type, entry, path)
        }
    }

    private func unrepresentable(_ type: Any.Type, _ index: Int, _ path: [any CodingKey]) -> DecodingError {
        let entry = tape[index]
        let text =
            entry.kind == .nonFinite
            ? "\(tape.nonFinite(index))" : String(decoding: tape.bytes(entry), as: UTF8.self)
        let hasFraction =
            entry.kind == .number && type is any BinaryInteger.Type && !entry.flags.contains(.isInteger)
        // Foundation reports such a number as invalid JSON, without a path.
        return .dataCorrupted(
            .init(
                path, ErrorTexts.unrepresentable(type, text),
                UnrepresentableNumber(type: type, text: text, hasFraction: hasFraction)))
    }

    /// Returns the error for a number that a type cannot represent.
    package func unrepresentableNumber(_ type: Any.Type) -> any Error { unrepresentable(type, index, codingPath) }

    /// Returns the error for a value of another type.
    func mismatch(_ type: Any.Type, _ entry: TapeEntry, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, .init(path, ErrorTexts.mismatch(type, entry.kind)))
    }

    /// Returns the error for a value of another type, for a type whose error has no text in Foundation. The underlying error states what
    /// was found.
    package func mismatchWithoutText(_ type: Any.Type) -> any Error {
        let kind = JSONIssue.Kind.typeMismatch(expected: "\(type)", found: entry.kind.foundName)
        let issue = JSONIssue(kind: kind, path: JSONPath(codingPath), location: .unknown)
        return DecodingError.typeMismatch(type, .init(codingPath, "", JSONModelError(issues: [issue])))
    }

    private static func nullValue(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .valueNotFound(type, .init(path, ErrorTexts.null(type)))
    }

    /// Throws if the value is missing or `null`.
    package func checkNotNull(_ type: Any.Type) throws {
        if isNull { throw Self.nullValue(type, codingPath) }
    }

    /// Returns the error for a value that is not a container of the requested kind.
    func notAContainer(_ type: Any.Type, _ kind: String) -> DecodingError {
        if !isNull { return mismatch(type, entry, codingPath) }
        return .valueNotFound(
            type, .init(codingPath, "Cannot get \(kind) decoding container -- found null value instead"))
    }

    func path(_ key: any CodingKey) -> [any CodingKey] { codingPath + [key] }

    /// Returns the error of a model with the path of the value. The underlying error is that of the model, and has no location until
    /// the whole error is located.
    func decodingError(_ error: JSONModelError, _ type: Any.Type) -> DecodingError {
        var issue = error.issues[0]
        var path = codingPath
        for component in issue.path.components {
            switch component {
            case .key(let key): path.append(AnyCodingKey(stringValue: key))
            case .index(let index): path.append(AnyCodingKey(index: index))
            case .anyIndex, .anyKey: break
            }
        }
        let description = issue.description
        issue.path.components = JSONPath(codingPath).components + issue.path.components
        issue.location = .unknown
        let context = DecodingError.Context(path, description, JSONModelError(issues: [issue]))
        return switch issue.kind {
        case .missingKeys(let keys): .keyNotFound(AnyCodingKey(stringValue: keys[0]), context)
        case .typeMismatch: .typeMismatch(type, context)
        case .nullValue: .valueNotFound(type, context)
        default: .dataCorrupted(context)
        }
    }
}

extension JSONLocation {
    /// The location of an issue that has not been located yet.
    fileprivate static var unknown: JSONLocation { JSONLocation(offset: -1, line: 0, column: 0) }
}

extension TapeEntry.Kind {
    /// The type of a value, as in the messages of Foundation.
    fileprivate var foundName: String {
        switch self {
        case .string, .key, .hiddenKey: "a string"
        case .number, .nonFinite: "number"
        case .true, .false: "bool"
        case .null: "null"
        case .object: "a dictionary"
        case .array: "an array"
        }
    }
}

extension CodableDecoding {
    /// Returns the error of input that is not JSON, with Foundation's text.
    static func decodingError(_ error: JSONModelError) -> any Error {
        if error.issues[0].kind.isOfReading { return error }
        return DecodingError.dataCorrupted(.init([], "The given data was not valid JSON.", error))
    }

    /// Returns the issue of an error of an initializer. The path of the issue begins at the decoded value.
    ///
    /// - Parameter keepsThrown: Whether an error that a hook of a model threw is the underlying error; otherwise that is the whole error.
    static func issue(of error: any Error, keepsThrown: Bool = true) -> JSONIssue {
        // Nothing recovers from the end of the stack, in a call of another decoder either.
        if let issue = (error as? JSONModelError)?.issues.first(where: \.isOfStack) { return issue }
        var issue = (error as? DecodingError)?.issue ?? JSONIssue(kind: .thrown)
        if keepsThrown, issue.kind == .thrown, issue.underlying != nil { return issue }
        issue.underlying = error
        return issue
    }

    /// Returns the error of a decoder of models for an error that has been located.
    static func modelError(_ error: any Error) -> JSONModelError {
        if let error = error as? JSONModelError { return error }
        guard let located = (error as? DecodingError)?.context?.underlyingError as? JSONModelError else {
            return JSONModelError(issues: [issue(of: error)])
        }
        var issue = located.issues[0]
        if issue.kind != .thrown || issue.underlying == nil { issue.underlying = error }
        return JSONModelError(issues: [issue])
    }

    /// Returns the error of an engine that a decoder of models has located. An error of the client's code stays the same.
    static func decodingError(in error: JSONModelError) -> any Error {
        guard let underlying = error.issues[0].underlying else { return decodingError(error) }
        guard let decoding = underlying as? DecodingError, decoding.isUnlocated else { return underlying }
        return decoding.with(underlying: error)
    }
}

extension DecodingError.Context {
    init(_ path: [any CodingKey], _ text: String, _ underlying: (any Error)? = nil) {
        self.init(codingPath: path, debugDescription: text, underlyingError: underlying)
    }
}

extension DecodingError {
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// Whether the underlying error, if any, is one that has not been located yet.
    var isUnlocated: Bool {
        guard let context else { return false }
        if let error = context.underlyingError as? JSONModelError { return error.issues[0].location == .unknown }
        return switch context.underlyingError {
        case nil, is UnrepresentableNumber, is ValueFailure: true
        default: false
        }
    }

    /// The error with another underlying error.
    func with(underlying: any Error) -> DecodingError {
        guard let context else { return self }
        let changed = Context(context.codingPath, context.debugDescription, underlying)
        return switch self {
        case .typeMismatch(let type, _): .typeMismatch(type, changed)
        case .valueNotFound(let type, _): .valueNotFound(type, changed)
        case .keyNotFound(let key, _): .keyNotFound(key, changed)
        case .dataCorrupted: .dataCorrupted(changed)
        @unknown default: self
        }
    }

    /// The error as an issue, without a location.
    var issue: JSONIssue {
        // Another error is that of a decoder that the client has called, and has another document.
        if isUnlocated, let error = context?.underlyingError as? JSONModelError {
            var issue = error.issues[0]
            issue.location = JSONLocation()
            return issue
        }
        if let failure = context?.underlyingError as? ValueFailure {
            return JSONIssue(kind: failure.kind, path: JSONPath(failure.path))
        }
        let kind: JSONIssue.Kind =
            switch self {
            // Clients have messages of their own, such as the compiler for an enum without a known case.
            case .typeMismatch(let type, let context):
                Self.found(context.debugDescription).map { .typeMismatch(expected: "\(type)", found: $0) }
                    ?? .invalidValue(expected: "\(type)", reason: context.debugDescription)
            // The end of an array has no value, and a client may miss one for any reason.
            case .valueNotFound(let type, let context):
                context.debugDescription.hasSuffix("found null value instead")
                    ? .nullValue(expected: "\(type)")
                    : .invalidValue(expected: "\(type)", reason: context.debugDescription)
            case .keyNotFound(let key, _): .missingKeys([key.stringValue])
            case .dataCorrupted(let context):
                (context.underlyingError as? UnrepresentableNumber)?.issue
                    ?? .invalidValue(expected: "a value", reason: context.debugDescription)
            @unknown default: .thrown
            }
        return JSONIssue(kind: kind, path: JSONPath(context?.codingPath ?? []))
    }

    /// Returns the found type of a message of the decoder, or nil for another message.
    private static func found(_ message: String) -> String? {
        guard let start = message.firstRange(of: "but found ")?.upperBound else { return nil }
        let found = message[start...]
        return found.hasSuffix(" instead.") ? String(found.dropLast(9)) : String(found)
    }
}

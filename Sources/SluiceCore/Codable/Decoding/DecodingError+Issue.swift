// Errors of the standard library as issues.

extension DecodingError {
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The error with another underlying error.
    func with(underlying: any Error) -> DecodingError {
        func changed(_ context: Context) -> Context {
            Context(
                codingPath: context.codingPath, debugDescription: context.debugDescription,
                underlyingError: underlying)
        }
        switch self {
        case .typeMismatch(let type, let context): return .typeMismatch(type, changed(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, changed(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, changed(context))
        case .dataCorrupted(let context): return .dataCorrupted(changed(context))
        @unknown default: return self
        }
    }

    /// The error as an issue, without a location.
    var issue: JSONIssue {
        let kind: JSONIssue.Kind =
            switch self {
            case .typeMismatch(let type, let context):
                .typeMismatch(expected: "\(type)", found: Self.found(context.debugDescription))
            case .valueNotFound(let type, _): .nullValue(expected: "\(type)")
            case .keyNotFound(let key, _): .missingKeys([key.stringValue])
            case .dataCorrupted(let context):
                .invalidValue(expected: "a value", reason: context.debugDescription)
            @unknown default: .thrown
            }
        return JSONIssue(kind: kind, path: JSONPath(context?.codingPath ?? []))
    }

    /// Returns the found type of a message of the decoder, or the whole message.
    private static func found(_ message: String) -> String {
        guard let start = message.firstRange(of: "but found ")?.upperBound else { return message }
        let found = message[start...]
        return found.hasSuffix(" instead.") ? String(found.dropLast(9)) : String(found)
    }
}

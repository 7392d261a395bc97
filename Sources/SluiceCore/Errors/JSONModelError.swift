/// What went wrong, where, and what can be done about it: the one error that decoding throws.
public struct JSONModelError: Error, Sendable, CustomStringConvertible {
    /// What was wrong, in the order of the text. Never empty.
    public var issues: [JSONIssue]

    /// An error of these issues.
    public init(issues: [JSONIssue]) { self.issues = issues }

    init(_ kind: JSONIssue.Kind, model: String? = nil, offset: Int = 0) {
        issues = [
            JSONIssue(kind: kind, model: model, location: JSONLocation(offset: offset, line: 1, column: offset + 1))
        ]
    }

    /// The issues, a line each, and below each its excerpt with a caret.
    public var description: String {
        issues.map { issue in
            issue.excerpt.isEmpty ? issue.description : "\(issue.description)\n\(issue.excerpt)"
        }.joined(separator: "\n")
    }
}

/// One thing that is wrong with a text, or with what it was to become.
public struct JSONIssue: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The text is empty, or white space alone.
        case emptyInput
        /// The text breaks JSON's grammar; says how.
        case syntax(String)
        /// The text ends inside a value.
        case unexpectedEnd
        /// Something other than white space follows the value.
        case trailingContent
        /// A string or key is not well-formed UTF-8.
        case invalidUTF8
        /// A `\u` escape is half of a surrogate pair.
        case loneSurrogate
        /// The text is in another encoding than UTF-8, which is named.
        case unsupportedEncoding(String)
        /// The bytes are no text in the encoding that was named.
        case wrongEncoding(String)
        /// Something is longer or deeper than ``JSONLimits`` allow.
        case limitExceeded(JSONLimits.Name, limit: Int)
        /// An object lacks keys that its model requires: all of them, as paths from the object.
        case missingKeys([String])
        /// A value is of another type than its property.
        case typeMismatch(expected: String, found: String)
        /// `null` where a value is required.
        case nullValue(expected: String)
        /// A number is beyond what its property's type holds.
        case numberOutOfRange(type: String, text: String)
        /// A number with a fraction, for a property that holds integers.
        case notAnInteger(type: String, text: String)
        /// A value of the right type that its property cannot take; says why.
        case invalidValue(expected: String, reason: String)
        /// A key of an object that cannot become a key of its dictionary.
        case invalidKey(String, type: String)
        /// A key that stands twice in an object, where that is refused.
        case duplicateKey(String)
        /// A key that the model has no property for, where that is refused or reported.
        case unknownKey(String)
        /// Nothing is at the path that was asked for.
        case pathNotFound(JSONPath)
        /// The path that was asked for is no path; says why.
        case invalidPath(String)
        /// The input could not be read: the system's error number.
        case unreadable(errno: Int32, String)
        /// A value has no JSON; says why.
        case notEncodable(String)
        /// The output could not be written: the system's error number.
        case unwritable(errno: Int32, String)
        /// A plan cannot be used; says why.
        case invalidPlan(String)
        /// The installed libyajl cannot be used; says what to install.
        case unsupportedLibrary(String)
        /// An error that the user's own code threw: ``JSONIssue/underlying``.
        case thrown
    }

    /// What is wrong.
    public var kind: Kind
    /// The value it is wrong with.
    public var path: JSONPath
    /// The Swift property that the value was for.
    public var property: String?
    /// The model that the property is of.
    public var model: String?
    /// The location of the token at fault in the input, however the input was cut.
    public var location: JSONLocation
    /// The text up to and with the token at hand, and below it a caret. Where the text is no JSON, some of what follows in
    /// the line too (but not of a pipe, where the rest may be long in coming).
    public var excerpt: String
    /// What may have been meant, or what would allow the value.
    public var hint: String?
    /// The error that the user's own code threw.
    public var underlying: (any Error)?

    /// Creates an issue without an excerpt.
    public init(
        kind: Kind, path: JSONPath = JSONPath(), property: String? = nil, model: String? = nil,
        location: JSONLocation = JSONLocation(),
        hint: String? = nil, underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.path = path
        self.property = property
        self.model = model
        self.location = location
        self.excerpt = ""
        self.hint = hint
        self.underlying = underlying
    }

    /// What, where and for which property, in one line.
    public var description: String {
        var text = kind.message
        if kind == .thrown, let underlying { text = "\(underlying)" }
        if let hint { text += " (\(hint))" }
        switch kind {
        case .invalidPlan, .unsupportedLibrary, .invalidPath:
            if let model { text = "\(model): \(text)" }
            return text
        case .unwritable: return text
        case .unreadable: return "\(text), after \(location.offset) bytes"
        default: break
        }
        text += " at \(path.shortDescription)"
        if let property {
            text += ", for \(model.map { "\($0)." } ?? "")\(property)"
        } else if let model {
            text += ", for \(model)"
        }
        if location.line == 0 { return text }
        return text + " (\(location))"
    }
}

extension JSONIssue.Kind {
    var message: String {
        switch self {
        case .emptyInput: "there is no JSON in the input"
        case .syntax(let how): how
        case .unexpectedEnd: "the text ends before its value does"
        case .trailingContent: "something follows the end of the value"
        case .invalidUTF8: "a string is not well-formed UTF-8"
        case .loneSurrogate: "a \\u escape is half of a surrogate pair"
        case .unsupportedEncoding(let name): "the text is \(name), not UTF-8: convert it first"
        case .wrongEncoding(let name): "the text is not in the encoding \(name)"
        case .limitExceeded(let name, let limit):
            "\(name.message) \(limit): raise JSONLimits.\(name.rawValue) to allow it"
        case .missingKeys(let keys):
            "missing \(keys.count == 1 ? "key" : "keys") \(keys.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .typeMismatch(let expected, let found): "expected \(expected), found \(found)"
        case .nullValue(let expected): "expected \(expected), found null"
        case .numberOutOfRange(let type, let text): "\(text) does not fit in \(type)"
        case .notAnInteger(let type, let text): "\(text) is not an integer, which \(type) needs"
        case .invalidValue(let expected, let reason): "expected \(expected): \(reason)"
        case .invalidKey(let key, let type): "\"\(key)\" cannot be a key of type \(type)"
        case .duplicateKey(let key): "the key \"\(key)\" stands twice in its object"
        case .unknownKey(let key): "the key \"\(key)\" is unknown"
        case .pathNotFound(let path): "nothing is at \(path)"
        case .invalidPath(let why): why
        case .unreadable(let errno, let what): "cannot read \(what): error \(errno)"
        case .notEncodable(let why): "cannot be encoded: \(why)"
        case .unwritable(let errno, let what): "cannot write \(what): error \(errno)"
        case .invalidPlan(let why): why
        case .unsupportedLibrary(let why): why
        case .thrown: "an error was thrown"
        }
    }
}

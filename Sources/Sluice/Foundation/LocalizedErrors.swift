// Conformances to `LocalizedError` and `CustomNSError`, for code that expects an `NSError`. FoundationEssentials has neither
// protocol.
#if Foundation || canImport(Darwin)
import Foundation

extension JSONModelError: LocalizedError {
    /// The issues, each on one line and followed by an excerpt with a caret.
    public var errorDescription: String? { description }
    /// The hint of the first issue.
    public var recoverySuggestion: String? { issues.first?.hint }
}

extension JSONModelError: CustomNSError {
    public static var errorDomain: String { "Sluice.JSONModelError" }

    /// The code of the first issue, or 0 without an issue.
    public var errorCode: Int { issues.first?.errorCode ?? 0 }

    /// The user information of the first issue, with the description of all issues.
    ///
    /// The key `JSONModelError.UserInfoKey.issues` contains all issues.
    public var errorUserInfo: [String: Any] {
        var info = issues.first?.errorUserInfo ?? [:]
        info[NSLocalizedDescriptionKey] = description
        info[JSONModelError.UserInfoKey.issues] = issues
        return info
    }
}

extension JSONIssue: LocalizedError {
    /// The issue on one line.
    public var errorDescription: String? { description }
    /// The hint of the issue.
    public var recoverySuggestion: String? { hint }
}

extension JSONIssue: CustomNSError {
    public static var errorDomain: String { "Sluice.JSONIssue" }

    /// The code of the issue's kind. The article on errors lists the codes.
    public var errorCode: Int { kind.errorCode }

    /// The description, the hint as the recovery suggestion, and the underlying error.
    ///
    /// The keys of `JSONModelError.UserInfoKey` contain the path, the property, the model and the location.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: description, JSONModelError.UserInfoKey.path: path.description,
        ]
        info[NSLocalizedRecoverySuggestionErrorKey] = hint
        info[NSUnderlyingErrorKey] = underlying
        info[JSONModelError.UserInfoKey.property] = property
        info[JSONModelError.UserInfoKey.model] = model
        // Line 0 means that the input has no text, such as an object in memory.
        if location.line > 0 {
            info[JSONModelError.UserInfoKey.offset] = location.offset
            info[JSONModelError.UserInfoKey.line] = location.line
            info[JSONModelError.UserInfoKey.column] = location.column
        }
        return info
    }
}

extension JSONModelError {
    /// The keys of a ``/SluiceCore/JSONIssue`` in the user information of an `NSError`.
    public enum UserInfoKey {
        /// The issues of a ``/SluiceCore/JSONModelError``, an array of ``/SluiceCore/JSONIssue``.
        public static let issues = "SluiceIssues"
        /// The path of the value, a `String`.
        public static let path = "SluiceJSONPath"
        /// The Swift property of the value, a `String`.
        public static let property = "SluiceProperty"
        /// The model of the property, a `String`.
        public static let model = "SluiceModel"
        /// The offset from the beginning of the input in bytes, an `Int`.
        public static let offset = "SluiceOffset"
        /// The line, counted from 1, an `Int`.
        public static let line = "SluiceLine"
        /// The column in UTF-8 bytes, counted from 1, an `Int`.
        public static let column = "SluiceColumn"
    }
}

extension JSONIssue.Kind {
    /// The code of an `NSError`.
    ///
    /// The codes are part of the public API. Never change a code, and give a new kind the next number.
    fileprivate var errorCode: Int {
        switch self {
        case .emptyInput: 1
        case .syntax: 2
        case .unexpectedEnd: 3
        case .trailingContent: 4
        case .invalidUTF8: 5
        case .loneSurrogate: 6
        case .unsupportedEncoding: 7
        case .wrongEncoding: 8
        case .limitExceeded: 9
        case .missingKeys: 10
        case .typeMismatch: 11
        case .nullValue: 12
        case .numberOutOfRange: 13
        case .notAnInteger: 14
        case .invalidValue: 15
        case .invalidKey: 16
        case .duplicateKey: 17
        case .unknownKey: 18
        case .pathNotFound: 19
        case .invalidPath: 20
        case .unreadable: 21
        case .notEncodable: 22
        case .unwritable: 23
        case .invalidPlan: 24
        case .unsupportedLibrary: 25
        case .thrown: 26
        case .unsupportedCompression: 27
        case .truncatedCompression: 28
        case .corruptCompression: 29
        case .checkpointMismatch: 30
        case .notAppendable: 31
        case .invalidRange: 32
        }
    }
}

extension JSONModelError.ConversionFailure: LocalizedError, CustomNSError {
    /// The reason why the scalar could not be converted.
    public var errorDescription: String? {
        switch self {
        case .mismatch: "the value is of another kind"
        case .outOfRange: "the number does not fit in its type"
        case .notAnInteger: "the number is not an integer, which its type needs"
        case .invalid(let why, let hint): hint.map { "\(why) (\($0))" } ?? why
        }
    }

    public static var errorDomain: String { "Sluice.JSONModelError.ConversionFailure" }

    /// A code from 1 to 4, in the order of the cases.
    public var errorCode: Int {
        switch self {
        case .mismatch: 1
        case .outOfRange: 2
        case .notAnInteger: 3
        case .invalid: 4
        }
    }

    /// The user information, which contains the description.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
}

extension ErrorText: ErrorTextMaking {
    package static func localizedText(of error: any Error) -> String? {
        // Every error is an NSError on Apple's platforms.
        if type(of: error) is NSError.Type { return (error as NSError).localizedDescription }
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        return (error as? any CustomNSError)?.errorUserInfo[NSLocalizedDescriptionKey] as? String
    }
}
#endif

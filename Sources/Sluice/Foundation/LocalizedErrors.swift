// Localized descriptions, and domains, codes and user information for code that expects an NSError. Foundation's essentials
// have neither protocol.
#if Foundation || canImport(Darwin)
import Foundation

extension JSONModelError: LocalizedError {
    /// The issues, a line each, and below each its excerpt with a caret.
    public var errorDescription: String? { description }
    /// The hint of the first issue.
    public var recoverySuggestion: String? { issues.first?.hint }
}

extension JSONModelError: CustomNSError {
    public static var errorDomain: String { "Sluice.JSONModelError" }

    /// The code of the first issue; 0 without an issue.
    public var errorCode: Int { issues.first?.errorCode ?? 0 }

    /// The user information of the first issue, with the description of all issues, and the issues themselves under
    /// ``JSONErrorUserInfoKey/issues``.
    public var errorUserInfo: [String: Any] {
        var info = issues.first?.errorUserInfo ?? [:]
        info[NSLocalizedDescriptionKey] = description
        info[JSONErrorUserInfoKey.issues] = issues
        return info
    }
}

extension JSONIssue: LocalizedError {
    /// The issue in one line.
    public var errorDescription: String? { description }
    /// The hint.
    public var recoverySuggestion: String? { hint }
}

extension JSONIssue: CustomNSError {
    public static var errorDomain: String { "Sluice.JSONIssue" }

    /// The code of the kind. The article on errors lists them.
    public var errorCode: Int { kind.errorCode }

    /// The description, the hint as the recovery suggestion, the underlying error, and under the keys of
    /// ``JSONErrorUserInfoKey`` the path, the property, the model and the location.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: description, JSONErrorUserInfoKey.path: path.description,
        ]
        info[NSLocalizedRecoverySuggestionErrorKey] = hint
        info[NSUnderlyingErrorKey] = underlying
        info[JSONErrorUserInfoKey.property] = property
        info[JSONErrorUserInfoKey.model] = model
        // Line 0 says that there is no text.
        if location.line > 0 {
            info[JSONErrorUserInfoKey.offset] = location.offset
            info[JSONErrorUserInfoKey.line] = location.line
            info[JSONErrorUserInfoKey.column] = location.column
        }
        return info
    }
}

/// The keys under which the user information of an `NSError` has the facts of a ``/SluiceCore/JSONIssue``.
public enum JSONErrorUserInfoKey {
    /// The issues of a ``/SluiceCore/JSONModelError``, an array of ``/SluiceCore/JSONIssue``.
    public static let issues = "SluiceIssues"
    /// The path of the value, a `String`.
    public static let path = "SluiceJSONPath"
    /// The Swift property that the value was for, a `String`.
    public static let property = "SluiceProperty"
    /// The model of the property, a `String`.
    public static let model = "SluiceModel"
    /// The distance from the beginning of the text in bytes, an `Int`.
    public static let offset = "SluiceOffset"
    /// The line, from 1, an `Int`.
    public static let line = "SluiceLine"
    /// The column in bytes of UTF-8, from 1, an `Int`.
    public static let column = "SluiceColumn"
}

extension JSONIssue.Kind {
    /// The code of an `NSError`. The codes are part of the API: never change one, and give a new kind the next.
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
        }
    }
}

extension JSONModelError.ConversionFailure: LocalizedError, CustomNSError {
    /// Why the scalar could not become a value.
    public var errorDescription: String? {
        switch self {
        case .mismatch: "the value is of another kind"
        case .outOfRange: "the number does not fit in its type"
        case .notAnInteger: "the number is not an integer, which its type needs"
        case .invalid(let why, let hint): hint.map { "\(why) (\($0))" } ?? why
        }
    }

    public static var errorDomain: String { "Sluice.JSONModelError.ConversionFailure" }

    /// 1 to 4, in the order of the cases.
    public var errorCode: Int {
        switch self {
        case .mismatch: 1
        case .outOfRange: 2
        case .notAnInteger: 3
        case .invalid: 4
        }
    }

    /// The description.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
}
#endif

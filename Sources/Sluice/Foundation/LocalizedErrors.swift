// Conformances to `LocalizedError` and `CustomNSError`, for code that expects an `NSError`. FoundationEssentials has neither
// protocol.
#if Foundation || canImport(Darwin)
import Foundation

extension JSONModelError: LocalizedError {
    /// The issues, each on one line and followed by an excerpt with a caret.
    @_documentation(visibility: internal) public var errorDescription: String? { description }
    /// The hint of the first issue.
    @_documentation(visibility: internal) public var recoverySuggestion: String? { issues.first?.hint }
}

extension JSONModelError: CustomNSError {
    @_documentation(visibility: internal) public static var errorDomain: String { "Sluice.JSONModelError" }

    /// The code of the first issue, or 0 without an issue.
    @_documentation(visibility: internal) public var errorCode: Int { issues.first?.errorCode ?? 0 }

    /// The user information of the first issue, with the description of all issues.
    ///
    /// The key `SluiceIssues` contains all issues, an array of ``/SluiceCore/JSONIssue``.
    @_documentation(visibility: internal) public var errorUserInfo: [String: Any] {
        var info = issues.first?.errorUserInfo ?? [:]
        info[NSLocalizedDescriptionKey] = description
        info["SluiceIssues"] = issues
        return info
    }
}

extension JSONIssue: LocalizedError {
    /// The issue on one line.
    @_documentation(visibility: internal) public var errorDescription: String? { description }
    /// The hint of the issue.
    @_documentation(visibility: internal) public var recoverySuggestion: String? { hint }
}

extension JSONIssue: CustomNSError {
    @_documentation(visibility: internal) public static var errorDomain: String { "Sluice.JSONIssue" }

    /// The code of the issue's kind. The article on errors lists the codes.
    @_documentation(visibility: internal) public var errorCode: Int { kind.errorCode }

    /// The description, the hint as the recovery suggestion, and the underlying error.
    ///
    /// The keys `SluiceJSONPath`, `SluiceProperty` and `SluiceModel` contain strings, and the keys `SluiceOffset`, `SluiceLine` and
    /// `SluiceColumn` the location.
    @_documentation(visibility: internal) public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: description, "SluiceJSONPath": path.description,
        ]
        info[NSLocalizedRecoverySuggestionErrorKey] = hint
        info[NSUnderlyingErrorKey] = underlying
        info["SluiceProperty"] = property
        info["SluiceModel"] = model
        // Line 0 means that the input has no text, such as an object in memory.
        if location.line > 0 {
            info["SluiceOffset"] = location.offset
            info["SluiceLine"] = location.line
            info["SluiceColumn"] = location.column
        }
        return info
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
    @_documentation(visibility: internal) public var errorDescription: String? {
        switch self {
        case .mismatch: "the value is of another kind"
        case .outOfRange: "the number does not fit in its type"
        case .notAnInteger: "the number is not an integer, which its type needs"
        case .invalid(let why, let hint): hint.map { "\(why) (\($0))" } ?? why
        }
    }

    @_documentation(visibility: internal) public static var errorDomain: String {
        "Sluice.JSONModelError.ConversionFailure"
    }

    /// A code from 1 to 4, in the order of the cases.
    @_documentation(visibility: internal) public var errorCode: Int {
        switch self {
        case .mismatch: 1
        case .outOfRange: 2
        case .notAnInteger: 3
        case .invalid: 4
        }
    }

    /// The user information, which contains the description.
    @_documentation(visibility: internal) public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription ?? ""]
    }
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

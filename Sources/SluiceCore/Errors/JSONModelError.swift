@_exported public import JSONPaths

/// The error of all decoding and encoding functions, with one or more issues.
public struct JSONModelError: Error, Sendable, CustomStringConvertible {
    /// The issues, in the order of the input. Never empty.
    public var issues: [JSONIssue]

    /// Creates an error with issues, which must not be empty.
    public init(issues: [JSONIssue]) { self.issues = issues }

    /// The error of an allocation that failed in a system library.
    package static var outOfMemory: JSONModelError {
        // The number of ENOMEM.
        JSONModelError(.unreadable(errno: 12, "compressed data: out of memory"))
    }

    package init(_ kind: JSONIssue.Kind, model: String? = nil, offset: Int = 0) {
        issues = [
            JSONIssue(kind: kind, model: model, location: JSONLocation(offset: offset, line: 1, column: offset + 1))
        ]
    }

    /// The error of a call that needs more of the thread's stack than is left.
    package static func stackUsedUp(_ limits: JSONLimits) -> JSONModelError {
        JSONModelError(issues: [.stackUsedUp(limits.depth)])
    }

    /// Whether the thread's stack caused an issue, also in a call of a hook.
    var isOfStack: Bool {
        issues.contains { issue in
            var issue = issue
            while true {
                if issue.isOfStack { return true }
                guard let inner = (issue.underlying as? JSONModelError)?.issues.last else { return false }
                issue = inner
            }
        }
    }

    /// The issues, one per line, each followed by its excerpt with a caret.
    public var description: String {
        issues.map { issue in
            issue.excerpt.isEmpty ? issue.description : "\(issue.description)\n\(issue.excerpt)"
        }.joined(separator: "\n")
    }
}

/// A single problem in the input, or in a value, model or plan.
public struct JSONIssue: Error, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public enum Kind: Sendable, Hashable {
        /// The input is empty, or consists of white space.
        case emptyInput
        /// The input violates the grammar of JSON, as described.
        case syntax(String)
        /// The input ends inside of a value.
        case unexpectedEnd
        /// Something other than white space follows the value.
        case trailingContent
        /// A string or key is not well-formed UTF-8.
        case invalidUTF8
        /// A `\u` escape is an unpaired surrogate.
        case loneSurrogate
        /// The input is in the named encoding, not in UTF-8.
        case unsupportedEncoding(String)
        /// The bytes of the input are not valid in the named encoding.
        case wrongEncoding(String)
        /// The input is compressed in a format that this build cannot read: the named package trait is off.
        case unsupportedCompression(JSONCompression)
        /// The compressed input ends inside of its data. The location is an offset in the compressed input.
        case truncatedCompression(JSONCompression)
        /// The compressed input is corrupt, for the given reason. The location is an offset in the compressed input.
        case corruptCompression(JSONCompression, String)
        /// A part of the input is longer or deeper than the ``JSONLimits`` allow.
        case limitExceeded(JSONLimits.Name, limit: Int)
        /// An object lacks keys that its model requires. The paths of all these keys start at the object.
        case missingKeys([String])
        /// A value is of another type than its property.
        case typeMismatch(expected: String, found: String)
        /// A required value is `null`.
        case nullValue(expected: String)
        /// A number is beyond the range of its property's type.
        case numberOutOfRange(type: String, text: String)
        /// A number has a fraction, and its property's type is an integer type.
        case notAnInteger(type: String, text: String)
        /// A value is of the right type but not valid for its property, for the given reason.
        case invalidValue(expected: String, reason: String)
        /// A key of an object cannot be converted to a key of its dictionary.
        case invalidKey(String, type: String)
        /// An object has a duplicate key, and duplicate keys are rejected; or a key that is canonically equivalent to another key of a Swift
        /// dictionary.
        case duplicateKey(String)
        /// An object has a key without a property in the model, and unknown keys are rejected or reported.
        case unknownKey(String)
        /// The input has no value at the requested path.
        case pathNotFound(JSONPath)
        /// The requested path is malformed, for the given reason.
        case invalidPath(String)
        /// The file is not that of the checkpoint from which it is read, for the given reason.
        case checkpointMismatch(String)
        /// The range of a file cannot be read, or its ends are not those of elements, for the given reason.
        case invalidRange(String)
        /// The input could not be read. The error number is that of the system.
        case unreadable(errno: Int32, String)
        /// A value has no JSON representation, for the given reason.
        case notEncodable(String)
        /// The output could not be written. The error number is that of the system.
        case unwritable(errno: Int32, String)
        /// No elements can be appended to the file, because its end is incomplete or it has another form, for the given reason.
        case notAppendable(String)
        /// A plan is unusable, or a type has no schema of the requested form, for the given reason.
        case invalidPlan(String)
        /// The installed libyajl is unusable. The string names the library to install.
        case unsupportedLibrary(String)
        /// Code of the client threw an error: ``JSONIssue/underlying``.
        case thrown
    }

    /// The kind of problem.
    public var kind: Kind
    /// The path of the value at fault.
    public var path: JSONPath
    /// The Swift property that receives the value.
    public var property: String?
    /// The model that declares the property.
    public var model: String?
    /// The location of the token at fault. Independent of the division of the input into chunks.
    public var location: JSONLocation
    /// The line of the input up to the end of the token at fault, with a caret in a second line. For a syntax error, the
    /// excerpt also shows bytes after the error, except for those that a pipe has not delivered yet.
    public var excerpt: String
    /// The position of the element among all elements of a stream, from 0, if an element failed.
    public var elementIndex: Int?
    /// A suggestion for the developer: the probable intention, or an option that would allow the value.
    public var hint: String? {
        get { statedHint ?? kind.advice }
        set { statedHint = newValue == kind.advice ? nil : newValue }
    }
    /// The hint, if it is not that of the kind.
    private var statedHint: String?
    /// The error that code of the client threw.
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
        self.underlying = underlying
        self.hint = hint
    }

    /// Returns the issue of a value that needs more of the thread's stack than is left. The issue is that of the depth limit.
    package static func stackUsedUp(_ depth: Int) -> JSONIssue {
        var issue = JSONIssue(kind: .limitExceeded(.depth, limit: depth), hint: stackHint)
        issue.isOfStack = true
        issue.location.line = 0
        return issue
    }

    /// The hint of an issue that the size of the thread's stack causes.
    static let stackHint = "use a thread with a larger stack"

    /// Whether the thread's stack, and not the limit of depth, caused the issue.
    package internal(set) var isOfStack = false

    /// The problem in one line, without its path, its property, its location and its hint, such as for the answer of a server, or for a form
    /// that shows the message at a field.
    public var message: String {
        if isOfStack { return "nesting is deeper than the stack of the thread allows" }
        return kind == .thrown ? underlying.map { ErrorText.text(of: $0) } ?? kind.problem : kind.problem
    }

    /// The problem, its location and its property, in one line.
    public var description: String {
        var text = message
        if let hint = statedHint { text += " (\(hint))" } else if let advice = kind.advice { text += ": \(advice)" }
        switch kind {
        case .invalidPlan, .unsupportedLibrary, .invalidPath:
            // The reason may begin with the model itself, or with a property of the model.
            if let model, !text.hasPrefix("\(model):"), !text.hasPrefix("\(model).") { text = "\(model): \(text)" }
            return text
        case .unwritable, .notAppendable, .checkpointMismatch, .invalidRange: return text
        case .unsupportedCompression: return text
        case .unreadable: return "\(text), after \(location.offset) bytes"
        case let kind where kind.isOfCompression:
            return "\(text), after \(location.offset) bytes of the compressed input"
        default: break
        }
        if case .pathNotFound = kind {} else { text += " at \(path.shortDescription)" }
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
    /// Whether the issue is one of compressed data, whose location is an offset in that data.
    var isOfCompression: Bool {
        switch self {
        case .truncatedCompression, .corruptCompression, .limitExceeded(.expansion, _),
            .limitExceeded(.decompressed, _), .limitExceeded(.window, _):
            true
        default: false
        }
    }

    /// Whether the input could not be read to its end.
    package var isOfReading: Bool { if case .unreadable = self { true } else { isOfCompression } }

    /// The hint of an issue without another hint.
    fileprivate var advice: String? {
        switch self {
        case .limitExceeded(.depth, JSONLimits.maximumDepth...): "JSONLimits.depth cannot be greater"
        case .limitExceeded(let name, _): "raise JSONLimits.\(name.rawValue) to allow it"
        case .unsupportedCompression(let format): "enable the package trait \(format.traitName)"
        default: nil
        }
    }

    /// The problem, without a hint.
    var problem: String {
        switch self {
        case .emptyInput: "the input contains no JSON"
        case .syntax(let how): how
        case .unexpectedEnd: "the text ends before its value does"
        case .trailingContent: "unexpected data after the top-level value"
        case .invalidUTF8: "a string is not well-formed UTF-8"
        case .loneSurrogate: "a \\u escape is half of a surrogate pair"
        case .unsupportedEncoding(let name): "the text is \(name), not UTF-8: convert it first"
        case .wrongEncoding(let name): "the text is not in the encoding \(name)"
        case .unsupportedCompression(let format):
            "the input or output is compressed with \(format.rawValue)"
        case .truncatedCompression(let format): "the data of \(format.rawValue) is incomplete"
        case .corruptCompression(let format, let why): "the data of \(format.rawValue) is corrupt (\(why))"
        case .limitExceeded(let name, let limit): "\(name.message) \(limit)"
        case .missingKeys(let keys):
            "missing \(keys.count == 1 ? "key" : "keys") \(keys.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .typeMismatch(let expected, let found): "expected \(expected), found \(found)"
        case .nullValue(let expected): "expected \(expected), found null"
        case .numberOutOfRange(let type, let text): "\(text) does not fit in \(type)"
        case .notAnInteger(let type, let text): "\(text) is not an integer, but \(type) is an integer type"
        case .invalidValue(let expected, let reason): "expected \(expected): \(reason)"
        case .invalidKey(let key, let type): "\"\(key)\" cannot be a key of type \(type)"
        case .duplicateKey(let key): "duplicate key \"\(key)\""
        case .unknownKey(let key): "unknown key \"\(key)\""
        case .pathNotFound(let path): "no value exists at the path \(path)"
        case .invalidPath(let why), .checkpointMismatch(let why), .invalidRange(let why), .notAppendable(let why):
            why
        case .unreadable(let errno, let what): "cannot read \(what): error \(errno)"
        case .notEncodable(let why): "cannot be encoded: \(why)"
        case .unwritable(0, let what): "cannot write \(what)"
        case .unwritable(let errno, let what): "cannot write \(what): error \(errno)"
        case .invalidPlan(let why): why
        case .unsupportedLibrary(let why): why
        case .thrown: "an error was thrown"
        }
    }
}

/// Returns the texts of errors that are those of Foundation's protocols.
package protocol ErrorTextMaking {
    /// Returns the text for a user; nil for an error without such a text.
    static func localizedText(of error: any Error) -> String?
}

/// The type that conforms to ``ErrorTextMaking`` in a program with Foundation.
package enum ErrorText {
    /// Returns the text of an error that the client's code threw.
    static func text(of error: any Error) -> String {
        (ErrorText.self as? any ErrorTextMaking.Type)?.localizedText(of: error) ?? "\(error)"
    }

    /// Returns the name of a type without the types around it, except for the partial type of a model: `Trip.Partial`.
    package static func name(of type: Any.Type) -> String {
        let name = String(describing: type)
        if name != "Partial" { return name }
        // The full name has the module, and the arguments of generic types.
        var depth = 0
        let names = String(reflecting: type).filter { character in
            if character == "<" { depth += 1 }
            defer { if character == ">" { depth -= 1 } }
            return depth == 0
        }.split(separator: ".")
        return names.count > 2 ? names.suffix(2).joined(separator: ".") : name
    }
}

extension JSONModelError {
    /// The reason why a scalar could not be converted to a value of a type.
    public enum ConversionFailure: Error, Equatable, Sendable {
        /// The scalar is of another kind: a string instead of a number.
        case mismatch
        /// The number is beyond the range of the type.
        case outOfRange
        /// The number has a fraction, and the type is an integer type.
        case notAnInteger
        /// The scalar is of the right kind but not a valid value, for the given reason. The hint may suggest a correction and
        /// becomes ``JSONIssue/hint``.
        case invalid(String, hint: String? = nil)
    }
}

/// The failure of a part of a value. The paths of the issues begin at the value, which gives them its location.
struct PartFailure: Error {
    let issues: [JSONIssue]

    /// Creates the failure of a whole value.
    init(_ kind: JSONIssue.Kind, hint: String? = nil) { issues = [JSONIssue(kind: kind, hint: hint)] }

    /// Creates the failure of a value that is decoded or encoded by itself.
    init(_ error: JSONModelError) { issues = error.issues }
}

extension JSONPath {
    /// Parses a path.
    ///
    /// - Throws: ``JSONModelError`` of the kind `invalidPath` if the string is not a path.
    public init(parsing text: String) throws(JSONModelError) {
        do { try self.init(checking: text) } catch {
            throw JSONModelError(.invalidPath(Self.message(about: text, error)))
        }
    }
}

extension JSONIssue {
    /// Returns an issue of a value, which has no location.
    package static func encoding(_ kind: Kind) -> JSONIssue {
        var issue = JSONIssue(kind: kind)
        issue.location.line = 0
        return issue
    }
}

import ArgumentParser
import Sluice
import Synchronization
import ToolSupport

/// The exit status of the process: 0, 1 if a file is not valid, or 2 if a file cannot be read.
enum Status {
    static let invalid = ExitCode(1)
    static let failure = ExitCode(2)

    private static let current = Mutex(ExitCode.success.rawValue)
    private static let failed = Mutex(false)

    /// The status so far.
    static var code: Int32 { current.withLock { $0 } }

    /// Whether an input was not read to its end because of an error.
    static var hasFailed: Bool { failed.withLock { $0 } }

    /// Changes the status to that of a failure, unless an earlier failure is worse.
    static func add(_ code: ExitCode) { current.withLock { $0 = max($0, code.rawValue) } }

    /// Reports the error that ended the input of a file, as `file:line:column: message`.
    ///
    /// - Throws: ``ClosedOutput`` or ``OutputFailure``, if that is the error.
    static func report(_ error: any Error, in file: String) throws {
        if error is ClosedOutput || error is OutputFailure { throw error }
        failed.withLock { $0 = true }
        guard let error = error as? JSONModelError else {
            if error is CleanExit || error is ExitCode || error is ValidationError { throw error }
            Terminal.note("\(file): \(error)")
            return add(failure)
        }
        for issue in error.issues {
            // The closure that receives an element throws the errors of the output, and that of the element's contents, with its own
            // location.
            if let inner = issue.underlying { try report(inner, in: file) } else { add(issue, in: file) }
        }
    }

    /// Reports issues in a file.
    static func add(_ error: JSONModelError, in file: String) {
        for issue in error.issues { add(issue, in: file) }
    }

    private static func add(_ issue: JSONIssue, in file: String) {
        switch issue.kind {
        case .unreadable(let number, let what):
            Terminal.note("\(what) (error \(number))")
            add(failure)
        case .unsupportedCompression, .invalidRange:
            Terminal.note("\(file): \(issue)")
            add(failure)
        default:
            let excerpt = issue.excerpt.isEmpty ? "" : "\n\(issue.excerpt)"
            // Compressed data has no lines.
            let location = issue.location.line > 0 ? "\(issue.location.line):\(issue.location.column):" : ""
            var message = issue
            // The location precedes the message.
            message.location.line = 0
            message.hint = hint(issue)
            Terminal.note("\(file):\(location) \(message)\(excerpt)")
            add(invalid)
        }
    }

    /// The option that allows what an issue rejects, or else the hint of the issue.
    private static func hint(_ issue: JSONIssue) -> String? {
        switch issue.kind {
        case .trailingContent where issue.hint == SyntaxDiagnosis.severalValuesHint:
            isFramingGiven ? nil : "--framing reads several values"
        case .trailingContent where issue.hint == SyntaxDiagnosis.severalValuesInLineHint:
            isFramingGiven ? nil : "--framing concatenated reads several values in a line"
        case .limitExceeded(.string, _): "--max-string allows more"
        // Other depths are limits that no option raises.
        case .limitExceeded(.depth, limit: ..<JSONLimits.maximumDepth)
        where issue.hint == JSONIssue(kind: issue.kind).hint:
            "--max-depth allows more"
        default: issue.hint
        }
    }

    private static var isFramingGiven: Bool { CommandLine.arguments.contains { $0.hasPrefix("--framing") } }

    /// Ends the command with the status of all files.
    static func finish() throws {
        if code != 0 { throw ExitCode(code) }
    }
}

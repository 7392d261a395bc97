import ArgumentParser
import Sluice

/// The exit status of a command that reads files: 0, 1 if a file is not valid, or 2 if a file cannot be read.
struct Status {
    static let invalid = ExitCode(1)
    static let failure = ExitCode(2)

    private var code: Int32 = 0

    /// Reports an error in a file as `file:line:column: message`.
    mutating func add(_ error: any Error, in file: String) {
        guard let error = error as? JSONModelError else {
            Terminal.note("\(file): \(error)")
            code = max(code, Self.failure.rawValue)
            return
        }
        for issue in error.issues {
            // The closure that receives an element throws the error of its contents, with its own location.
            if issue.underlying is JSONModelError, let inner = issue.underlying {
                add(inner, in: file)
                continue
            }
            if issue.underlying is ClosedOutput { ClosedOutput.exit() }
            if let error = issue.underlying as? OutputFailure {
                Terminal.note("\(error)")
                code = max(code, Self.failure.rawValue)
                continue
            }
            if case .unreadable(let number, let what) = issue.kind {
                Terminal.note("\(what) (error \(number))")
                code = max(code, Self.failure.rawValue)
                continue
            }
            if case .unsupportedCompression = issue.kind {
                Terminal.note("\(file): \(issue)")
                code = max(code, Self.failure.rawValue)
                continue
            }
            let excerpt = issue.excerpt.isEmpty ? "" : "\n\(issue.excerpt)"
            // Compressed data has no lines.
            let location = issue.location.line > 0 ? "\(issue.location.line):\(issue.location.column):" : ""
            Terminal.note("\(file):\(location) \(issue)\(excerpt)")
            code = max(code, Self.invalid.rawValue)
        }
    }

    /// Ends the command with the status of all files.
    func finish() throws {
        if code != 0 { throw ExitCode(code) }
    }
}

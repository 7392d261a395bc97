import Foundation
import Sluice
import ToolSupport

/// The output of a command: standard output or a file, with a buffer, because a system call for each line would take longer than
/// reading the input.
///
/// The thread that reads the input writes the output.
final class CommandOutput: @unchecked Sendable {
    /// The bytes that have not been written.
    var buffer: [UInt8] = []
    private let file: OutputFile
    private let isStandardOutput: Bool
    /// The error of a write during a pause, which the next write throws.
    private var failure: (any Error)?
    private let limit = 64 * 1024

    /// - Parameter path: The path of the file; nil for standard output.
    /// - Throws: ``OutputFailure``
    init(_ path: String?) throws {
        isStandardOutput = path == nil
        do { file = try path.map { try OutputFile($0) } ?? .standardOutput } catch {
            throw OutputFailure(error: error)
        }
    }

    /// Whether the output is shown on a terminal.
    var isTerminal: Bool { isStandardOutput && Terminal.isOutput }

    /// Whether the output has colors by default.
    var hasColors: Bool { isStandardOutput && Terminal.hasColors }

    /// Writes the buffer if it is long, and throws the error of a write during a pause.
    ///
    /// - Throws: ``ClosedOutput`` or ``OutputFailure``
    func flushIfLong() throws { if failure != nil || buffer.count >= limit { try flush() } }

    /// Writes the buffer.
    ///
    /// - Throws: ``ClosedOutput`` or ``OutputFailure``
    func flush() throws {
        if let failure { throw failure }
        defer { buffer.removeAll(keepingCapacity: true) }
        do { try buffer.withUnsafeBytes { try file.write($0) } } catch {
            let failure = OutputFailure(error: error)
            if isStandardOutput, failure.isOfClosedPipe { throw ClosedOutput() }
            throw failure
        }
    }

    /// Writes the buffer while the input is awaited. The next write throws an error.
    func flushAtPause() {
        guard failure == nil, !buffer.isEmpty else { return }
        do { try flush() } catch { failure = error }
    }

    /// Ends the output. A file is not changed if an error ended an input. Values that were reported and skipped are no such errors.
    ///
    /// - Throws: ``ClosedOutput`` or ``OutputFailure``
    func finish() throws {
        try flush()
        if Status.hasFailed { return }
        do { try file.commit() } catch { throw OutputFailure(error: error) }
    }
}

/// Writes to standard output without a buffer.
enum StandardOutput {
    /// Writes a text.
    ///
    /// - Throws: ``ClosedOutput`` or ``OutputFailure``
    static func write(_ text: String) throws {
        let output = try CommandOutput(nil)
        output.buffer.append(contentsOf: text.utf8)
        try output.flush()
    }
}

/// The output cannot be written.
struct OutputFailure: Error, CustomStringConvertible {
    let error: any Error

    /// The number of the system's error, and the name of the output with its message.
    private var cause: (number: Int32, message: String)? {
        guard case .unwritable(let number, let message) = (error as? JSONModelError)?.issues.first?.kind else {
            return nil
        }
        return (number, message)
    }

    var isOfClosedPipe: Bool { cause?.number == EPIPE }

    var description: String { cause.map { "\($0.message) (error \($0.number))" } ?? "\(error)" }
}

/// The reader of standard output has ended, as `head` does when it has enough lines.
struct ClosedOutput: Error {}

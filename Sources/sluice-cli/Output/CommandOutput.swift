import Foundation
import Sluice
import SystemPackage
import ToolSupport

/// The output of a command: standard output or a file, with a buffer, because a system call for each line would take longer than
/// reading the input.
///
/// The thread that reads the input writes the output.
final class CommandOutput: @unchecked Sendable {
    /// The bytes that have not been written.
    var buffer: [UInt8] = []
    private let file: OutputFile?
    private let path: String?
    /// The error of a write during a pause, which the next write throws.
    private var failure: (any Error)?
    private let limit = 64 * 1024

    /// - Parameter path: The path of the file; nil for standard output.
    /// - Throws: ``OutputFailure``
    init(_ path: String?) throws {
        self.path = path == "-" ? nil : path
        do { file = try self.path.map { try OutputFile($0) } } catch {
            throw OutputFailure(name: path ?? "", error: error)
        }
    }

    /// Whether the output is shown on a terminal.
    var isTerminal: Bool { file == nil && Terminal.isOutput }

    /// Whether the output has colors by default.
    var hasColors: Bool { file == nil && Terminal.hasColors }

    /// Writes the buffer if it is long.
    ///
    /// - Throws: ``ClosedOutput`` or ``OutputFailure``
    func flushIfLong() throws { if buffer.count >= limit { try flush() } }

    /// Writes the buffer.
    ///
    /// - Throws: ``ClosedOutput`` or ``OutputFailure``
    func flush() throws {
        if let failure { throw failure }
        defer { buffer.removeAll(keepingCapacity: true) }
        guard let file, let path else { return try StandardOutput.write(buffer) }
        do { try file.write(buffer) } catch { throw OutputFailure(name: path, error: error) }
    }

    /// Writes the buffer while the input is awaited. The next write throws an error.
    func flushAtPause() {
        guard failure == nil, !buffer.isEmpty else { return }
        do { try flush() } catch { failure = error }
    }

    /// Ends the output. A file is not changed if an input was not valid, unless that was reported and skipped.
    ///
    /// - Throws: ``ClosedOutput`` or ``OutputFailure``
    func finish(skipsErrors: Bool = false) throws {
        try flush()
        guard let file, let path, skipsErrors || Status.code == 0 else { return }
        do { try file.finish() } catch { throw OutputFailure(name: path, error: error) }
    }
}

/// Writes to standard output without a buffer.
enum StandardOutput {
    /// Writes all bytes.
    ///
    /// - Throws: `ClosedOutput` or `OutputFailure`.
    static func write(_ bytes: some Sequence<UInt8>) throws {
        do { _ = try FileDescriptor.standardOutput.writeAll(bytes) } catch Errno.brokenPipe {
            throw ClosedOutput()
        } catch {
            throw OutputFailure(name: "standard output", error: error)
        }
    }
}

/// The output cannot be written.
struct OutputFailure: Error, CustomStringConvertible {
    let name: String
    let error: any Error

    var description: String { "\(name): \(error)" }
}

/// The reader of standard output has ended, as `head` does when it has enough lines.
struct ClosedOutput: Error {}

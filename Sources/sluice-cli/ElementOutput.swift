import Foundation
import Sluice
import SystemPackage
import ToolSupport

/// Elements on standard output, with a buffer, because a system call for each line would take longer than reading the input.
final class ElementOutput {
    private var buffer: [UInt8] = []
    private let isArray: Bool
    private let isVerbatim: Bool
    private var isEmpty = true
    private let limit = 64 * 1024

    /// - Parameters:
    ///   - isArray: Whether the elements are printed as an array, not as lines.
    ///   - isVerbatim: Whether elements keep their white space.
    init(isArray: Bool, isVerbatim: Bool) {
        self.isArray = isArray
        self.isVerbatim = isVerbatim
    }

    /// Writes an element.
    func write(_ element: JSONRaw) throws {
        if isArray { buffer.append(contentsOf: isEmpty ? [UInt8(ascii: "["), 0x0A] : [UInt8(ascii: ","), 0x0A]) }
        isEmpty = false
        if isVerbatim {
            buffer.append(contentsOf: element.bytes)
        } else {
            CompactText.append(element.bytes, to: &buffer)
        }
        if !isArray { buffer.append(UInt8(ascii: "\n")) }
        if buffer.count >= limit { try flush() }
    }

    func flush() throws {
        try StandardOutput.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the output.
    func finish() throws {
        if isArray { buffer.append(contentsOf: Array((isEmpty ? "[]\n" : "\n]\n").utf8)) }
        try flush()
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
            throw OutputFailure(error: error)
        }
    }
}

/// Standard output cannot be written.
struct OutputFailure: Error, CustomStringConvertible {
    let error: any Error

    var description: String { "standard output: \(error)" }
}

/// The reader of standard output has ended, as `head` does when it has enough lines.
struct ClosedOutput: Error {
    /// Ends the command quietly.
    static func exit() -> Never { Foundation.exit(0) }
}

import ArgumentParser
import Sluice
import SystemPackage
import ToolSupport

/// Prints the elements at a path, one on each line.
struct ElementsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "elements",
        abstract: "Prints each element at a path on one line, in flat memory.",
        discussion: "For example: sluice elements 'items[*]' huge.json"
    )

    @Argument(help: "The path: a.b, a[0], items[*], users.*; [*] alone is the elements of a top-level array.")
    var path: String

    @Argument(help: "The file; - is standard input.")
    var file: String

    @Option(help: "Stop after this many.")
    var limit: Int?

    @Flag(help: "Print each element as it is in the file, with its white space and line breaks.")
    var verbatim = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() throws {
        let output = BufferedOutput(isVerbatim: verbatim)
        var left = limit ?? .max
        let print = { (element: JSONRaw) throws -> JSONStreamControl in
            try output.write(element)
            left -= 1
            return left == 0 ? .stop : .continue
        }
        do {
            try Input(file).forEach(at: JSONPath(parsing: path), print)
        } catch {
            // What was read before the error is good, and stands before the error.
            try output.flush()
            Terminal.note(file, error: error)
            throw ExitCode.failure
        }
        try output.flush()
    }
}

/// Standard output in large writes: a system call for each line would cost more than the reading.
private final class BufferedOutput {
    private var buffer: [UInt8] = []
    private let isVerbatim: Bool
    private let limit = 64 * 1024

    /// - Parameter isVerbatim: Whether elements keep their white space.
    init(isVerbatim: Bool) { self.isVerbatim = isVerbatim }

    /// Writes an element and a line break.
    func write(_ element: JSONRaw) throws {
        if isVerbatim {
            buffer.append(contentsOf: element.bytes)
        } else {
            CompactText.append(element.bytes, to: &buffer)
        }
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= limit { try flush() }
    }

    func flush() throws {
        _ = try FileDescriptor.standardOutput.writeAll(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}

import ArgumentParser
import Sluice
import SystemPackage
import ToolSupport

/// Prints the elements at a path, one per line.
struct ElementsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "elements",
        abstract: "Prints each element at a path on one line, in constant memory.",
        discussion: "For example: sluice elements 'items[*]' huge.json"
    )

    @Argument(
        help: "The path, such as a.b, a[0], items[*] or users.*; [*] selects the elements of a top-level array.")
    var path: String

    @Argument(help: "The file; - is standard input.")
    var file: String

    @Option(help: "The maximum number of elements.")
    var limit: Int?

    @Flag(help: "Print each element exactly as in the file, with white space and line breaks.")
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
            // Elements before the error are valid and are printed before the error.
            try output.flush()
            Terminal.note(file, error: error)
            throw ExitCode.failure
        }
        try output.flush()
    }
}

/// Standard output with a buffer, because a system call for each line would take longer than reading the input.
private final class BufferedOutput {
    private var buffer: [UInt8] = []
    private let isVerbatim: Bool
    private let limit = 64 * 1024

    /// Creates a buffer for standard output.
    ///
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

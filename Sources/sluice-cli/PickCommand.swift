import ArgumentParser
import Sluice
import ToolSupport

/// Prints the elements at a path, one per line.
struct PickCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pick",
        abstract: "Prints each element at a path on one line, in constant memory.",
        discussion: """
            For example: sluice pick 'items[*]' huge.json
                         sluice pick user.name --framing lines events.jsonl
            Files that are compressed with gzip or zstd are decompressed.
            The exit status is 0, or 1 if an input is not valid, or 2 if an input cannot be read. Elements before an error are
            printed.
            """
    )

    @Argument(
        help: """
            The path, such as a.b, a[0], items[*] or users.*; [*] selects the elements of a top-level array. A path without a
            wildcard is that of an array, or with --framing, that of one element in each value; $ is the value itself.
            """)
    var path: String

    @Argument(help: "The files; - is standard input.")
    var files: [String]

    @OptionGroup var options: InputOptions

    @Flag(help: "Print the number of elements instead of the elements.")
    var count = false

    @Option(help: "The maximum number of elements.")
    var limit: Int?

    @Option(help: "The number of elements to leave out before the first.")
    var skip = 0

    @Flag(help: "Print the elements as one array.")
    var array = false

    @Flag(help: "Print each element exactly as in the file, with white space and line breaks.")
    var verbatim = false

    func validate() throws {
        do { _ = try JSONPath(parsing: path) } catch { throw ValidationError("\(error)") }
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if skip < 0 { throw ValidationError("--skip must be 0 or more.") }
        if count, array || verbatim { throw ValidationError("--count prints no elements.") }
    }

    func run() throws {
        let output = ElementOutput(isArray: array, isVerbatim: verbatim)
        var status = Status()
        var number = 0
        let last = ElementCount.last(limit: limit, skip: skip)
        for file in files where number < last {
            do {
                try Input(file, options).forEach(JSONRaw.self, at: JSONPath(parsing: path)) { element in
                    number += 1
                    if number > skip, !count { try output.write(element) }
                    return number == last ? .stop : .continue
                }
            } catch {
                try output.flush()
                status.add(error, in: file)
            }
        }
        if count {
            try StandardOutput.write("\(max(number - skip, 0))\n".utf8)
        } else {
            try output.finish()
        }
        try status.finish()
    }
}

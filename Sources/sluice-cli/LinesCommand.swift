import ArgumentParser
import Sluice

/// Turns arrays into lines, and lines into an array.
struct LinesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines",
        abstract: "Turns arrays into JSON Lines, or back.",
        discussion: """
            For example: sluice lines array.json > rows.jsonl
                         sluice lines --reverse rows.jsonl > array.json
            Files that are compressed with gzip or zstd are decompressed.
            """
    )

    @Argument(help: "The files; - is standard input.")
    var files: [String]

    @OptionGroup var options: SourceOptions

    @Flag(help: "Turn lines into one array.")
    var reverse = false

    func run() throws {
        let output = ElementOutput(isArray: reverse, isVerbatim: false)
        var status = Status()
        for file in files {
            do {
                let input = Input(file, options.source, reverse ? .lines : .document)
                try input.forEach(JSONRaw.self, at: JSONPath(parsing: reverse ? "$" : "[*]")) { element in
                    try output.write(element)
                    return .continue
                }
            } catch {
                try output.flush()
                status.add(error, in: file)
            }
        }
        try output.finish()
        try status.finish()
    }
}

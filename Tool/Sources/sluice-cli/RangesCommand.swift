import ArgumentParser
import Sluice

/// Divides a file into ranges, which can be read independently of each other.
struct RangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ranges",
        abstract: "Divides the elements of a file into ranges for several processes or machines.",
        discussion: """
            For example: sluice ranges huge.json --at 'items[*]' --parts 64
            Each range is printed as an object on one line: the offsets `start` and `end`, the `index` of the first element, and the \
            `line` and `column` of the start. `sluice pick --range` reads such a range. The whole file is read once, and checked.
            """
    )

    @Argument(
        help:
            "The file, which is not compressed and not a pipe; - is standard input, which is also read without a file.",
        completion: .file())
    var file = Input.standardInput

    @Option(
        help:
            "The path of an array's elements, such as items[*]; the default is that of a top-level array, or in lines the values."
    )
    var at: PathArgument?

    @Option(help: "The greatest number of ranges.")
    var parts: Int

    @OptionGroup(title: "Input options") var input: InputOptions

    func validate() throws {
        if parts < 1 { throw ValidationError("--parts must be 1 or more.") }
    }

    func run() throws {
        do {
            for range in try Input(file, input, for: .parts, hasRanges: true).ranges(
                at: at?.path ?? JSONPath(), parts: parts)
            {
                try StandardOutput.write(
                    """
                    {"start":\(range.bytes.lowerBound),"end":\(range.bytes.upperBound),"index":\(range.index),\
                    "line":\(range.start.line),"column":\(range.start.column)}

                    """)
            }
        } catch {
            try Status.report(error, in: file)
        }
        try Status.finish()
    }
}

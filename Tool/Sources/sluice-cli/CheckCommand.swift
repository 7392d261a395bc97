import ArgumentParser
import Sluice
import ToolSupport

/// Checks files and reports the location of the first error in each, or of all errors in lines.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks JSON files of any size in constant memory.",
        discussion: """
            Files that are compressed with gzip or zstd are decompressed.
            The first error of a document is reported, and in lines, text sequences and events that of each value. Errors are written \
            to standard error as file:line:column: message. A file named .json has one value.
            The exit status is 0 if all files are valid, 1 if a file is not valid, and 2 if a file cannot be read.
            """
    )

    @OptionGroup var files: FileArguments

    @Flag(name: [.short, .long], help: "Print nothing for valid files.")
    var quiet = false

    @OptionGroup(title: "Input options") var input: InputOptions

    func run() throws {
        for file in files.names {
            do {
                let input = try Input(file, input, for: .values, isStrict: true, skipsErrors: true)
                let summary = try input.validate()
                if let summary, summary.skipped > 0 {
                    let all = summary.elements + summary.skipped
                    let values = input.framing == .lines ? "lines" : "values"
                    if all > 1 {
                        Terminal.note("\(file): \(summary.skipped.grouped) of \(all.grouped) \(values) are invalid")
                    }
                } else if !quiet {
                    try StandardOutput.write("\(file): OK\n")
                }
            } catch {
                try Status.report(error, in: file)
            }
        }
        try Status.finish()
    }
}

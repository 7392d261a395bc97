import ArgumentParser
import Sluice

/// Checks files and reports the location of the first error in each.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks JSON files of any size in constant memory.",
        discussion: """
            Files that are compressed with gzip or zstd are decompressed.
            The exit status is 0 if all files are valid, 1 if a file is not valid, and 2 if a file cannot be read. Errors are
            written to standard error as file:line:column: message.
            """
    )

    @Argument(help: "The files; - is standard input.")
    var files: [String]

    @OptionGroup var options: InputOptions

    @Flag(name: [.short, .long], help: "Print nothing for valid files.")
    var quiet = false

    func run() throws {
        var status = Status()
        for file in files {
            do { try Input(file, options).validate() } catch {
                status.add(error, in: file)
                continue
            }
            if !quiet { try StandardOutput.write("\(file): OK\n".utf8) }
        }
        try status.finish()
    }
}

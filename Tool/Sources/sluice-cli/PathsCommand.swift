import ArgumentParser
import Sluice
import ToolSupport

/// Prints each value with its path.
struct PathsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paths",
        abstract: "Prints the path and the value of each scalar on a line, in constant memory.",
        discussion: """
            For example: sluice paths package.json | grep license
            A line is 'owner.login = "lloyd"'. The path is one for `sluice pick`. Empty objects and arrays are printed, too. In lines and \
            other framings, the paths are those in each value.
            """
    )

    @OptionGroup var files: FileArguments
    @OptionGroup(title: "Output options") var output: OutputOptions
    @OptionGroup(title: "Input options") var input: InputOptions

    func run() throws {
        let output = try CommandOutput(output.path)
        let printer = PathPrinter { lines in
            output.buffer.append(contentsOf: lines)
            try output.flushIfLong()
        }
        for file in files.names {
            do { try Input(file, input, for: .document, to: output).printPaths(by: printer) } catch {
                output.flushAtPause()
                try Status.report(error, in: file)
            }
        }
        try output.finish()
        try Status.finish()
    }
}

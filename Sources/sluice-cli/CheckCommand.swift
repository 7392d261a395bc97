import ArgumentParser
import Sluice

/// Checks files and reports the location of the first error in each.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks JSON files of any size in constant memory.",
        discussion: "The exit code is 1 if a file is not valid JSON or cannot be read."
    )

    @Argument(help: "The files; - is standard input.")
    var files: [String]

    @Flag(name: [.short, .long], help: "Print nothing for valid files.")
    var quiet = false

    func run() throws {
        var bad = false
        for file in files {
            do {
                try Input(file).validate()
                if !quiet { print("\(file): OK") }
            } catch {
                bad = true
                Terminal.note(file, error: error)
            }
        }
        if bad { throw ExitCode.failure }
    }
}

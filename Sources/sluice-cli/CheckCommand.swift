import ArgumentParser
import Sluice

/// Says of each file whether it is JSON, and where it stops being so.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks JSON files of any size, in flat memory.",
        discussion: "Exits with 1 when any of them is not JSON or cannot be read."
    )

    @Argument(help: "The files; - is standard input.")
    var files: [String]

    @Flag(name: [.short, .long], help: "Say nothing of files that are well.")
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

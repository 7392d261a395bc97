import ArgumentParser
import Foundation
import ToolSupport

/// The command-line tool `sluice`, which offers features of the library as commands.
@main
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Checks, picks and converts JSON of any size.",
        version: ToolVersion.current,
        subcommands: [
            PickCommand.self, PathsCommand.self, CheckCommand.self, CanonicalCommand.self, RangesCommand.self,
            ModelCommand.self,
        ]
    )

    /// Runs the command. Usage errors have the exit status 2.
    static func main() {
        // A write to a closed pipe is then an error, which ends the tool quietly.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch is ClosedOutput {
            // The reader has what it needs. An earlier failure is still one.
            Foundation.exit(Status.code)
        } catch let error as OutputFailure {
            Terminal.note("\(error)")
            Foundation.exit(Status.failure.rawValue)
        } catch {
            let code = exitCode(for: error)
            if code == .validationFailure {
                Terminal.write(fullMessage(for: error) + "\n")
                Foundation.exit(Status.failure.rawValue)
            }
            exit(withError: error)
        }
    }
}

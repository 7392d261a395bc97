import ArgumentParser
import Foundation
import ToolSupport

/// The command-line tool `sluice`, which demonstrates the library and offers some of its features as commands.
@main
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Checks and splits JSON files of any size in constant memory.",
        version: ToolVersion.current,
        subcommands: [
            DemoCommand.self, MeasureCommand.self, GenerateCommand.self, CheckCommand.self, PickCommand.self,
            LinesCommand.self, RangesCommand.self, CanonicalCommand.self, ModelCommand.self,
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
            ClosedOutput.exit()
        } catch let error as OutputFailure {
            Terminal.note("\(error)")
            Foundation.exit(Status.failure.rawValue)
        } catch {
            let code = exitCode(for: error)
            if code == .validationFailure {
                FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
                Foundation.exit(Status.failure.rawValue)
            }
            exit(withError: error)
        }
    }
}

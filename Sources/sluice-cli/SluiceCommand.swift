import ArgumentParser
import ToolSupport

/// The command-line tool `sluice`, which demonstrates the library and offers some of its features as commands.
@main
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Checks and splits JSON files of any size in constant memory.",
        version: ToolVersion.current,
        subcommands: demonstration + [GenerateCommand.self, CheckCommand.self, ElementsCommand.self]
    )

    /// The commands of the demonstration, which need the macros.
    private static var demonstration: [any ParsableCommand.Type] {
        #if Macros
        [DemoCommand.self, MeasureCommand.self]
        #else
        []
        #endif
    }
}

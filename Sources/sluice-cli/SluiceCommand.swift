import ArgumentParser
import ToolSupport

/// The `sluice` tool: a demonstration of the library, and a few uses of it that need no program.
@main
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Reads JSON of any size in flat memory.",
        version: ToolVersion.current,
        subcommands: demonstration + [GenerateCommand.self, CheckCommand.self, ElementsCommand.self]
    )

    /// The demonstration shows the macros, so it is there with them.
    private static var demonstration: [any ParsableCommand.Type] {
        #if Macros
        [DemoCommand.self, MeasureCommand.self]
        #else
        []
        #endif
    }
}

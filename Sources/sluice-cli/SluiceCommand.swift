import ArgumentParser

/// The `sluice` tool: a demonstration of the library, and a few uses of it that need no program.
@main
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Reads JSON of any size in flat memory.",
        subcommands: [
            DemoCommand.self, GenerateCommand.self, CheckCommand.self, ElementsCommand.self, MeasureCommand.self,
        ]
    )
}

import ArgumentParser
import SluiceRecords
import SystemPackage
import ToolSupport

/// Writes generated records, the input of the demonstration.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes a JSON array of generated records.",
        discussion: "The same seed and size give the same bytes."
    )

    @Option(help: "The minimum size of the array, such as 256MB, 4GB or 16MiB.")
    var size: SizeArgument

    @Option(help: "The seed of the random contents.")
    var seed: UInt64 = 1

    @Option(
        name: [.short, .long], help: ArgumentHelp("The output file; - is standard output.", valueName: "file"))
    var output = "-"

    func run() throws {
        let generator = RecordGenerator(seed: seed, size: size.bytes)
        if output == "-" {
            try generator.write { piece in
                _ = try FileDescriptor.standardOutput.writeAll(piece)
            }
            return
        }
        let summary = try RecordFile.write(generator, to: output, progress: nil)
        Terminal.note("\(output): \(summary.records.grouped) records, \(Amount.megabytes(summary.bytes))")
    }
}

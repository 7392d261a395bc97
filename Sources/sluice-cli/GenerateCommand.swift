import ArgumentParser
import Records
import SystemPackage

/// Writes the generated records that the demonstration and the benchmarks read.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes a JSON array of made-up records, of any size.",
        discussion: "The same seed and size give the same bytes."
    )

    @Option(help: "How much to write: 256MB, 4GB, 16MiB.")
    var size: SizeArgument

    @Option(help: "Chooses the contents.")
    var seed: UInt64 = 1

    @Option(name: [.short, .long], help: ArgumentHelp("Where to; - is standard output.", valueName: "file"))
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

import ArgumentParser
import Foundation
import SluiceRecords
import ToolSupport

/// The program `sluice-demo`, which demonstrates the library and generates its input.
@main
struct SluiceDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice-demo",
        abstract: "Demonstrates Sluice, and generates records.",
        version: ToolVersion.current,
        subcommands: [DemoCommand.self, MeasureCommand.self, GenerateCommand.self],
        defaultSubcommand: DemoCommand.self
    )
}

extension SizeArgument: ExpressibleByArgument {}

/// Demonstrates the library with real tables and a large generated file.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Decodes real tables and a large generated file, and measures speed and memory."
    )

    @Option(help: "The size of the generated file, such as 256MB or 4GB.")
    var size = SizeArgument(bytes: 256_000_000)

    @Option(help: "The seed of the generated file.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The folder for the generated file and the chart.", valueName: "folder"))
    var out = ".build/demo"

    @Option(help: ArgumentHelp("The folder of the excerpts of the real tables.", valueName: "folder"))
    var fixtures = "Fixtures"

    func run() throws {
        print("1. Real data: the tables of Debian's iso-codes")
        try IsoCodes(fixtures: fixtures).run()

        print("\n2. A generated array of records, \(size)")
        let file = try RecordFile.prepare(RecordGenerator(seed: seed, size: size.bytes), in: out)
        var report = Report()
        for contender in Contender.allCases {
            if let reason = reasonToSkip(contender, file) {
                report.skipped.append((contender, reason))
                continue
            }
            if contender != .streamed { Terminal.hint("  Measuring \(contender.title) ...") }
            report.measurements.append(try Measurement.run(contender, on: file))
            Terminal.clearHint()
        }
        print("")
        print(report.text(width: Terminal.width))

        let picture = "\(out)/demo.svg"
        try SVGChart(report: report, subtitle: "\(size) of JSON records into Swift models").text
            .write(toFile: picture, atomically: true, encoding: .utf8)
        print("  The chart is in \(picture)")
        if !report.agrees { throw ValidationError("The contenders decoded different models.") }
    }

    /// Returns the reason to skip a contender, or nil if the memory is sufficient for its models.
    private func reasonToSkip(_ contender: Contender, _ file: RecordFile) -> String? {
        guard let needed = contender.memory(forFileOf: file.bytes) else { return nil }
        let available = ProcessMemory.available
        guard needed > available else { return nil }
        return "needs about \(Amount.megabytes(needed)), but only \(Amount.megabytes(available)) are available"
    }
}

#if Macros
import ArgumentParser
import Foundation
import Records

/// Shows what the library does, on real tables and on a large generated file.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Reads real tables and a large generated file into models, and measures it."
    )

    @Option(help: "The size of the generated file: 256MB, 4GB.")
    var size = SizeArgument(bytes: 256_000_000)

    @Option(help: "Chooses the contents of the generated file.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Where the generated file and the picture go.", valueName: "folder"))
    var out = ".build/demo"

    @Option(help: ArgumentHelp("Where the excerpts of the real tables are.", valueName: "folder"))
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
            if contender != .streamed { Terminal.hint("  \(contender.title) at work ...") }
            report.measurements.append(try Measurement.run(contender, on: file))
            Terminal.clearHint()
        }
        print("")
        print(report.text(width: Terminal.width))

        let picture = "\(out)/demo.svg"
        try SVGChart(report: report, subtitle: "\(size) of JSON records into Swift models").text
            .write(toFile: picture, atomically: true, encoding: .utf8)
        print("  The same as a picture: \(picture)")
        if !report.agrees { throw ValidationError("The contenders read different data.") }
    }

    /// Why a contender cannot take part: it holds the whole file's models, and there is no memory for them.
    private func reasonToSkip(_ contender: Contender, _ file: RecordFile) -> String? {
        guard let needed = contender.memory(forFileOf: file.bytes) else { return nil }
        let available = ProcessMemory.available
        guard needed > available else { return nil }
        return "needs about \(Amount.megabytes(needed)), \(Amount.megabytes(available)) are free"
    }
}
#endif

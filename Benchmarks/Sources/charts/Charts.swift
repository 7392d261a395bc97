import ArgumentParser
import Foundation

/// The command that measures with `floor`, and draws the results.
@main
struct Charts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charts", abstract: "Draws the measurements of floor as charts.",
        subcommands: [Measure.self, Draw.self])

    /// The modes of `floor` with their files of results.
    static let modes: [(file: String, flags: [String])] = [
        ("decode", []), ("encode", ["--encode"]), ("features", ["--features"]), ("validate", ["--validate"]),
        ("streams", ["--streams"]),
        ("workers", ["--workers"]), ("small", ["--small"]), ("cold", ["--cold"]), ("order", ["--order"]),
        ("memory", ["--memory", "--megabytes", "10", "100", "1000", "10000"]),
    ]
}

/// Runs the modes of `floor`, and writes a file of results for each.
struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures, which takes several minutes.")

    @Argument(help: "The program floor.")
    var floor: String

    @Argument(help: "The folder of the results.")
    var results: String

    @Option(help: "A mode to measure: \(Charts.modes.map(\.file).joined(separator: ", ")). The default is all.")
    var only: [String] = []

    func run() throws {
        let date = Date.now.formatted(.iso8601.year().month().day())
        for mode in Charts.modes where only.isEmpty || only.contains(mode.file) {
            FileHandle.standardError.write(Data("Measuring \(mode.file)\n".utf8))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: floor)
            process.arguments = ["--json"] + mode.flags
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let rows = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw ChartsError("floor \(mode.file) failed.") }
            let command =
                mode.flags.isEmpty ? "make floor" : "make floor FLAGS='\(mode.flags.joined(separator: " "))'"
            let conditions = try JSONEncoder().encode(
                ["machine": Machine.description, "command": command, "date": date])
            let file = URL(fileURLWithPath: results).appending(path: "\(mode.file).jsonl")
            try (conditions + Data("\n".utf8) + rows).write(to: file)
        }
    }
}

/// Draws the files of results.
struct Draw: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Draws the results that exist.")

    @Argument(help: "The folder of the results.")
    var results: String

    @Argument(help: "The folder of the charts.")
    var charts: String

    func run() throws {
        var page = """
            # Figures

            The results of `Scripts/measure.sh charts`, which measures with `make floor`. `Results` has the values, and the charts show them. Speeds
            and times are medians of interleaved rounds in one process, first calls are medians of processes, and the speeds on all cores are
            those of the shortest times. The speed of a machine varies between runs, so compare only figures of one chart. Decoding includes
            the release of the models.

            """
        for (name, make) in Self.drawings {
            let file = "\(results)/\(name).jsonl"
            guard FileManager.default.fileExists(atPath: file) else { continue }
            let chart = try make(Results(file: file))
            for (suffix, theme) in [("light", Theme.light), ("dark", .dark)] {
                let path = "\(charts)/\(chart.name)-\(suffix).svg"
                try SVG.text(of: chart, theme).write(toFile: path, atomically: true, encoding: .utf8)
            }
            page += """

                ## \(chart.title)

                <picture><source media="(prefers-color-scheme: dark)" srcset="Charts/\(chart.name)-dark.svg"><img alt="\(chart.title)" src="Charts/\(chart.name)-light.svg"></picture>

                \(chart.unit). \(chart.conditions.text).

                """
        }
        try page.write(
            to: URL(fileURLWithPath: charts).deletingLastPathComponent().appending(path: "FIGURES.md"),
            atomically: true, encoding: .utf8)
    }

    private static let drawings: [(String, @Sendable (Results) throws -> Chart)] = [
        ("decode", Chart.decoding), ("decode", Chart.features), ("encode", Chart.encoding),
        ("features", Chart.shares),
        ("validate", Chart.validation),
        ("memory", Chart.memory), ("streams", Chart.streams), ("workers", Chart.workers),
        ("small", Chart.smallCalls),
        ("cold", Chart.firstCalls), ("order", Chart.orders), ("cost", Chart.compilation),
    ]
}

/// The machine of a measurement.
private enum Machine {
    static var description: String {
        let info = ProcessInfo.processInfo
        let memory = (Double(info.physicalMemory) / 1e9).text(decimals: 0)
        return "\(processor), \(info.processorCount) cores, \(memory) GB, \(system), Swift \(swift)"
    }

    private static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line.flatMap { $0.split(separator: ":").last }.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? "an unnamed processor"
    }

    private static var system: String {
        #if os(Linux)
        "Linux"
        #else
        ProcessInfo.processInfo.operatingSystemVersionString
        #endif
    }

    private static var swift: String {
        #if compiler(>=6.4)
        "6.4 or later"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }
}

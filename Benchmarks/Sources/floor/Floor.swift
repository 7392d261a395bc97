import ArgumentParser
import Foundation
import Sluice

/// Who makes the tokens that Sluice reads.
enum Source: String, ExpressibleByArgument, CaseIterable {
    case yajl, scanner

    var decoder: JSONModelDecoder {
        var decoder = JSONModelDecoder()
        decoder.source = self == .yajl ? .yajl : .scanner
        return decoder
    }
}

/// Measures Sluice against bare yajl, and against what it stands in for, Foundation's
/// `JSONDecoder`: the same texts to the same models, in one process.
@main
struct Floor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor",
        abstract: "Measures bare yajl, Sluice and Foundation's JSONDecoder on the same texts."
    )

    @Option(help: "The folder of twitter.json, canada.json and citm_catalog.json; SLUICE_CORPUS by default.")
    var corpus: String?

    @Option(help: "How often each is measured, 7 or more.")
    var rounds = 9

    @Option(help: "One corpus alone: \(Corpus.names.joined(separator: ", ")).")
    var only: [String] = []

    @Option(help: "One source of tokens alone: yajl, scanner.")
    var source: [Source] = Source.allCases

    @Flag(help: "Print an object a line, and nothing else, on standard output.")
    var json = false

    @Flag(help: "Measure peak memory over a short and a long stream instead.")
    var memory = false

    @Option(help: .hidden)
    var streamPeak: String?

    func validate() throws {
        guard rounds >= 7 else {
            throw ValidationError("--rounds must be 7 or more: medians of fewer mean little.")
        }
        for name in only where !Corpus.names.contains(name) {
            throw ValidationError("There is no corpus \(name): \(Corpus.names.joined(separator: ", ")).")
        }
    }

    func run() throws {
        if let streamPeak { return try StreamMemory.child(streamPeak) }
        let scratch = try Scratch()
        let output = Output(json: json)
        if memory { return try StreamMemory(scratch: scratch, output: output).run() }

        let environment = ProcessInfo.processInfo.environment["SLUICE_CORPUS"].flatMap { $0.isEmpty ? nil : $0 }
        let folder = corpus ?? environment
        var isFirst = true
        for name in only.isEmpty ? Corpus.names : only {
            guard let corpus = try Corpus.load(name, sources: source, folder: folder, scratch: scratch) else {
                let place = folder.map { "in \($0)" } ?? "known: give --corpus or set SLUICE_CORPUS"
                output.note("\(name) left out: no \(name).json \(place).")
                continue
            }
            if isFirst { output.header(rounds: rounds) }
            isFirst = false
            for result in try Rounds(count: rounds).measure(corpus) { output.result(result) }
        }
    }
}

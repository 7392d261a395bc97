import ArgumentParser
import Foundation
import Sluice

/// The token source of Sluice.
enum Source: String, ExpressibleByArgument, CaseIterable {
    case yajl, scanner

    var decoder: JSONModelDecoder {
        var decoder = JSONModelDecoder()
        decoder.source = self == .yajl ? .yajl : .scanner
        return decoder
    }
}

/// The command that compares Sluice with bare yajl and with Foundation's `JSONDecoder`.
///
/// All of them parse the same documents in one process. Sluice and Foundation decode the same models.
@main
struct Floor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor",
        abstract: "Measures bare yajl, Sluice and Foundation's JSONDecoder with the same documents."
    )

    @Option(help: "The folder of twitter.json, canada.json and citm_catalog.json. The default is SLUICE_CORPUS.")
    var corpus: String?

    @Option(help: "The number of rounds, at least 7.")
    var rounds = 9

    @Option(help: "A corpus to measure: \(Corpus.names.joined(separator: ", ")). The default is all.")
    var only: [String] = []

    @Option(help: "A token source to measure: yajl or scanner. The default is both.")
    var source: [Source] = Source.allCases

    @Flag(help: "Print one JSON object per line to standard output, and nothing else.")
    var json = false

    @Flag(help: "Measure encoding instead, compared with Foundation's JSONEncoder.")
    var encode = false

    @Flag(name: .customLong("validate"), help: "Measure validation instead, compared with JSONSerialization.")
    var validation = false

    @Flag(help: "Measure the peak memory of a short and a long stream instead.")
    var memory = false

    @Option(parsing: .upToNextOption, help: "The sizes of the streams whose memory is measured, in MB.")
    var megabytes: [UInt64] = [1, 256]

    @Flag(help: "Measure calls that decode a short document instead.")
    var small = false

    @Flag(help: "Measure decoding on two threads instead, compared with one thread.")
    var threads = false

    @Flag(help: "Measure streams that all cores decode instead, compared with one thread.")
    var workers = false

    @Flag(help: "Measure the first use of a type instead, in processes of its own, which takes a minute.")
    var cold = false

    @Flag(help: "Measure values without a model instead, compared with JSONSerialization.")
    var values = false

    @Flag(help: "Measure documents whose keys are not in declared order instead.")
    var order = false

    @Flag(help: "Measure the ways to read the elements of a stream instead.")
    var streams = false

    @Flag(help: "Measure SluiceJSONDecoder and SluiceJSONEncoder instead, with Codable types that have no plan.")
    var codable = false

    @Flag(help: "Measure models with one feature each instead, compared with a plain model and with Foundation.")
    var features = false

    @Flag(
        help:
            "Measure values that are read while their text arrives instead, compared with Foundation on completed prefixes."
    )
    var live = false

    @Flag(help: "Count the instructions of every measurement instead, with valgrind, which takes minutes.")
    var instructions = false

    @Option(
        help:
            "A part of the names of the rows that are counted, or of --features, --live or --workers. The default is all."
    )
    var row = ""

    @Option(help: "A file of counts, which the rows may exceed by 3 %: the output of --instructions --json.")
    var limits: String?

    @Option(help: .hidden)
    var streamPeak: String?

    @Option(help: .hidden)
    var streamDecoder = StreamMemory.Decoder.sluice

    @Option(help: .hidden)
    var firstCalls: String?

    @Option(help: .hidden)
    var library: String?

    @Flag(help: .hidden)
    var countedRows = false

    func validate() throws {
        guard rounds >= 7 else {
            throw ValidationError("--rounds must be at least 7, because medians of fewer rounds are unreliable.")
        }
        guard megabytes.count > 1, megabytes == megabytes.sorted(), megabytes[0] > 0 else {
            throw ValidationError("--megabytes needs two sizes or more, in ascending order.")
        }
        for name in only where !Corpus.names.contains(name) {
            throw ValidationError("Unknown corpus \(name). The names are \(Corpus.names.joined(separator: ", ")).")
        }
    }

    func run() throws {
        if let streamPeak { return try StreamMemory.child(streamPeak, streamDecoder) }
        if let way = firstCalls.flatMap({ Cold.Way(rawValue: $0) }) { return try Cold.child(way, library: library) }
        let scratch = try Scratch()
        let output = Output(json: json)
        if memory { return try StreamMemory(megabytes: megabytes, scratch: scratch, output: output).run() }
        if small { return try measureSmallCalls(output) }
        if threads { return try measureThreads(scratch, output) }
        if cold { return try Cold(scratch: scratch, output: output).run(rounds: rounds) }
        if order { return try measureOrders(output) }
        if workers { return try measureWorkers(scratch, output) }
        if streams { return try measureStreams(scratch, output) }
        if features { return try measureFeatures(output) }
        if live { return try measureLive(output) }

        let environment = ProcessInfo.processInfo.environment["SLUICE_CORPUS"].flatMap { $0.isEmpty ? nil : $0 }
        let folder = corpus ?? environment
        let rows = try Instructions(
            folder: folder, corpora: only, sources: source, name: row, limits: limits.map { try Limits(file: $0) },
            scratch: scratch, output: output)
        if countedRows { return try rows.perform() }
        if instructions { return try rows.count() }
        if encode { return try measureWriting(folder: folder, output) }
        if validation { return try measureValidation(folder: folder, output) }
        if values { return try measureValues(folder: folder, output) }
        if codable { return try measureCodable(folder: folder, output) }
        var isFirst = true
        for name in only.isEmpty ? Corpus.names : only {
            guard let corpus = try Corpus.load(name, sources: source, folder: folder, scratch: scratch) else {
                let place = folder.map { "no \(name).json in \($0)" } ?? "use --corpus or set SLUICE_CORPUS"
                output.note("\(name) skipped: \(place).")
                continue
            }
            if isFirst { output.header(rounds: rounds) }
            isFirst = false
            for result in try Rounds(count: rounds).measure(corpus) { output.result(result) }
        }
    }

    private func measureSmallCalls(_ output: Output) throws {
        for document in try SmallCalls.all(source) {
            let times = try document.measure(rounds: rounds)
            for (way, time) in zip(document.ways, times) {
                output.smallCall(document, way.name, time: time, foundation: times[times.count - 1])
            }
        }
    }

    private func measureThreads(_ scratch: Scratch, _ output: Output) throws {
        for source in source {
            for workload in try Threads.all(source, scratch: scratch) {
                output.threads(workload, source, multiple: try workload.measure(rounds: rounds))
            }
        }
    }

    private func measureWorkers(_ scratch: Scratch, _ output: Output) throws {
        for source in source {
            for way in try Workers.all(source, scratch: scratch) where row.isEmpty || way.name.contains(row) {
                output.workers(way, source, multiple: try way.measure(rounds: rounds))
            }
        }
    }

    private func measureValues(folder: String?, _ output: Output) throws {
        output.valuesHeader(rounds: rounds)
        for row in try Values.all(folder: folder, output) {
            let times = try row.measure(rounds: rounds)
            output.values(row, time: times.sluice, base: times.base)
        }
    }

    private func measureValidation(folder: String?, _ output: Output) throws {
        output.validationHeader(rounds: rounds)
        for document in Validation.all(folder: folder, output) {
            let speeds = try document.measure(source, rounds: rounds)
            for (source, speed) in zip(source, speeds.sluice) {
                output.validation(document, source, speed, bare: speeds.bare, foundation: speeds.foundation)
            }
        }
    }

    private func measureOrders(_ output: Output) throws {
        for orders in source.flatMap({ Orders.all($0) }) {
            for row in try orders.measure(rounds: rounds) {
                output.order(row.name, orders.source, share: row.share, goal: row.goal)
            }
        }
    }

    private func measureStreams(_ scratch: Scratch, _ output: Output) throws {
        for source in source {
            let streams = try Streams(source, scratch: scratch)
            for (way, share) in zip(streams.ways, try streams.measure(rounds: rounds)) {
                output.stream(way, source, share: share)
            }
        }
    }

    private func measureFeatures(_ output: Output) throws {
        output.featuresHeader(rounds: rounds)
        let rows = try Features.all()
        for feature in rows where row.isEmpty || feature.name.contains(row) {
            output.feature(feature, source, try feature.measure(source, plain: rows[0], rounds: rounds))
        }
    }

    private func measureLive(_ output: Output) throws {
        output.liveHeader()
        for source in source {
            for row in Live.goals(source) where self.row.isEmpty || row.name.contains(self.row) {
                let times = try [row.dropped, row.held, row.pushed].map { try Live.shortestTime($0) }
                output.live(row, source, dropped: times[0], held: times[1], pushed: times[2])
            }
        }
        output.liveScalingHeader(LiveScaling.sizes)
        for source in source {
            for row in LiveScaling.all(source)
            where self.row.isEmpty || "\(row.text) \(row.name)".contains(self.row) {
                output.liveScaling(row, source.rawValue, try row.measure())
            }
        }
        for row in LiveScaling.foundation where self.row.isEmpty || "\(row.text) \(row.name)".contains(self.row) {
            output.liveScaling(row, "", try row.measure())
        }
    }

    private func measureCodable(folder: String?, _ output: Output) throws {
        output.codableHeader(rounds: rounds)
        for row in try CodableRow.all(folder: folder, output) {
            let times = try row.measure(rounds: rounds)
            output.codable(row, sluice: times.sluice, foundation: times.foundation)
        }
    }

    private func measureWriting(folder: String?, _ output: Output) throws {
        output.writingHeader(rounds: rounds)
        for name in Writing.names where only.isEmpty || only.contains(name) {
            guard let writing = try Writing.load(name, folder: folder) else {
                output.note("\(name) skipped: use --corpus or set SLUICE_CORPUS.")
                continue
            }
            let speeds = try writing.measure(rounds: rounds)
            output.writing(writing, sluice: speeds.sluice, foundation: speeds.foundation, copy: speeds.copy)
        }
    }
}

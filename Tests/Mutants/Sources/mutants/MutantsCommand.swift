import ArgumentParser
import Foundation
import Schemata

/// Measures the share of small faults in the sources that a test finds.
@main
struct MutantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutants",
        abstract: "Changes the sources in small ways, and lists the changes that no test finds.")

    @Option(help: "The checkout.")
    var checkout = "."
    @Option(help: "The folder of the copy, of its build and of the results.")
    var scratch = ".build-mutants"
    @Option(
        name: .customLong("folder"),
        help:
            "A folder whose faults are run: \(WorkCopy.folders.map(\.0).joined(separator: ", ")). All without the option."
    )
    var folders: [String] = []
    @Option(
        help:
            "A text in the file and line of the faults that are run, such as Kernels.swift:12. All without the option."
    )
    var at: [String] = []
    @Option(
        name: .customLong("tests"),
        help: "A text in the names of the tests that are run, such as NumberTests. All without the option.")
    var tests: [String] = []
    @Option(help: "The number of faults that are drawn from each folder.")
    var sample: Int?
    @Option(help: "The seed of the sample.")
    var seed: UInt64 = 1
    @Option(help: "The number of processes.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "The time after which no more faults are run, in minutes.")
    var minutes: Double = .infinity
    @Option(
        help:
            "The longest duration of the tests that are run, in seconds. Longer ones are run only for faults that no others reach."
    )
    var longest = 5.0
    @Option(help: "The duration of tests after which no more are run for a fault, in seconds.")
    var effort: Double = .infinity
    @Option(help: "The longest time of the recording of a test, in seconds. Tests that take longer are left out.")
    var recording = 300.0
    @Option(help: "The command of Swift.")
    var swift = "swift"
    @Flag(help: "Also writes `+` in place of `&+`.")
    var overflow = false
    @Flag(help: "Runs survivors again.")
    var again = false
    @Flag(help: "Runs only the tests that have been recorded, if the recording was interrupted.")
    var recordedOnly = false
    @Flag(help: "Only reports the results of earlier runs.")
    var reportOnly = false
    @Flag(help: "Only lists the faults.")
    var list = false

    func validate() throws {
        let known = WorkCopy.folders.map(\.0)
        for name in folders where !known.contains(name) {
            throw ValidationError("No folder has the name '\(name)': \(known.joined(separator: ", ")).")
        }
    }

    mutating func run() throws {
        let root = URL(filePath: checkout).standardizedFileURL
        let scratch = URL(filePath: scratch).standardizedFileURL
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        let copy = WorkCopy(
            of: root, in: scratch,
            kinds: overflow ? MutatedSource.defaultKinds.union([.overflow]) : MutatedSource.defaultKinds,
            folders: folders)
        if list {
            try copy.findFaults()
            for mutant in copy.mutants() { print("\(mutant.place): \(mutant.kind.rawValue): \(mutant.change)") }
            return
        }
        try copy.update()
        if !reportOnly { try copy.build(swift) } else { copy.dropKnown() }

        let resultFile = scratch.appending(path: "results.json")
        // The builds of other folders have other recordings.
        let piece = folders.sorted().map { "-\($0)" }.joined()
        let recordingFile = scratch.appending(path: "recording\(piece).json")
        var record =
            (try? JSONDecoder().decode(Recording.self, from: Data(contentsOf: recordingFile))) ?? Recording()
        var variables: [String: String] = [:]
        if let suites = ProcessInfo.processInfo.environment["SLUICE_SUITES"] { variables["SLUICE_SUITES"] = suites }
        let bundle = TestBundle(program: copy.tests, kernels: copy.kernels, environment: variables)
        if !reportOnly {
            if !recordedOnly {
                try record.complete(
                    with: bundle, matching: tests, limit: recording, sources: copy.identity, jobs: jobs,
                    scratch: scratch,
                    file: recordingFile)
            }
            if !tests.isEmpty {
                record.tests.removeAll { test in !tests.contains(where: test.name.contains) }
            }
            for name in record.failing { report("Without a fault, this test fails: \(name)") }
            for name in record.long.keys.sorted() { report("This test takes too long, and is left out: \(name)") }
        }

        let chosen = choose(copy.mutants())
        let known = (try? JSONDecoder().decode([String: Verdict].self, from: Data(contentsOf: resultFile))) ?? [:]
        let results = Shared(known)
        if !reportOnly {
            try runMutants(
                chosen, MutantRun(bundle, record, longest: longest, effort: effort), results, resultFile)
        }
        let verdicts = results.value
        let complete = chosen.compactMap { mutant in verdicts[mutant.key].map { (mutant, $0) } }
        if complete.count < chosen.count { print("\(chosen.count - complete.count) faults have not been run.\n") }
        Report(mutants: complete).write()
        print("\(copy.dropCount) faults do not compile.")
    }

    private func choose(_ mutants: [Mutant]) -> [Mutant] {
        var chosen: [Mutant] = []
        for (name, _) in WorkCopy.folders where folders.isEmpty || folders.contains(name) {
            var group = mutants.filter { mutant in
                mutant.folder == name && (at.isEmpty || at.contains { mutant.place.contains($0) })
            }
            if let sample {
                // The order depends on the fault and the seed, not on other faults.
                group.sort { hash("\(seed) \($0.key)") < hash("\(seed) \($1.key)") }
                group = Array(group.prefix(sample)).sorted { $0.number < $1.number }
            }
            chosen += group
        }
        return chosen
    }

    private func runMutants(
        _ mutants: [Mutant], _ run: MutantRun, _ results: Shared<[String: Verdict]>, _ file: URL
    ) throws {
        let known = results.value
        let isAgain = again
        var pending = mutants.filter { mutant in
            guard let verdict = known[mutant.key] else { return true }
            if verdict.result.isKilled { return false }
            // New tests may find a survivor.
            return isAgain || verdict.tests != run.testsIdentity(of: mutant)
        }
        // Neighbors in different processes at the same time would not learn from each other. After an interruption, all folders
        // have results.
        pending.sort { hash("\(seed) \($0.key)") < hash("\(seed) \($1.key)") }
        guard !pending.isEmpty else { return }
        report("Running \(pending.count) faults.")
        let work = pending
        let progress = Progress(work.count)
        let saved = Shared(now())
        let end = now() + minutes * 60
        try parallel(work.count, jobs: jobs) { index in
            if now() > end { return }
            let verdict = try run.verdict(of: work[index])
            results.update { $0[work[index].key] = verdict }
            let isDue = saved.update { time in
                guard now() - time > 10 else { return false }
                time = now()
                return true
            }
            if isDue { try JSONEncoder().encode(results.value).write(to: file, options: .atomic) }
            progress.advance(", \(results.value.values.count { !$0.result.isKilled }) survivors")
        }
        try JSONEncoder().encode(results.value).write(to: file, options: .atomic)
    }
}

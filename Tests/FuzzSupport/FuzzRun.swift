import Foundation
import Sluice
import Synchronization
import TestSupport

/// Runs cases one after another and keeps the first finding of each kind.
struct FuzzRun {
    /// The first finding of a kind, with its case and its reduced document.
    struct Failure {
        let description: String
        var count = 1
    }

    private(set) var failures: [String: Failure] = [:]
    private(set) var cases = 0
    private(set) var validCases = 0
    /// The random types of which the plans were refused.
    private(set) var refusedPlans: Set<String> = []
    private let journal = FuzzJournal()
    /// Findings are reduced unless the run is short.
    let reduces: Bool

    init(reduces: Bool) { self.reduces = reduces }

    /// Ends the run.
    func close() { journal.close() }

    /// The number of cases for each document of many levels.
    static var deepCaseDistance: UInt64 { 20 }

    private mutating func add(_ key: String, _ description: @autoclosure () -> String) {
        if failures[key] != nil {
            failures[key]?.count += 1
        } else {
            failures[key] = Failure(description: description())
        }
    }

    mutating func run(seed: UInt64) {
        let reduces = reduces
        journal.begin(seed)
        let fuzzCase = FuzzCase(seed: seed)
        cases += 1
        if fuzzCase.isValid { validCases += 1 }
        refusedPlans.formUnion(fuzzCase.refusedPlans)
        // Each call of every verb takes longer than many cases.
        if seed % Self.deepCaseDistance == 0 {
            for finding in DeepCase(seed: seed).findings() { add(finding.kind, finding.detail) }
        }
        for finding in fuzzCase.findings() {
            let key = "\(finding.kind), \(fuzzCase.subject.name)"
            add(key, reduces ? fuzzCase.reduced(finding) : fuzzCase.description(finding))
        }
    }
}

/// Notes the case at hand in the file that `SLUICE_FUZZ_JOURNAL` names, so that it is known after a crash, and ends the
/// process where a case does not end.
struct FuzzJournal {
    private static let current = Mutex<(seed: UInt64, start: ContinuousClock.Instant)?>(nil)
    private let file: FileHandle?

    init() {
        let path = TestEnvironment.text("SLUICE_FUZZ_JOURNAL")
        file = path.flatMap {
            FileManager.default.createFile(atPath: $0, contents: nil) ? FileHandle(forWritingAtPath: $0) : nil
        }
        if file != nil { Self.watch() }
    }

    func begin(_ seed: UInt64) {
        guard let file else { return }
        Self.current.withLock { $0 = (seed, .now) }
        let line = "SLUICE_FUZZ_CASE=\(seed)"
        // One write of a fixed length replaces the case before.
        let padding = String(repeating: " ", count: max(0, 40 - line.utf8.count))
        try? file.seek(toOffset: 0)
        try? file.write(contentsOf: Data("\(line)\(padding)\n".utf8))
    }

    /// Empties the journal: the run has come to its end.
    func close() {
        Self.current.withLock { $0 = nil }
        try? file?.truncate(atOffset: 0)
    }

    private static func watch() {
        Thread.detachNewThread {
            while true {
                Thread.sleep(forTimeInterval: 1)
                guard let (seed, start) = current.withLock({ $0 }), .now - start > .seconds(120) else { continue }
                print("SLUICE_FUZZ_CASE=\(seed): the case does not end")
                abort()
            }
        }
    }
}

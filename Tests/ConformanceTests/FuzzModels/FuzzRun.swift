import Foundation
import Sluice
import Synchronization

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
    private var journal = FuzzJournal()
    /// Findings are reduced unless the run is short.
    let reduces: Bool

    init(reduces: Bool) { self.reduces = reduces }

    mutating func run(seed: UInt64) {
        journal.begin(seed)
        defer { journal.end() }
        let fuzzCase = FuzzCase(seed: seed)
        cases += 1
        if fuzzCase.isValid { validCases += 1 }
        for finding in fuzzCase.findings() {
            let key = "\(finding.kind), \(fuzzCase.subject.name)"
            if failures[key] != nil {
                failures[key]?.count += 1
                continue
            }
            let failure = reduces ? fuzzCase.reduced(finding) : fuzzCase.description(finding)
            failures[key] = Failure(description: failure)
        }
    }
}

/// Notes the case at hand, so that it is known after a crash, and ends the process where a case hangs.
struct FuzzJournal {
    private static let current = Mutex<(seed: UInt64, start: ContinuousClock.Instant)?>(nil)
    private let file: FileHandle?

    init() {
        let path = ProcessInfo.processInfo.environment["SLUICE_FUZZ_JOURNAL"]
        file = path.flatMap {
            FileManager.default.createFile(atPath: $0, contents: nil) ? FileHandle(forWritingAtPath: $0) : nil
        }
        if file != nil { Self.watch() }
    }

    mutating func begin(_ seed: UInt64) {
        guard let file else { return }
        Self.current.withLock { $0 = (seed, .now) }
        try? file.seek(toOffset: 0)
        // One write of a fixed length replaces the case before.
        let line = "SLUICE_FUZZ_CASE=\(seed)"
        try? file.write(contentsOf: Data((line + String(repeating: " ", count: max(0, 60 - line.count)) + "\n").utf8))
    }

    mutating func end() {
        guard file != nil else { return }
        Self.current.withLock { $0 = nil }
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

import Foundation

/// The verdict about a mutant.
struct Verdict: Codable, Sendable {
    enum Result: String, Codable, Sendable {
        /// A test failed.
        case failed
        /// The process of the tests crashed.
        case crashed
        /// The tests did not end within the limit.
        case timeout
        /// No test failed.
        case survived
        /// No test reaches the fault.
        case unreached

        var isKilled: Bool { self == .failed || self == .crashed || self == .timeout }
    }

    var result: Result
    /// For a survivor: identifies the tests that did not find the fault.
    var tests: String
    /// A test that found the fault, if one was determined.
    var killer: String?
}

/// Runs mutants, each up to the first test that fails.
final class MutantRun: Sendable {
    private let bundle: TestBundle
    private let tests: [Test]
    /// The indices of the tests that reach a number.
    private let reaching: [Int32: [Int]]
    /// The tests that found faults last, by file.
    private let killers = Shared<[String: [Int]]>([:])
    /// The largest part of a process's duration that is its start.
    private let startUp: Double
    private let longest: Double
    private let effort: Double

    /// - Parameters:
    ///   - longest: The longest duration of a test in seconds. Longer tests are run only if no others reach a fault.
    ///   - effort: The duration of the tests after which no more are run for a fault, in seconds.
    init(_ bundle: TestBundle, _ recording: Recording, longest: Double, effort: Double) {
        self.bundle = bundle
        self.longest = longest
        self.effort = effort
        tests = recording.tests
        startUp = recording.tests.map(\.duration).min() ?? 0
        var reaching: [Int32: [Int]] = [:]
        for (index, test) in recording.tests.enumerated() {
            for number in test.reached { reaching[number, default: []].append(index) }
        }
        self.reaching = reaching
    }

    /// Identifies the tests that are run for a mutant.
    func testsIdentity(of mutant: Mutant) -> String {
        let tests = (reaching[mutant.reached] ?? [])
        let names = String(hash(tests.map { self.tests[$0].name }.sorted().joined()), radix: 36)
        // Of tests that take longer, some are left out.
        return tests.reduce(0) { $0 + cost($1) } > effort ? "\(names)/\(effort)" : names
    }

    func verdict(of mutant: Mutant) throws -> Verdict {
        let identity = testsIdentity(of: mutant)
        guard var candidates = reaching[mutant.reached], !candidates.isEmpty else {
            return Verdict(result: .unreached, tests: identity)
        }
        if let index = candidates.firstIndex(where: { tests[$0].name == TestBundle.kernelTest }) {
            let test = candidates.remove(at: index)
            if let verdict = try run([test], for: mutant, identity) { return verdict }
        }
        let short = candidates.filter { cost($0) <= longest }
        var left = order(short.isEmpty ? candidates : short, for: mutant)
        var spent = 0.0
        // Processes of growing duration: a few fast tests, more tests, and all others.
        for (time, count) in [
            (0.15, 8), (1.5, 60), (6.0, 300), (Double.infinity, 400), (.infinity, 400), (.infinity, Int.max),
        ] {
            let time = min(time, effort - spent)
            var batch: [Int] = []
            var total = 0.0
            while let next = left.first, batch.isEmpty || total + cost(next) <= time && batch.count < count {
                batch.append(next)
                total += cost(next)
                left.removeFirst()
            }
            if batch.isEmpty || spent > effort { break }
            spent += total
            if let verdict = try run(batch, for: mutant, identity) { return verdict }
        }
        return Verdict(result: .survived, tests: identity)
    }

    /// Runs tests in one process. Returns the verdict, or `nil` if no test finds the mutant.
    private func run(_ batch: [Int], for mutant: Mutant, _ identity: String) throws -> Verdict? {
        let limit = 5 + 6 * (startUp + batch.reduce(0) { $0 + cost($1) })
        let result = try bundle.run(batch.map { tests[$0].name }, mutant: mutant.number, timeLimit: limit)
        switch result.end {
        case .exit(0): return nil
        case .timeout: return Verdict(result: .timeout, tests: identity)
        case .signal: return killed(.crashed, mutant, batch, identity, "")
        case .exit, .stopped: return killed(.failed, mutant, batch, identity, result.text)
        }
    }

    private func cost(_ test: Int) -> Double { max(0.002, tests[test].duration - startUp) }

    /// The order of the tests. A test that reaches few faults is about them, and a fast test is better than a slow one. Tests that
    /// found faults of the same file come between.
    private func order(_ candidates: [Int], for mutant: Mutant) -> [Int] {
        let recent = killers.value[mutant.file] ?? []
        var rank: [Int: Int] = [:]
        for (index, test) in recent.reversed().enumerated() where rank[test] == nil { rank[test] = index }
        let rest = candidates.filter { rank[$0] == nil || cost($0) > 1 }.sorted { first, second in
            let slow = (cost(first) > 1, cost(second) > 1)
            if slow.0 != slow.1 { return slow.1 }
            if slow.0 { return cost(first) < cost(second) }
            return Double(tests[first].reached.count) * (0.02 + cost(first))
                < Double(tests[second].reached.count) * (0.02 + cost(second))
        }
        let first = candidates.filter { rank[$0] != nil && cost($0) <= 1 }.sorted { rank[$0] ?? 0 < rank[$1] ?? 0 }
        // Some of both come first.
        return [first.prefix(5), rest.prefix(8), first.dropFirst(5), rest.dropFirst(8)].flatMap { $0 }
    }

    private func killed(
        _ result: Verdict.Result, _ mutant: Mutant, _ batch: [Int], _ identity: String, _ output: String
    ) -> Verdict {
        // The output names the function of the test that failed first.
        let line = output.split(whereSeparator: \.isNewline).first { $0.contains(" recorded an issue") } ?? ""
        let killer =
            batch.first { line.contains(" \(tests[$0].displayName) ") } ?? (batch.count == 1 ? batch[0] : nil)
        if let killer {
            killers.update { all in
                all[mutant.file, default: []].append(killer)
                if all[mutant.file]?.count ?? 0 > 60 { all[mutant.file]?.removeFirst(20) }
            }
        }
        return Verdict(result: result, tests: identity, killer: killer.map { tests[$0].name })
    }
}

import Foundation
import Schemata

/// A test function, and the faults that it reaches.
struct Test: Codable, Sendable {
    /// The identifier, such as ``SluiceCoreTests.KeyTests/`a key`()``.
    let name: String
    /// The time of a process that runs only this test, in seconds.
    var duration: Double
    /// The numbers of the faults that the test reaches.
    var reached: [Int32]

    /// The name in the output: that of a raw identifier has quotes in place of backticks.
    var displayName: String {
        if let first = name.firstIndex(of: "`"), let last = name.lastIndex(of: "`"), first < last {
            return "\"\(name[name.index(after: first)..<last])\""
        }
        return name.split(separator: "/").dropFirst().first.map(String.init) ?? name
    }
}

/// The program with the tests, which runs some of its tests with one fault.
struct TestBundle: Sendable {
    let program: String
    /// The program that compares the functions of `CKernels` with plain definitions: one more test.
    let kernels: String
    let environment: [String: String]

    static let kernelTest = "CKernels/kernels.c"

    /// Tests that read sources instead of running them, and tests of nothing but memory or time.
    private static let ignored = ["LayerTests", "MemoryPeakTests", "SurfaceTests"]

    /// The memory that a process may reserve. Some faults allocate without an end.
    private static let memory = 12 << 30

    func names() throws -> [String] {
        let result = try runProgram(
            [program, "--testing-library", "swift-testing", "--list-tests"], environment: environment)
        guard result.end == .exit(0) else { throw Failed("The tests cannot be listed:\n\(result.text)") }
        return [Self.kernelTest]
            + result.text.split(whereSeparator: \.isNewline).map(String.init).filter { line in
                line.contains("/") && !Self.ignored.contains { line.contains(".\($0)/") }
            }
    }

    /// Runs tests in one process. The test in C needs a process of its own.
    func run(
        _ names: [String], mutant: Int32, timeLimit: Double, reached: String? = nil, stopsAtFailure: Bool = true
    ) throws -> ProcessResult {
        // The pattern of the names that are run. Raw identifiers have characters with a meaning in patterns.
        let pattern = names.map { name in
            name.map { "\\.+*?()[]{}|^$/".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }.joined(separator: "|")
        var variables = environment
        variables["SLUICE_MUTANT"] = "\(mutant)"
        variables["SLUICE_REACHED"] = reached
        // A report of a crash takes seconds.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        let shell = "ulimit -c 0; ulimit -v \(Self.memory >> 10) 2>/dev/null; exec \"$0\" \"$@\""
        let command =
            names == [Self.kernelTest]
            ? [kernels] : [program, "--testing-library", "swift-testing", "--filter", "^(?:\(pattern))(?:$|/)"]
        return try runProgram(
            ["sh", "-c", shell] + command,
            environment: variables, timeLimit: timeLimit, stoppingAt: stopsAtFailure ? " recorded an issue" : nil,
            keeping: 1 << 20)
    }
}

/// The recording of the faults that each test reaches.
struct Recording: Codable {
    /// Identifies the sources. Their numbers have another meaning in other sources.
    var sources = ""
    var tests: [Test] = []
    /// Tests that fail without a fault, or do not run.
    var failing: [String] = []
    /// Tests that did not end within the limit, and the limit in seconds.
    var long: [String: Double] = [:]

    /// Records the tests that have not been recorded. The recording is written about every ten seconds.
    ///
    /// - Parameters:
    ///   - patterns: Texts in the names of the tests. All tests without any.
    ///   - limit: The longest time of a recording in seconds. Tests that take longer are left out.
    mutating func complete(
        with bundle: TestBundle, matching patterns: [String], limit: Double, sources: String, jobs: Int,
        scratch: URL,
        file: URL
    ) throws {
        if self.sources != sources { self = Recording(sources: sources) }
        let names = try bundle.names()
        let present = Set(names)
        tests.removeAll { !present.contains($0.name) }
        let known = Set(tests.map(\.name))
        var missing = names.filter { name in
            !known.contains(name) && long[name] ?? 0 < limit
                && (patterns.isEmpty || patterns.contains(where: name.contains))
        }
        guard !missing.isEmpty else { return }
        // An interrupted recording has tests of all folders.
        missing.sort { hash($0) < hash($1) }
        let pending = missing
        report("Recording the faults that \(pending.count) tests reach.")
        let results = Shared(tests)
        let saved = Shared(now())
        let failures = Shared<[String]>([])
        let timeouts = Shared(long.filter { present.contains($0.key) })
        let progress = Progress(pending.count)
        try parallel(pending.count, jobs: jobs) { index in
            let bitmap = scratch.appending(path: "reached-\(index)").path
            let result = try bundle.run(
                [pending[index]], mutant: -1, timeLimit: limit, reached: bitmap, stopsAtFailure: false)
            defer { unlink(bitmap) }
            progress.advance()
            if result.end == .timeout {
                timeouts.update { $0[pending[index]] = limit }
                return
            }
            guard result.end == .exit(0), let data = try? Data(contentsOf: URL(filePath: bitmap)) else {
                failures.update { $0.append(pending[index]) }
                return
            }
            let reached = data.enumerated().compactMap { $1 != 0 ? Int32($0) : nil }
            results.update { $0.append(Test(name: pending[index], duration: result.duration, reached: reached)) }
            let isDue = saved.update { time in
                guard now() - time > 10 else { return false }
                time = now()
                return true
            }
            if isDue { try Recording(sources: sources, tests: results.value, long: timeouts.value).write(to: file) }
        }
        tests = results.value
        failing = failures.value.sorted()
        long = timeouts.value.filter { name, _ in !tests.contains { $0.name == name } }
        try write(to: file)
    }

    private func write(to file: URL) throws {
        try JSONEncoder().encode(self).write(to: file, options: .atomic)
    }
}

// MARK: Threads

/// A value that several threads change.
final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var content: Value

    init(_ value: Value) { content = value }

    var value: Value { lock.withLock { content } }

    func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&content) }
    }
}

/// Calls a function with each index, in several threads. Throws the first error.
func parallel(_ count: Int, jobs: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let next = Shared(0)
    let failure = Shared<(any Error)?>(nil)
    let group = DispatchGroup()
    for _ in 0..<max(1, min(jobs, count)) {
        group.enter()
        let thread = Thread {
            defer { group.leave() }
            while failure.value == nil {
                let index = next.update { value in
                    value += 1
                    return value - 1
                }
                guard index < count else { return }
                do {
                    try body(index)
                } catch {
                    failure.update { $0 = $0 ?? error }
                }
            }
        }
        thread.start()
    }
    group.wait()
    if let error = failure.value { throw error }
}

/// Reports the progress of a long run about every half minute.
final class Progress: Sendable {
    private let count: Int
    private let start = now()
    private let state = Shared((done: 0, reported: now()))

    init(_ count: Int) { self.count = count }

    func advance(_ note: @autoclosure () -> String = "") {
        let done = state.update { state -> Int? in
            state.done += 1
            guard now() - state.reported >= 30 else { return nil }
            state.reported = now()
            return state.done
        }
        guard let done else { return }
        let left = (now() - start) / Double(done) * Double(count - done)
        report("\(done) of \(count), about \(Int(left / 60) + 1) minutes left\(note())")
    }
}

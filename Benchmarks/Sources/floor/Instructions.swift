import ArgumentParser
import Foundation

/// The number of instructions of each measurement of the other modes, counted by callgrind.
///
/// A process under valgrind performs all calls one after another. Callgrind writes its counts before and after each counted
/// call. The counts are those of all threads.
struct Instructions {
    let folder: String?
    /// The names of the corpora. If empty, all measurements are counted.
    let corpora: [String]
    let sources: [Source]
    /// A part of the names of the rows. Other rows are left out.
    let name: String
    /// The counts that no row may exceed; nil without a comparison.
    let limits: Limits?
    let scratch: Scratch
    let output: Output

    /// The size of generated documents in bytes. Valgrind is about 50 times as slow as the machine.
    private static let size: UInt64 = 1_000_000

    private struct Row {
        let name: String
        /// The number of calls in a run.
        var calls = 1
        let run: () throws -> Void
    }

    // MARK: The process that counts

    /// Runs this command again under valgrind and prints the counts.
    func count() throws {
        let (counts, program) = (scratch.path(of: "counts"), scratch.path(of: "floor"))
        // Some versions of valgrind do not read the debug information of Swift.
        _ = try run("strip", "-S", "-o", program, Bundle.main.executablePath ?? CommandLine.arguments[0])
        let text = try run(
            "valgrind", "--tool=callgrind", "--quiet", "--callgrind-out-file=\(counts)",
            "--dump-before=*countBoundary*", program, "--counted-rows", more: CommandLine.arguments.dropFirst())
        output.instructionsHeader()
        var excesses: [String] = []
        for (index, line) in text.split(separator: "\n").enumerated() {
            let parts = line.split(separator: "\t")
            guard parts.count == 2, let calls = Double(parts[1]) else {
                throw FloorError("Unexpected row: \(line)")
            }
            // Files with odd numbers have the counts of the preparations before a call.
            let file = try String(contentsOfFile: "\(counts).\(2 * index + 2)", encoding: .utf8)
            guard let total = file.firstMatch(of: /\n(?:totals|summary): (\d+)/).flatMap({ Double($0.1) }) else {
                throw FloorError("The counts of \(parts[0]) are incomplete.")
            }
            let (name, allocations) = (String(parts[0]), Self.allocations(in: file))
            let counts = Counts(instructions: total / calls, allocations: allocations / calls)
            output.instructions(name, counts)
            if let excess = limits?.excess(of: name, counts) { excesses.append(excess) }
        }
        for excess in excesses { output.note(excess) }
        if !excesses.isEmpty { throw ExitCode.failure }
    }

    /// Returns the number of calls of the allocator in a file of callgrind.
    private static func allocations(in file: String) -> Double {
        var names: [Substring: Substring] = [:]
        var callee: Substring?
        var count = 0.0
        for line in file.split(separator: "\n") {
            if line.hasPrefix("calls=") {
                guard let name = callee, allocators.contains(String(name)) else { continue }
                count += Double(line.dropFirst(6).prefix { $0 != " " }) ?? 0
            } else if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
                // A name follows its number where the number is first used.
                let parts = line.drop { $0 != "(" }.split(separator: " ", maxSplits: 1)
                guard let number = parts.first else { continue }
                if parts.count > 1 { names[number] = parts[1] }
                if line.hasPrefix("c") { callee = names[number] }
            }
        }
        return count
    }

    private static let allocators: Set = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]

    /// Runs a program of the system and returns its output.
    private func run(_ arguments: String..., more: ArraySlice<String> = []) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments + more
        process.environment = ProcessInfo.processInfo.environment
        // The number of collisions in a hash table is then the same in each run.
        process.environment?["SWIFT_DETERMINISTIC_HASHING"] = "1"
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw FloorError("\(arguments[0]) failed, or is not installed.")
        }
        return text
    }

    // MARK: The process that is counted

    /// Performs the calls and prints the names of the rows.
    func perform() throws {
        for row in try rows() where name.isEmpty || row.name.contains(name) {
            // The first runs create the shapes of types, and fill the memory that a thread keeps.
            for _ in 0..<2 { try row.run() }
            countBoundary()
            try row.run()
            countBoundary()
            print("\(row.name)\t\(row.calls)")
        }
    }

    private func rows() throws -> [Row] {
        var rows: [Row] = []
        for name in corpora.isEmpty ? Corpus.names : corpora {
            let corpus = try Corpus.load(name, sources: sources, folder: folder, scratch: scratch, size: Self.size)
            guard let corpus else {
                output.note("\(name) skipped: use --corpus or set SLUICE_CORPUS.")
                continue
            }
            rows += corpus.sluice.map { Row(name: "decode \(name), \($0.source)", run: $0.run) }
        }
        guard corpora.isEmpty else { return rows }
        for document in try SmallCalls.all(sources) {
            rows += document.ways.dropLast().map { way in
                Row(name: "short \(document.name), \(way.name)", calls: 100) { for _ in 0..<100 { try way.run() } }
            }
        }
        for source in sources {
            // The first way has a row already. The instructions of several workers vary.
            let ways = try Streams(source, scratch: scratch, size: Self.size).ways.dropFirst()
            rows += ways.filter { $0.name != "lines, all cores" }.map {
                Row(name: "stream \($0.name), \(source)", run: $0.run)
            }
        }
        for name in Writing.names {
            guard let writing = try Writing.load(name, folder: folder, size: Self.size) else { continue }
            rows.append(Row(name: "encode \(name)", run: writing.sluice))
        }
        for row in try Features.all(1_000) {
            rows += sources.map { source in
                Row(name: "feature \(row.name), decode, \(source)") { try row.decode(source) }
            }
            rows.append(Row(name: "feature \(row.name), encode", run: row.encode))
        }
        rows += sources.flatMap { Live.counted($0) }.flatMap { live, source in
            [("pushed", live.pushed), ("dropped", live.dropped), ("held", live.held)].map { way, run in
                Row(name: "live \(live.name), \(way), \(source)", calls: live.count, run: run)
            }
        }
        return try rows
            + CodableRow.all(folder: folder, output, size: Self.size).map {
                Row(name: "codable, \($0.name)", calls: $0.calls, run: $0.sluice)
            }
    }
}

/// Makes callgrind write the counts since the last call of the function, which callgrind finds by its name.
@inline(never)
@_optimize(none)
func countBoundary() {}

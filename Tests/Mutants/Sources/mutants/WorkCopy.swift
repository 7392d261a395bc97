import Foundation
import Schemata

/// A copy of the checkout whose sources have the faults of some folders, behind the numbers that `SLUICE_MUTANT` selects.
final class WorkCopy {
    /// The folders with faults, and their names in reports. The numbers of faults depend on the order.
    static let folders = [
        ("Text", "Sources/SluiceCore/Text"), ("Numbers", "Sources/SluiceCore/Numbers"),
        ("Scanner", "Sources/SluiceCore/Tokens/Scanner"), ("Yajl", "Sources/SluiceCore/Tokens/Yajl"),
        ("Driver", "Sources/SluiceCore/Driver"), ("Plans", "Sources/SluiceCore/Plans"),
        ("Writer", "Sources/SluiceCore/Writer"), ("CKernels", "Sources/CKernels"),
        ("Reading", "Sources/SluiceCore/Reading"), ("Streams", "Sources/SluiceStreams"),
        ("Codable", "Sources/SluiceCodable"), ("Schemas", "Sources/SluiceSchemas"),
        ("Tape", "Sources/SluiceCore/Tape"), ("Decoder", "Sources/SluiceCore/Decoder"),
    ]
    /// The targets with faults, in the order of their dependencies.
    private static let targets = ["SluiceCore", "SluiceStreams", "SluiceCodable", "SluiceSchemas"]
    /// The numbers of a file begin at a multiple, so that a change of one file does not change the numbers of others.
    private static let numbersOfFile: Int32 = 2000

    private let checkout: URL
    private let scratch: URL
    private let kinds: Set<Fault.Kind>
    /// The names of the folders whose faults are in the copy. All without any.
    private let chosen: Set<String>
    private var fileCount: Int32 = 0
    private var sources: [(folder: String, file: String, source: MutatedSource)] = []

    private var copy: URL { scratch.appending(path: "copy") }
    private var products: URL { scratch.appending(path: "products") }
    private var dropFile: URL { scratch.appending(path: "dropped.json") }

    /// The program with the tests.
    var tests: String { products.appending(path: "debug/sluicePackageTests.xctest").path }

    /// The program with the test of `CKernels` in C.
    var kernels: String { products.appending(path: "kernels").path }

    /// The number of faults that do not compile.
    var dropCount: Int { sources.reduce(0) { $0 + $1.source.dropped.count } }

    init(of checkout: URL, in scratch: URL, kinds: Set<Fault.Kind>, folders: [String]) {
        self.checkout = checkout
        self.scratch = scratch
        self.kinds = kinds
        chosen = Set(folders)
    }

    // MARK: Sources

    /// Copies the checkout, and writes its sources with the faults. Files without changes keep their dates.
    func update() throws {
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        try findFaults()
        var files: Set<String> = []
        for folder in ["Sources", "Tests", "Fixtures"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: checkout.appending(path: folder).path) {
                let path = "\(folder)/\(path)"
                if Self.ignored.contains(where: path.hasPrefix) { continue }
                let from = checkout.appending(path: path)
                let values = try from.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey])
                if values.isSymbolicLink == true {
                    files.insert(path)
                    try copyLink(path)
                } else if values.isDirectory != true {
                    files.insert(path)
                    if sources.contains(where: { $0.file == path }) { continue }
                    try write(path, try Data(contentsOf: from))
                }
            }
        }
        try write(
            "Package.swift",
            Data(Self.manifest(String(contentsOf: checkout.appending(path: "Package.swift"), encoding: .utf8)).utf8)
        )
        let map = "Sources/CKernels/include/module.modulemap"
        let modules = try String(contentsOf: checkout.appending(path: map), encoding: .utf8)
        try write(
            map,
            Data(modules.replacing("module CKernels {", with: "module CKernels {\n    header \"mutants.h\"").utf8))
        try write("Sources/CKernels/include/mutants.h", Data(SwitchSource.header.utf8))
        let size = (fileCount + 1) * Self.numbersOfFile
        try write("Sources/CKernels/mutants.c", Data(SwitchSource.code(size: size).utf8))
        files.formUnion(["Sources/CKernels/include/mutants.h", "Sources/CKernels/mutants.c"])
        for folder in ["Sources", "Tests", "Fixtures"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: copy.appending(path: folder).path) {
                let item = copy.appending(path: "\(folder)/\(path)")
                let values = try item.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey])
                if values.isDirectory == true, values.isSymbolicLink != true { continue }
                if !files.contains("\(folder)/\(path)") { try FileManager.default.removeItem(at: item) }
            }
        }
    }

    private static let ignored = [
        "Tests/Clients", "Tests/Mutants", "Fixtures/generated", "Tests/SluiceCoreTests/LayerTests",
    ]

    /// Finds the faults without writing the copy.
    func findFaults() throws {
        sources = []
        fileCount = 0
        for (name, folder) in Self.folders {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: checkout.appending(path: folder).path)
                .sorted()
            for path in paths where path.hasSuffix(".swift") || path.hasSuffix(".c") || path.hasSuffix(".h") {
                let file = "\(folder)/\(path)"
                let first = fileCount * Self.numbersOfFile + 1
                fileCount += 1
                guard chosen.isEmpty || chosen.contains(name) else { continue }
                let text = try String(contentsOf: checkout.appending(path: file), encoding: .utf8)
                let source = MutatedSource(
                    text, path.hasSuffix(".swift") ? .swift : .c, kinds: kinds,
                    first: first)
                guard source.faultCount < Self.numbersOfFile else {
                    throw Failed("\(file) has too many faults: divide the file.")
                }
                sources.append((name, file, source))
            }
        }
    }

    private func write(_ path: String, _ data: Data) throws {
        let file = copy.appending(path: path)
        if let present = try? Data(contentsOf: file), present == data { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    private func copyLink(_ path: String) throws {
        let link = copy.appending(path: path).path
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: checkout.appending(path: path).path)
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == target { return }
        try FileManager.default.createDirectory(
            at: copy.appending(path: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    }

    /// The manifest without the test targets whose tests are no tests of these folders, and with the dependency of the targets on the
    /// code that selects a fault.
    private static func manifest(_ text: String) -> String {
        let removed = ["FoundationCodableTests", "MacroTests", "ModelTests", "MainActorTests", "SurfaceTests"]
        var text = text
        for target in ["SluiceCodable", "SluiceSchemas"] {
            let start = "name: \"\(target)\", dependencies: ["
            text = text.replacing(start, with: start + "\"CKernels\", ")
        }
        for name in removed {
            guard let label = text.firstRange(of: "name: \"\(name)\""),
                let start = text[..<label.lowerBound].ranges(of: ".testTarget(").last
            else { continue }
            var depth = 1
            var end = start.upperBound
            while depth > 0, end < text.endIndex {
                if text[end] == "(" { depth += 1 }
                if text[end] == ")" { depth -= 1 }
                end = text.index(after: end)
            }
            if end < text.endIndex, text[end] == "," { end = text.index(after: end) }
            text.removeSubrange(start.lowerBound..<end)
        }
        return text
    }

    // MARK: Building

    private static let options = [
        "--disable-xctest", "--disable-default-traits", "--traits", "Yajl,Gzip,Zstd",
    ]

    /// Drops the faults that did not compile in an earlier build.
    func dropKnown() {
        let dropped =
            (try? JSONDecoder().decode([String: Set<Int32>].self, from: Data(contentsOf: dropFile))) ?? [:]
        for (_, file, source) in sources {
            source.drop(dropped["\(file)#\(String(hash(source.rendered()), radix: 36))"] ?? [])
        }
    }

    /// Lets SwiftPM pass the traits to the compiler in the same order each time. Another order compiles the core again.
    private static let ordered = ["SWIFT_DETERMINISTIC_HASHING": "1"]

    /// Builds the tests. Faults that do not compile are dropped, and the build is repeated.
    func build(_ swift: String) throws {
        var dropped =
            (try? JSONDecoder().decode([String: Set<Int32>].self, from: Data(contentsOf: dropFile))) ?? [:]
        let names = sources.map { "\($0.file)#\(String(hash($0.source.rendered()), radix: 36))" }
        for (name, (_, _, source)) in zip(names, sources) { source.drop(dropped[name] ?? []) }
        var round = 0
        // The tests come last: they would be compiled again and again.
        var products = Self.targets.map { ["--target", $0] } + [["--product", "sluicePackageTests"]]
        while true {
            var rendered: [String: (Int, String)] = [:]
            for (index, (_, file, source)) in sources.enumerated() {
                let text = source.rendered()
                rendered[file] = (index, text)
                source.beginBuild()
                try write(file, Data(text.utf8))
            }
            round += 1
            report("Building, round \(round): \(dropCount) faults that do not compile have been dropped.")
            let result = try runProgram(
                [swift, "build", "--package-path", copy.path, "--scratch-path", self.products.path]
                    + products[0] + Self.options,
                environment: Self.ordered, keeping: 1 << 26)
            if result.end == .exit(0) {
                products.removeFirst()
                if products.isEmpty { return try buildKernels() }
                continue
            }
            try result.output.withUnsafeBytes { try Data($0).write(to: scratch.appending(path: "build.log")) }
            var count = 0
            for error in errors(in: result.text) {
                guard let (index, text) = rendered[error.file] else { continue }
                if sources[index].source.drop(line: error.line, column: error.column, of: text, error.extent) {
                    count += 1
                }
            }
            dropped = [:]
            for (name, (_, _, source)) in zip(names, sources) { dropped[name] = source.dropped }
            try JSONEncoder().encode(dropped).write(to: dropFile)
            guard count > 0 else {
                throw Failed("The build fails, and no fault is the cause: see \(scratch.path)/build.log.")
            }
        }
    }

    private func buildKernels() throws {
        let folder = copy.appending(path: "Sources/CKernels").path
        let sources = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".c") }
        let result = try runProgram(
            ["cc", "-O2", "-w", "-D_Nonnull=", "-D_Nullable=", "-pthread", "-I\(folder)/include", "-o", kernels]
                + [copy.appending(path: "Tests/Kernels/kernels.c").path]
                + sources.sorted().map { "\(folder)/\($0)" })
        guard result.end == .exit(0) else { throw Failed("The test in C does not compile:\n\(result.text)") }
    }

    private struct CompilerError: Hashable {
        let file: String
        let line: Int
        let column: Int
        let extent: MutatedSource.Extent
    }

    private static let extents: [(message: String, extent: MutatedSource.Extent)] = [
        ("missing return", .statementBefore), ("must not fall through", .statementBefore),
        ("opaque return type", .body),
        ("being initialized", .body), ("initializing all", .body), ("are initialized", .body),
        ("'self.init'", .body), ("super.init call", .body),
    ]

    private func errors(in output: String) -> Set<CompilerError> {
        var errors: Set<CompilerError> = []
        for line in output.split(whereSeparator: \.isNewline) {
            guard let range = line.firstRange(of: ": error: "), let root = line.firstRange(of: copy.path + "/")
            else { continue }
            guard root.upperBound < range.lowerBound else { continue }
            let parts = line[root.upperBound..<range.lowerBound].split(separator: ":")
            guard parts.count == 3, let number = Int(parts[1]), let column = Int(parts[2]) else { continue }
            let extent = Self.extents.first { line[range.upperBound...].contains($0.message) }?.extent ?? .position
            errors.insert(CompilerError(file: String(parts[0]), line: number, column: column, extent: extent))
        }
        return errors
    }

    // MARK: Mutants

    /// The faults of the build.
    func mutants() -> [Mutant] {
        var mutants: [Mutant] = []
        for (folder, file, source) in sources {
            let reached = source.reachedNumbers()
            var occurrences: [String: Int] = [:]
            let short = file.replacing("Sources/SluiceCore/", with: "").replacing("Sources/", with: "")
            for fault in source.faults {
                mutants.append(
                    Mutant(
                        fault, of: source, reached: reached[fault.number] ?? fault.number, folder: folder,
                        file: short,
                        occurrences: &occurrences))
            }
        }
        return mutants
    }

    /// Identifies the text of all sources with faults.
    var identity: String {
        String(hash(sources.map { "\($0.file) \(hash($0.source.rendered()))" }.joined()), radix: 36)
    }
}

/// The code in the copy's `CKernels` that selects a fault.
enum SwitchSource {
    static let header = """
        #ifndef SLUICE_MUTANTS_H
        #define SLUICE_MUTANTS_H

        /* The number of the selected fault, 0 for none, or -1 to record which faults are reached. */
        extern int sluice_mutant;
        extern unsigned char sluice_reached[];

        static inline _Bool sluice_mutant_is(int number) {
            int selected = sluice_mutant;
            if (selected == number) return 1;
            if (selected < 0) sluice_reached[number] = 1;
            return 0;
        }

        /* Returns the position of the selected fault among `count` faults from `first` on, or 0 for another one. */
        static inline int sluice_mutant_in(int first, int count) {
            int selected = sluice_mutant;
            if (selected < 0) sluice_reached[first] = 1;
            unsigned position = (unsigned)selected - (unsigned)first;
            return position < (unsigned)count ? (int)position + 1 : 0;
        }

        #endif

        """

    static func code(size: Int32) -> String {
        """
        #include "mutants.h"

        #include <fcntl.h>
        #include <stdlib.h>
        #include <unistd.h>

        int sluice_mutant;
        unsigned char sluice_reached[\(size)];

        __attribute__((constructor)) static void sluice_select_mutant(void) {
            const char *number = getenv("SLUICE_MUTANT");
            if (number) sluice_mutant = atoi(number);
        }

        __attribute__((destructor)) static void sluice_write_reached(void) {
            const char *path = getenv("SLUICE_REACHED");
            if (!path || sluice_mutant >= 0) return;
            int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
            if (file < 0) return;
            ssize_t ignored = write(file, sluice_reached, sizeof sluice_reached);
            (void)ignored;
            close(file);
        }

        """
    }
}

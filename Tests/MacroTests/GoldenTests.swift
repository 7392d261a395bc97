#if Macros
import Foundation
import Testing

@testable import SluiceMacros

/// Whether the tests write the files that they otherwise compare with.
let writesGoldenFiles = ProcessInfo.processInfo.environment["SLUICE_WRITE_EXPANSIONS"] != nil

/// Compares the expansions of the sources in the folder `Golden` with the expected ones. `Scripts/test.sh expansions` rewrites the
/// expected ones.
@Suite struct GoldenTests {
    @Test(arguments: GoldenFile.named(GoldenFile.inputSuffix))
    func `the expansion of a source is the expected one`(_ name: String) throws {
        let golden = try GoldenFile(name)
        let expansion = Expansion(golden.source, missing: golden.conformances)
        #expect(expansion.syntaxErrors == [])
        let actual = GoldenFile.render(expansion)
        if writesGoldenFiles {
            // With an older compiler or swift-syntax, the macro writes other names of modules.
            try #require(sluice == "Sluice::")
            return try actual.write(
                to: GoldenFile.url(name, GoldenFile.expectedSuffix), atomically: true, encoding: .utf8)
        }
        let expected = try GoldenFile.expected(name)
        if actual != expected {
            Issue.record(
                "\(name): the expansion (+) is not the expected one (-)\n\(difference(from: expected, to: actual))")
        }
    }

    @Test func `every source has an expected expansion, and every expansion has a source`() throws {
        let sources = GoldenFile.named(GoldenFile.inputSuffix)
        #expect(sources.count > 50)
        let expansions = GoldenFile.named(GoldenFile.expectedSuffix)
        if writesGoldenFiles {
            for name in Set(expansions).subtracting(sources) {
                try FileManager.default.removeItem(at: GoldenFile.url(name, GoldenFile.expectedSuffix))
            }
            return
        }
        #expect(Set(sources).symmetricDifference(expansions) == [])
        #expect(GoldenFile.paths().filter { !$0.hasSuffix(".swift.txt") } == [])
        #expect(GoldenFile.paths().count == sources.count + expansions.count)
    }

    @Test func `a documentation comment may have the line ends of Windows`() {
        let expansion = Expansion(
            "/**\r\n * A user.\r\n */\r\n@JSONModel\r\nstruct User {\r\n    let id: Int\r\n}\r\n")
        #expect(expansion.expanded.contains(#".describing("A user.")"#), "\(expansion.expanded)")
    }

    @Test func `attributes of the language are no property wrappers`() {
        let expansion = Expansion("@JSONModel\nstruct Model {\n    @unsafe var a: Int\n    @safe var b: Int\n}")
        #expect(!expansion.expanded.contains("_JSONStorage"))
        let object = Expansion(
            "@JSONModel\nfinal class Model {\n    @exclusivity(unchecked) var a: Int\n    init() { a = 1 }\n}")
        #expect(!object.expanded.contains("#sourceLocation"))
    }

    @Test func `a conformance with an isolation is not that of a superclass`() {
        let expansion = Expansion(
            "@JSONModel\nfinal class Model: nonisolated JSONModel {\n    let id: Int\n}\n",
            missing: subclassConformances)
        #expect(!expansion.expanded.contains("override"), "\(expansion.expanded)")
    }
}

let conformancesMark = "//% conformances: "

/// The conformances that the compiler asks the macro for, which a line of a source may list.
func requestedConformances(in lines: some Sequence<Substring>) -> [String] {
    lines.first { $0.hasPrefix(conformancesMark) }?.dropFirst(conformancesMark.count).components(separatedBy: ", ")
        ?? allConformances
}

/// A source in the folder `Golden`.
///
/// The lines that begin with `//%` are not part of the source. They describe it, or list the conformances that the compiler
/// asks the macro for: `//% conformances: Decodable, Encodable`. In an expected expansion, they are the diagnostics.
private struct GoldenFile {
    static let inputSuffix = ".input.swift.txt"
    static let expectedSuffix = ".expected.swift.txt"
    private static let mark = "//% "
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    let source: String
    let conformances: [String]

    init(_ name: String) throws {
        let lines = try Self.text(name, Self.inputSuffix).split(separator: "\n", omittingEmptySubsequences: false)
        let header = lines.prefix { $0.hasPrefix(Self.mark) }
        source = lines.dropFirst(header.count).joined(separator: "\n")
        conformances = requestedConformances(in: header)
    }

    /// The expected expansion, with the names of modules that the compiler supports.
    static func expected(_ name: String) throws -> String {
        try text(name, expectedSuffix).replacing("Sluice::", with: sluice).replacing("Swift::", with: swift)
    }

    static func render(_ expansion: Expansion) -> String {
        let text = expansion.expanded.trimmingCharacters(in: .newlines) + "\n"
        let diagnostics = expansion.reports(withHighlights: true).flatMap { $0.split(separator: "\n") }.map {
            "\(mark)\($0)\n"
        }
        return text + diagnostics.joined()
    }

    static func url(_ name: String, _ suffix: String) -> URL { folder.appending(path: name + suffix) }

    private static func text(_ name: String, _ suffix: String) throws -> String {
        try String(contentsOf: url(name, suffix), encoding: .utf8)
    }

    /// The paths of the files in the folder.
    static func paths() -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))?.allObjects ?? []
        return paths.compactMap { $0 as? String }.filter { $0.contains(".") }.sorted()
    }

    /// The names of the files with a suffix.
    static func named(_ suffix: String) -> [String] {
        paths().filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
    }
}

/// The lines that differ, with the two lines before each group.
func difference(from expected: String, to actual: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let changes = new.difference(from: old)
    let removed = Set(changes.removals.map(\.offset))
    let inserted = Set(changes.insertions.map(\.offset))
    var lines: [String] = []
    var (at, to) = (0, 0)
    var context: [Substring] = []
    while at < old.count || to < new.count {
        if removed.contains(at) || inserted.contains(to) {
            lines += context.suffix(2).map { "  \($0)" }
            context = []
            if removed.contains(at) {
                lines.append("- \(old[at])")
                at += 1
            } else {
                lines.append("+ \(new[to])")
                to += 1
            }
        } else {
            context.append(old[at])
            (at, to) = (at + 1, to + 1)
        }
    }
    return lines.joined(separator: "\n")
}

extension CollectionDifference.Change {
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
#endif

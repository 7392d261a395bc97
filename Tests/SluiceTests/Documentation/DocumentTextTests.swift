import Foundation
import Testing

/// Compares the statements of the documents with the package, so that a statement does not outlive the code that it describes.
@Suite struct DocumentTextTests {
    /// The README, the articles and the instructions for contributors.
    private static func documents() throws -> [(path: String, text: String)] {
        let paths = try SampledDocument.all().map(\.path) + pages
        return try paths.map { ($0, try text(of: $0)) }
    }

    /// The pages for contributors.
    private static let pages = [
        "CONTRIBUTING.md", "Sources/README.md", "Tests/README.md", "Tests/Clients/README.md",
        "Tests/FuzzCoverage/README.md",
        "Tests/Kernels/README.md", "Tests/Mutants/README.md", "Tests/Proofs/README.md", "Benchmarks/README.md",
        ".github/RELEASING.md", ".github/APPLE.md",
    ]

    private static func text(of path: String) throws -> String {
        try SampledDocument.text(of: path)
    }

    // MARK: Missing features

    /// The words of statements that a feature is missing. Such statements become wrong when the feature is added.
    private static let signs = [
        "this version", "later version", "future", "not supported", "unsupported", "not support", "no support",
        "not implemented", "not available", "not yet", "cannot yet", "does not read", "is missing from",
    ]

    /// The statements with such words that were judged to be right.
    private static let judged = [
        // Consequences of a trait that is off.
        "`JSONDateStrategy.format` and the `NSError` form of errors are not available",
        // Names of kinds of errors.
        "`unsupportedEncoding` | 5, 6, 7 |", "| `unsupportedLibrary` | 25 |", "| `unsupportedCompression` | 27 |",
        "its input is an error of the kind `unsupportedCompression`",
        // How things work.
        "The scanner does not read beyond the memory of the input",
    ]

    @Test func `no document has an unjudged statement about a missing feature`() throws {
        var used: Set<String> = []
        for (path, text) in try Self.documents() {
            // A line break may divide a statement.
            var text = text.replacing(/```.*?```|<!--.*?-->/.dotMatchesNewlines(), with: "")
                .replacing(/\s+/, with: " ")
            for statement in Self.judged where text.contains(statement) {
                used.insert(statement)
                text.replace(statement, with: "")
            }
            let words = text.lowercased()
            for sign in Self.signs {
                for range in words.ranges(of: sign) {
                    let statement = words[..<range.upperBound].suffix(100)
                    Issue.record("\(path): is this still true? \u{201C}\(sign)\u{201D}: \(statement)")
                }
            }
        }
        #expect(Self.judged.filter { !used.contains($0) } == [], "no document has these statements")
    }

    // MARK: Commands

    @Test func `the documents name the commands of the tool`() throws {
        let folder = SampledDocument.root.appendingPathComponent("Tool/Sources/sluice-cli")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var commands: Set<Substring> = []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            guard !text.contains("shouldDisplay: false") else { continue }
            commands.formUnion(text.matches(of: /commandName: "([a-z-]+)"/).map(\.1))
        }
        #expect(commands.remove("sluice") != nil && commands.count >= 5)

        for (path, text) in try Self.documents() {
            let named = Set(text.matches(of: /(?:`|^ {4}|\n {4})sluice ([a-z-]+)/).map(\.1))
            #expect(named.subtracting(commands) == [], "\(path) names commands that the tool does not have")
            if path == "Sources/README.md" {
                #expect(commands.subtracting(named) == [], "\(path) lacks commands of the tool")
            }
        }
    }

    @Test func `the documents name the targets of the Makefile`() throws {
        var targets = Set(try Self.text(of: "Makefile").matches(of: #/\n([a-z-]+):[^\n]*## /#).map(\.1))
        #expect(targets.remove("help") != nil && targets.count > 15)
        var described: Set<Substring> = []
        for (path, text) in try Self.documents() {
            let named = Set(text.matches(of: /(?:`|\n {4})make ([a-z][a-z-]*)/).map(\.1))
            #expect(named.subtracting(targets) == [], "\(path) names targets that the Makefile does not have")
            // A script and its first argument, of which the script's usage has all.
            for command in text.matches(of: /Scripts\/[a-z]+\.sh(?: ([A-Za-z][A-Za-z-]*))?/) {
                let script = try? Self.text(of: String(command.0.prefix { $0 != " " }))
                #expect(script?.contains(command.1.map { " \($0)" } ?? "#") == true, "\(path) names \(command.0)")
            }
            if Self.pages.contains(path) { described.formUnion(named) }
        }
        #expect(targets.subtracting(described) == [], "the pages for contributors lack targets of the Makefile")
    }

    @Test func `the tests that the documents name exist`() throws {
        let folder = SampledDocument.root
        let files = ["Tests", "Tool/Tests"].flatMap { path in
            let names = FileManager.default.enumerator(atPath: folder.appendingPathComponent(path).path)
            return names?.map { "\(path)/\($0)" } ?? []
        }
        let sources = try files.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.map {
            try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
        }
        // Such as: `LongTokenTests`: a long string in small chunks takes linear time
        let reference = /`(\w+Tests)`(?:: ([^|;`\n]*[^|;`\s]))?/
        var count = 0
        for (path, text) in try Self.documents() {
            // Modules have such names too.
            for match in text.matches(of: reference)
            where !files.contains(where: { $0.hasSuffix("Tests/\(match.1)") }) {
                count += 1
                let name = match.2.map { "`\($0)`" } ?? "\(match.1)"
                #expect(
                    sources.contains { $0.contains("\(match.1)") && $0.contains(name) },
                    "\(path) names the test \(match.1): \(name)")
            }
        }
        #expect(count > 15)
    }

    // MARK: Charts

    @Test func `the charts in the articles are those of the benchmarks`() throws {
        for chart in ["decode", "encode", "memory", "streams", "workers"] {
            for (suffix, theme) in [("", "light"), ("~dark", "dark")] {
                let copy = try Self.text(of: "Sources/Sluice/Sluice.docc/Resources/\(chart)\(suffix).svg")
                #expect(
                    try copy == Self.text(of: "Benchmarks/Charts/\(chart)-\(theme).svg"),
                    "run Scripts/measure.sh charts")
            }
        }
    }

    // MARK: Declarations

    @Test func `every public type and macro is in a topic of the documentation`() throws {
        let surface = try Self.text(of: "Tests/SurfaceTests/PublicSurface.txt").split(separator: "\n")
        let declared = Set(
            surface.prefix { !$0.contains("that documentation hides") }.compactMap { line in
                line.firstMatch(
                    of:
                        /^(?:final |open |indirect )*(?:struct|enum|class|actor|protocol|macro|typealias) ([A-Za-z]\w*)/
                )?.1
            })
        #expect(declared.count > 60)

        let catalog = "Sources/Sluice/Sluice.docc/Sluice.md"
        let topics = try Self.text(of: catalog).split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /- ``(?:\/\w+\/)?(\w+)[^`]*``/)?.1
        }
        #expect(declared.subtracting(topics) == [], "\(catalog) has no topic with these declarations")
        #expect(Set(topics).subtracting(declared) == [], "\(catalog) lists declarations that are not public")
    }

    @Test func `the table of errors has every kind with its code`() throws {
        let source = try Self.text(of: "Sources/Sluice/Foundation/LocalizedErrors.swift")
        let kinds = source.prefix(
            upTo: source.firstRange(of: "extension JSONModelError.ConversionFailure")?.lowerBound ?? source.endIndex
        )
        let codes = Dictionary(
            uniqueKeysWithValues: kinds.matches(of: /case \.(\w+): (\d+)/).map { (String($0.1), String($0.2)) })
        #expect(codes.count >= 29)

        var listed: [String: String] = [:]
        for row in try Self.text(of: "Sources/Sluice/Sluice.docc/Errors.md").matches(
            of: /\n\| (`[^|]*`) \| ([\d, ]+) \|/)
        {
            let names = row.1.matches(of: /\w+/).map { String($0.0) }
            for (name, code) in zip(names, row.2.matches(of: /\d+/)) { listed[name] = String(code.0) }
        }
        #expect(listed == codes)
    }

    @Test func `every article is in a topic of the documentation`() throws {
        let catalog = "Sources/Sluice/Sluice.docc/Sluice.md"
        let listed = Set(try Self.text(of: catalog).matches(of: /\n- <doc:(\w+)>/).map { String($0.1) })
        let articles = try SampledDocument.all().map(\.path).filter { $0 != "README.md" && $0 != catalog }
            .map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
        #expect(listed == Set(articles))
    }
}

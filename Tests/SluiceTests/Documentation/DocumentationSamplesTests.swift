import Foundation
import TestSupport
import Testing

/// The files in `Samples` hold the samples of the documentation, which are compiled and run with the other tests.
/// This suite compares the files with the documents.
@Suite struct DocumentationSamplesTests {
    /// `make samples` sets a variable: the files are written then.
    private static let writes = TestEnvironment.text("SLUICE_WRITE_SAMPLES") != nil

    @Test func `the compiled samples equal the samples of the documents`() throws {
        var names: Set<String> = []
        for document in try SampledDocument.all() + SampledDocument.sources() where !document.lines.isEmpty {
            names.insert("\(document.suite).swift")
            let file = SampledDocument.folder.appendingPathComponent("\(document.suite).swift")
            let samples = document.samples
            if Self.writes {
                try Data((samples.map(\.code).joined(separator: "\n") + "\n").utf8).write(to: file)
            }
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            let compiled = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            guard !compiled.elementsEqual(samples, by: { $0 == $1.code }) else { continue }
            let same = zip(compiled, samples).prefix { $0 == $1.code }.count
            let line = samples[same...].lazy.compactMap(\.line).first
            Issue.record(
                "\(document.path):\(line ?? 1): this sample is not the one that was compiled: run make samples")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: SampledDocument.folder.path)
        #expect(files.filter { !names.contains($0) } == [], "no document has these samples")
    }

    @Test func `samples that are not compiled are marked and counted`() throws {
        let places = try SampledDocument.all().flatMap { document in
            document.notCompiled.map { _ in document.path }
        }
        // Manifests of packages, an exported import, a class for Objective-C, and extensions of types of other packages.
        let folder = "Sources/Sluice/Sluice.docc/"
        #expect(
            places.sorted() == [
                "README.md", "README.md", folder + "ComingFromJSONModel.md", folder + "MovingFromJSONDecoder.md",
                folder + "Servers.md", folder + "Servers.md", folder + "Sources.md",
            ])
    }

    @Test func `samples from source files equal these files`() throws {
        let excerpts = try SampledDocument.all().flatMap { document in
            document.excerpts.map { (document.path, $0) }
        }
        #expect(excerpts.count >= 8)
        for (document, excerpt) in excerpts {
            let file = SampledDocument.root.appendingPathComponent(excerpt.source)
            let lines = try String(contentsOf: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false).map(SampledDocument.unindented)
            #expect(
                !excerpt.lines.isEmpty && lines.contains(excerpt.lines),
                "\(document):\(excerpt.number): this sample is not a part of \(excerpt.source)")
        }
    }

    @Test func `each comment holds one line of code`() throws {
        let document = try SampledDocument(
            path: "A.md",
            text: """
                Text.
                <!-- swift: func f() { -->
                ```swift
                import Sluice
                let a = 1
                ```
                ```
                let other = 2
                ```
                <!-- not compiled: an example -->
                ```swift
                let b: = 1
                ```
                <!-- in: Sources/A.swift -->
                ```swift
                if a {
                    b()
                ```
                ```swift
                import Synchronization
                ```
                <!-- swift: } -->
                """)
        #expect(document.lines.map(\.number) == [2, 4, 5, 20, 22])
        #expect(document.lines.map(\.code) == ["func f() {", "", "let a = 1", "", "}"])
        #expect(document.notCompiled == [11])
        #expect(document.excerpts == [.init(number: 15, source: "Sources/A.swift", lines: ["if a {", "b()"])])
        #expect(document.imports == ["Synchronization"])
        #expect(document.samples.contains { $0.code == "import Synchronization" })
        #expect(throws: SampledDocument.Malformed.self) {
            try SampledDocument(path: "A.md", text: "<!-- swift: let a = 1\nlet b = 2 -->")
        }
        #expect(throws: SampledDocument.Malformed.self) {
            try SampledDocument(path: "A.md", text: "```swift\nlet a")
        }
    }
}

import Foundation

/// A document whose samples are compiled: the README, or an article of the documentation.
///
/// The samples of a document are its fenced blocks of Swift. `Scripts/samples.sh` makes a test suite of them, together with the comments
/// between them, which are not rendered and have the code that a sample presupposes, one line each:
///
///     <!-- swift: @Test func `a model is decoded`() throws { -->
///
/// A block after a comment `<!-- in: Tests/Clients/Network/Sources/Client/main.swift -->` is a part of that file, which is compiled
/// elsewhere. A block after a comment `<!-- not compiled: reason -->` is left out.
struct SampledDocument {
    /// A block that is a part of a source file.
    struct Excerpt {
        /// The number of the line with the fence.
        let number: Int
        /// The path of the file from the root of the package.
        let source: String
        /// The lines without indentation.
        var lines: [String] = []
    }

    /// The path from the root of the package.
    let path: String
    let text: String
    /// The number of blocks that are not compiled.
    private(set) var uncompiledCount = 0
    private(set) var excerpts: [Excerpt] = []

    private init(path: String) throws {
        self.path = path
        text = try Self.text(of: path)
        var isOpen = false
        var isExcerpt = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                if isOpen { isExcerpt = false }
                isOpen.toggle()
            } else if isOpen {
                if isExcerpt { excerpts[excerpts.count - 1].lines.append(Self.unindented(line)) }
            } else if line.hasPrefix("<!-- not compiled: ") {
                uncompiledCount += 1
            } else if line.hasPrefix("<!-- in: ") {
                excerpts.append(Excerpt(number: index + 2, source: String(line.dropFirst(9).dropLast(4))))
                isExcerpt = true
            }
        }
    }

    /// Returns a line without the white space before it.
    static func unindented(_ line: Substring) -> String { String(line.drop { $0 == " " }) }
}

extension SampledDocument {
    /// The root of the package.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The README, and the articles in the order of their names.
    static func all() throws -> [SampledDocument] {
        let catalog = "Sources/Sluice/Sluice.docc"
        let articles = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(catalog).path
        )
        .filter { $0.hasSuffix(".md") }.sorted()
        return try (["README.md"] + articles.map { "\(catalog)/\($0)" }).map(SampledDocument.init)
    }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}

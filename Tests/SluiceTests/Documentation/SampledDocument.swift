import Foundation

/// A document whose samples are compiled: the README, an article of the documentation, or a source file that a tutorial shows.
///
/// The samples of a document are its fenced blocks of Swift. In their order they become the body of one test suite. The
/// comments between them, which are not rendered, have the code that a sample presupposes, one line each:
///
///     <!-- swift: @Test func `a model is decoded`() throws { -->
///
/// A block after a comment `<!-- in: Tests/Clients/Network/Sources/Client/main.swift -->` is a part of that file, which is compiled
/// elsewhere. A block after a comment `<!-- not compiled: reason -->` is left out.
struct SampledDocument {
    /// A line of code, and the line of the document that has it.
    struct Line: Equatable {
        let number: Int
        let code: String
    }

    /// A block that is a part of a source file.
    struct Excerpt: Equatable {
        /// The number of the line with the fence.
        let number: Int
        /// The path of the file from the root of the package.
        let source: String
        /// The lines without indentation.
        var lines: [String] = []
    }

    /// A comment that is not of the expected form, or a block without an end.
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    /// The path from the root of the package.
    let path: String
    let lines: [Line]
    /// The numbers of the lines with the fences of blocks that are not compiled.
    let notCompiled: [Int]
    let excerpts: [Excerpt]
    /// The modules that the samples import, other than those that every file with samples imports.
    let imports: Set<String>

    init(path: String, text: String, firstLine: Int = 1) throws {
        self.path = path
        var lines: [Line] = []
        var notCompiled: [Int] = []
        var excerpts: [Excerpt] = []
        var imports: Set<String> = []
        var open: Block?
        /// The kind of the next block of Swift.
        var next = Block.sample
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + firstLine
            if let block = open {
                if line == "```" {
                    open = nil
                } else if case .excerpt = block {
                    excerpts[excerpts.count - 1].lines.append(Self.unindented(line))
                } else if case .sample = block {
                    if line.hasPrefix("import ") { imports.insert(String(line.dropFirst(7))) }
                    lines.append(Line(number: number, code: line.hasPrefix("import ") ? "" : String(line)))
                }
            } else if line.hasPrefix("```") {
                let block = line == "```swift" ? next : .other
                if line == "```swift", case .other = block { notCompiled.append(number) }
                if case .excerpt(let source) = block { excerpts.append(Excerpt(number: number, source: source)) }
                next = .sample
                open = block
            } else if line.contains("<!-- swift") {
                guard line.hasPrefix("<!-- swift: "), line.hasSuffix(" -->") else {
                    throw Malformed(description: "\(path):\(number): not one line like <!-- swift: code -->")
                }
                lines.append(Line(number: number, code: String(line.dropFirst(12).dropLast(4))))
            } else if line.hasPrefix("<!-- not compiled: ") {
                next = .other
            } else if line.hasPrefix("<!-- in: ") {
                next = .excerpt(of: String(line.dropFirst(9).dropLast(4)))
            }
        }
        if open != nil { throw Malformed(description: "\(path): the last block has no end") }
        self.lines = lines
        self.notCompiled = notCompiled
        self.excerpts = excerpts
        self.imports = imports.subtracting(["Foundation", "Sluice", "Testing"])
    }

    /// A fenced block.
    private enum Block {
        /// A block of Swift that is compiled.
        case sample
        /// A block of Swift from a source file.
        case excerpt(of: String)
        /// A block that is not compiled, or not of Swift.
        case other
    }

    /// Returns a line without the white space before it.
    static func unindented(_ line: Substring) -> String { String(line.drop { $0 == " " }) }

    /// The document of a source file that a tutorial shows: all of its lines are a sample.
    init(path: String, source: String) throws {
        try self.init(path: path, text: "```swift\n\(source)```\n", firstLine: 0)
    }

    /// The name of the suite of the samples, which is also that of its file.
    var suite: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent + "Samples" }

    /// The file with the samples. Each line has the line of the document that it was made of, if any.
    var samples: [(code: String, line: Int?)] {
        var result: [(code: String, line: Int?)] = [
            ("// swift-format-ignore-file", nil),
            ("// Made from \(path) by `make samples`: change the document, not this file.", nil),
        ]
        // Without the macros, the plans by hand are compiled all the same.
        let needsMacros = lines.contains { $0.code.contains("@JSON") }
        if needsMacros { result.append(("#if Macros", nil)) }
        result += [
            ("import Foundation", nil), ("import Sluice", nil), ("import Testing", nil),
        ]
        result += imports.sorted().map { ("import \($0)", nil) }
        result += [("", nil), ("@Suite struct \(suite) {", nil)]
        var expected: Int?
        for line in lines {
            if line.number != expected {
                result.append(("#sourceLocation(file: \"\(path)\", line: \(line.number))", line.number))
            }
            result.append((line.code, line.number))
            expected = line.number + 1
        }
        result += [("#sourceLocation()", nil), ("}", nil)]
        if needsMacros { result.append(("#endif", nil)) }
        return result
    }
}

extension SampledDocument {
    /// The root of the package.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The folder of the files with the samples.
    static let folder = root.appendingPathComponent("Tests/SluiceTests/Documentation/Samples")

    /// The README, and the articles in the order of their names.
    static func all() throws -> [SampledDocument] {
        try (["README.md"] + files(in: catalog, ".md")).map { try SampledDocument(path: $0, text: text(of: $0)) }
    }

    /// The source files that the tutorial shows.
    static func sources() throws -> [SampledDocument] {
        try files(in: "\(catalog)/Resources", ".swift").map { try SampledDocument(path: $0, source: text(of: $0)) }
    }

    private static let catalog = "Sources/Sluice/Sluice.docc"

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The paths of the files in a folder that have a suffix.
    private static func files(in folder: String, _ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }
}

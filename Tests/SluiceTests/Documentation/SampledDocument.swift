import Foundation

/// A document whose samples are compiled: the README, or an article of the documentation.
///
/// The samples of a document are its fenced blocks of Swift. In their order they become the body of one test suite. The
/// comments between them, which are not rendered, have the code that a sample presupposes, one line each:
///
///     <!-- swift: @Test func `a model is decoded`() throws { -->
///
/// A block after a comment `<!-- not compiled: reason -->` is left out.
struct SampledDocument {
    /// A line of code, and the line of the document that has it.
    struct Line: Equatable {
        let number: Int
        let code: String
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

    init(path: String, text: String) throws {
        self.path = path
        var lines: [Line] = []
        var notCompiled: [Int] = []
        /// The fence that ends the open block, and whether the block is a sample.
        var open: (fence: String, isSample: Bool)?
        var skipsNext = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            if let block = open {
                if line == block.fence {
                    open = nil
                } else if block.isSample {
                    lines.append(Line(number: number, code: line.hasPrefix("import ") ? "" : String(line)))
                }
            } else if line.hasPrefix("```") {
                let isSample = line == "```swift" && !skipsNext
                if line == "```swift" && skipsNext { notCompiled.append(number) }
                skipsNext = false
                open = ("```", isSample)
            } else if line.contains("<!-- swift") {
                guard line.hasPrefix("<!-- swift: "), line.hasSuffix(" -->") else {
                    throw Malformed(description: "\(path):\(number): not one line like <!-- swift: code -->")
                }
                lines.append(Line(number: number, code: String(line.dropFirst(12).dropLast(4))))
            } else if line.hasPrefix("<!-- not compiled: ") {
                skipsNext = true
            }
        }
        if open != nil { throw Malformed(description: "\(path): the last block has no end") }
        self.lines = lines
        self.notCompiled = notCompiled
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
            ("import Foundation", nil), ("import Sluice", nil), ("import Testing", nil), ("", nil),
            ("@Suite struct \(suite) {", nil),
        ]
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
        let catalog = "Sources/Sluice/Sluice.docc"
        let articles = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(catalog).path)
        let paths = ["README.md"] + articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }
        return try paths.map { path in
            try SampledDocument(
                path: path, text: String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
        }
    }
}

import Foundation
import Testing

/// The folders of SluiceCore are layers: a file refers only to types of its own folder and of folders above it.
@Suite struct LayerTests {
    private static let layers = [
        "Text", "Numbers", "Errors", "Values", "Shapes", "Models", "Plans", "Tokens", "Driver", "Writer", "Options",
        "Tape",
        "Codable", "Streams", "Decoder", "Encoder",
    ]

    private struct Source {
        let path: String
        let layer: Int?
        /// The lines, without comments and the contents of strings.
        let lines: [String]
    }

    private static func sources() throws -> [Source] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().appending(path: "Sources/SluiceCore")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                String(line).replacing(/\/\/.*/, with: "").replacing(/"(?:\\.|[^"\\])*"/, with: "\"\"")
            }
            return Source(path: path, layer: layers.firstIndex(of: String(path.prefix { $0 != "/" })), lines: lines)
        }
    }

    /// The layer that declares each type at the top level of a file. A name that several layers declare is left out.
    private static func declarations(in sources: [Source]) -> [String: Int] {
        var layers: [String: Set<Int>] = [:]
        let modifier =
            "(?:public|package|internal|private|fileprivate|final|indirect|nonisolated|@\\w+(?:\\([^)]*\\))?)"
        let pattern = "^(?:\(modifier) +)*(?:struct|class|enum|protocol|actor|typealias) +(\\w+)"
        guard let declaration = try? Regex(pattern, as: (Substring, Substring).self) else { return [:] }
        for source in sources {
            guard let layer = source.layer else { continue }
            for line in source.lines {
                if let match = line.firstMatch(of: declaration) {
                    layers[String(match.1), default: []].insert(layer)
                }
            }
        }
        return layers.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    @Test func `every file belongs to a layer`() throws {
        let sources = try Self.sources()
        #expect(sources.count > 100)
        #expect(sources.filter { $0.layer == nil }.map(\.path) == [])
    }

    @Test func `no file refers to a type of a lower layer`() throws {
        let sources = try Self.sources()
        let declared = Self.declarations(in: sources)
        #expect(declared["Driver"] == Self.layers.firstIndex(of: "Driver"))
        for source in sources {
            guard let layer = source.layer else { continue }
            for (index, line) in source.lines.enumerated() {
                for word in line.matches(of: /\b[A-Z]\w+/) {
                    let name = String(word.output)
                    guard let home = declared[name], home > layer else { continue }
                    Issue.record(
                        "\(source.path):\(index + 1): \(name) is declared in the lower layer \(Self.layers[home])")
                }
            }
        }
    }

    /// A linker that takes only the needed object files of a static library takes the file of a protocol that a type is cast to,
    /// but not another file of which no other symbol is used.
    @Test func `a conformance that a cast looks up is in the file of the protocol`() throws {
        let sources = try Self.sources()
        var casts: Set<String> = ["JSONConvertible"]
        for line in sources.lazy.flatMap(\.lines) {
            for match in line.matches(of: /\b(?:as\?|is) any \(?([A-Z]\w+)/) { casts.insert(String(match.1)) }
        }
        #expect(casts.isSuperset(of: ["WritableContainer", "TapeDecodable", "TapeArray"]))
        let containers = /extension (?:Optional|Array|Set|Dictionary): ([A-Z]\w+)/
        for source in sources {
            for line in source.lines {
                guard let match = line.firstMatch(of: containers), casts.contains(String(match.1)) else { continue }
                let isDeclared = source.lines.contains { $0.contains("protocol \(match.1)") }
                #expect(isDeclared, "\(source.path): \(line)")
            }
        }
    }
}

import Foundation
import Testing

/// The folders of SluiceCore are layers: a file refers only to types of its own folder and of folders above it.
@Suite struct LayerTests {
    private static let layers = [
        "Text", "Numbers", "Errors", "Values", "Shapes", "Models", "Plans", "Options", "Tape", "Tokens", "Reading",
        "Driver", "Writer", "Decoder", "Encoder",
    ]

    private struct Source: Sendable {
        let path: String
        let layer: Int?
        /// The lines, without comments and the contents of strings.
        let lines: [String]
    }

    private static let loaded = Result { try load("SluiceCore") }

    private static func sources() throws -> [Source] { try loaded.get() }

    private static func load(_ module: String) throws -> [Source] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().appending(path: "Sources/\(module)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
        return try paths.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Build/") }.sorted().map { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { code(of: $0) }
            return Source(path: path, layer: layers.firstIndex(of: String(path.prefix { $0 != "/" })), lines: lines)
        }
    }

    /// Returns a line without its comment and the contents of its strings.
    private static func code(of line: Substring.UTF8View) -> String {
        var code: [UInt8] = []
        var (isString, isEscaped) = (false, false)
        for byte in line {
            if isString {
                (isString, isEscaped) = (
                    byte != UInt8(ascii: "\"") || isEscaped, byte == UInt8(ascii: "\\") && !isEscaped
                )
                if isString { continue }
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == UInt8(ascii: "/"), code.last == byte {
                code.removeLast()
                break
            }
            code.append(byte)
        }
        return String(decoding: code, as: UTF8.self)
    }

    /// The names and keywords of a line.
    private static func words(of line: String) -> [Substring] {
        line.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                false
            default: true
            }
        }.map { Substring($0) }
    }

    /// The layer that declares each type at the top level of a file. A name that several layers declare is left out.
    private static func declarations(in sources: [Source]) -> [String: Int] {
        var layers: [String: Set<Int>] = [:]
        let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        for source in sources {
            guard let layer = source.layer else { continue }
            for line in source.lines where !line.hasPrefix(" ") {
                let words = words(of: line)
                guard let keyword = words.firstIndex(where: keywords.contains), keyword + 1 < words.count,
                    words[..<keyword].allSatisfy({ $0 != "extension" && $0 != "func" && $0 != "let" && $0 != "var" }
                    )
                else { continue }
                layers[String(words[keyword + 1]), default: []].insert(layer)
            }
        }
        return layers.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    /// The name of the member that a line declares, if its indentation is at most `depth`.
    private static func memberName(in line: String, depth: Int) -> String? {
        let text = line.drop { $0 == " " }
        guard line.count - text.count <= depth else { return nil }
        var words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }[...]
        while let word = words.popFirst() {
            if ["func", "var", "let", "case"].contains(word) { return words.first.map { String($0) } }
            // Modifiers come before the keyword.
            if !word.first!.isLowercase { return nil }
        }
        return nil
    }

    /// The type that a line begins to extend.
    private static func extendedType(in line: String) -> String? {
        for modifier in ["", "public ", "package "] where line.hasPrefix(modifier + "extension ") {
            return words(of: String(line.dropFirst(modifier.count + 10))).first.map { String($0) }
        }
        return nil
    }

    /// The layers that declare each member in extensions of types that higher layers know: their own, and those of the standard
    /// library. A name that a type also declares is left out.
    private static func extensionMembers(in sources: [Source]) -> [String: Set<Int>] {
        let types = declarations(in: sources)
        var members: [String: Set<Int>] = [:]
        var others: Set<String> = []
        for source in sources {
            guard let layer = source.layer else { continue }
            var isExtension = false
            for line in source.lines {
                if line.hasPrefix("}") {
                    isExtension = false
                } else if let type = extendedType(in: line) {
                    isExtension = types[type].map { $0 < layer } ?? true
                } else if isExtension {
                    if let name = memberName(in: line, depth: 4) { members[name, default: []].insert(layer) }
                } else if let name = memberName(in: line, depth: 8) {
                    others.insert(name)
                }
            }
        }
        return members.filter { !others.contains($0.key) }
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
                for word in Self.words(of: line) {
                    let name = String(word)
                    guard let home = declared[name], home > layer else { continue }
                    Issue.record(
                        "\(source.path):\(index + 1): \(name) is declared in the lower layer \(Self.layers[home])")
                }
            }
        }
    }

    @Test func `no file uses a member that a lower layer adds`() throws {
        let sources = try Self.sources()
        let members = Self.extensionMembers(in: sources)
        #expect(members["isBlank"] == [0])
        // Members of types of the standard library have these names, too.
        let known: Set<Substring> = ["utf8", "zero"]
        for source in sources {
            guard let layer = source.layer else { continue }
            for (index, line) in source.lines.enumerated() where line.contains(".") {
                for use in line.split(separator: ".").dropFirst() {
                    let name = use.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                    guard !known.contains(name), let homes = members[String(name)] else { continue }
                    if homes.contains(where: { $0 <= layer }) { continue }
                    let names = homes.map { Self.layers[$0] }
                    Issue.record("\(source.path):\(index + 1): .\(name) is declared in lower layers: \(names)")
                }
            }
        }
    }

    /// The names of such members are common, so the uses of members do not show where a layer refers to a lower one.
    @Test func `a conformance to a protocol of the standard library is in the layer of its type`() throws {
        let sources = try Self.sources()
        let types = Self.declarations(in: sources)
        // The description of a plan lists its tables.
        let known: Set<String> = ["ModelPlan", "_AnyModelPlan"]
        for source in sources {
            guard let layer = source.layer else { continue }
            for line in source.lines where line.hasPrefix("extension ") {
                guard let match = line.prefixMatch(of: /extension (\w+): (\w+)/), types[String(match.2)] == nil,
                    let home = types[String(match.1)], !known.contains(String(match.1))
                else { continue }
                #expect(home == layer, "\(source.path): \(line)")
            }
        }
    }

    /// A linker that takes only the needed object files of a static library takes the file of a protocol that a type is cast to,
    /// but not another file of which no other symbol is used.
    @Test func `a conformance that a cast looks up is in the file of the protocol`() throws {
        let sources = try Self.sources() + Self.load("SluiceCodable") + Self.load("SluiceStreams")
        var casts: Set<String> = ["JSONConvertible"]
        for line in sources.lazy.flatMap(\.lines) {
            let words = Self.words(of: line)
            for (index, word) in words.enumerated().dropLast(2)
            where (word == "as" || word == "is") && words[index + 1] == "any" {
                casts.insert(String(words[index + 2]))
            }
        }
        #expect(casts.isSuperset(of: ["WritableContainer", "TapeDecodable", "TapeArray"]))
        let containers = /extension (?:Optional|Array|Set|Dictionary): ([A-Z]\w+)/
        for source in sources {
            for line in source.lines where !line.hasPrefix(" ") && !line.isEmpty {
                guard let match = line.firstMatch(of: containers), casts.contains(String(match.1)) else { continue }
                let isDeclared = source.lines.contains { $0.contains("protocol \(match.1)") }
                #expect(isDeclared, "\(source.path): \(line)")
            }
        }
    }
}

/// The sources of the modules that are compiled as a whole in debug builds.
@Suite struct FirstSourceTests {
    /// Swift Build expects the dependencies of a module in a file that is named after the first source.
    @Test(arguments: ["SluiceCore", "SluiceCodable", "SluiceSchemas", "SluiceStreams", "Sluice"])
    func `the first source has the name of the module`(_ module: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/\(module)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
        #expect(paths.filter { $0.hasSuffix(".swift") }.min() == "Build/\(module).swift")
    }

    /// SwiftPM uses a prebuilt swift-syntax only if no macro, and no test of a macro, depends on a module of a product.
    @Test(arguments: [
        ".macro(\n            name: \"SluiceMacros\"", ".testTarget(\n            name: \"MacroTests\"",
    ])
    func `macros depend on no module of a product`(_ start: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let target = try #require(manifest.components(separatedBy: start).dropFirst().first)
        let dependencies = try #require(target.components(separatedBy: "dependencies: [").dropFirst().first)
            .components(separatedBy: "\n            ]")[0]
        for module in [
            "CKernels", "JSONPaths", "Sluice", "SluiceCodable", "SluiceCore", "SluiceSchemas", "SluiceStreams",
            "TestSupport",
        ] {
            #expect(!dependencies.contains("\"\(module)\""))
        }
        // The macros have the same parser of paths as the core.
        let copy = try FileManager.default.destinationOfSymbolicLink(
            atPath: root.appending(path: "Sources/SluiceMacros/JSONPaths").path)
        #expect(copy == "../JSONPaths")
    }
}

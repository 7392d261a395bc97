import Foundation
import Sluice
import Testing

/// Key strategies, paths, user information and configurations.
@Suite struct EncoderKeyTests {
    private static let names = [
        "", "_", "__", "a", "A", "oneTwoThree", "_oneTwoThree_", "URL", "myURL", "myURLProperty", "myURLp", "aB",
        "AB",
        "ABc", "aBC", "aBCd", "single", "snake_case", "one_TwoThree", "oneTwo_Three_", "JSONData", "version4",
        "v4Beta",
        "4Lives", "x1Y2Z3", "partCAPS", "partCAPSLowerAGAIN", "manyWordsInThisThing", "asdfĆqer", "ÄnderungÜber",
        "ǅabc",
        "aǅbc", "日本Go", "😀Smile", "aÉé", "é", "A_B", "__ThisAndThat__", "dataPoint22", "dataPoint22Word", "aB ",
        "a-BC",
        "n͡oneWord", "ALLCAPS", "e\u{301}Ab", "thisIsAnXMLProperty", "simpleOneTwo", "singleCharacterAtEndX", "a_b",
        "_oneTwo",
        "oneTwo_", "one_Two", "URLSession", "oneTWO3", "version4Thing", "a1B2", "éÉ", "__OneTwo__", "x😀Y", "iPhone",
        "_A", "aURLb",
    ]

    @Test func `keys in snake case are the same`() throws {
        for name in Self.names {
            try expectSameJSON(
                EncodedBy { encoder in
                    var keyed = encoder.container(keyedBy: TextKey.self)
                    try keyed.encode(1, forKey: TextKey(name))
                }, EncoderOptions(keys: .convertToSnakeCase))
        }
        try expectSameJSON(EncoderSample.list, EncoderOptions(keys: .convertToSnakeCase))
        try expectSameJSON(EncodedDog(name: "Rex", age: 3), EncoderOptions(keys: .convertToSnakeCase))
    }

    @Test func `a custom strategy receives the path`() throws {
        let options = EncoderOptions(
            keys: .custom { path in
                TextKey(
                    stringValue: path.map { $0.stringValue + ($0.intValue.map { "#\($0)" } ?? "") }.joined(
                        separator: "."))
            })
        try expectSameJSON(EncoderSample.list.map { [$0.parts] }, options)
        try expectSameJSON(EncodedTree(1, [EncodedTree(2, [EncodedTree(3)]), EncodedTree(4)]), options)
        try expectSameJSON(EncodedDog(name: "Rex", age: 3), options)
        try expectSameJSON([[1: 2]], options)
    }

    // MARK: Paths

    /// Records its path as text.
    private struct PathValue: Encodable {
        func encode(to encoder: any Encoder) throws {
            var single = encoder.singleValueContainer()
            let path = encoder.codingPath.map {
                "\($0.stringValue)(\($0.intValue ?? -1))\(type(of: $0) == TextKey.self)"
            }
            #expect(single.codingPath.count == encoder.codingPath.count)
            try single.encode(path.joined(separator: "/"))
        }
    }

    @Test func `paths of values are the same`() throws {
        struct Holder: Encodable {
            let value = PathValue()
            let list = [PathValue(), PathValue()]
            let optional = Optional(PathValue())
            let deep = [[["x": [PathValue()], "12": []]]]
            let integers = [3: PathValue()]
        }
        // The types of the keys in paths are not compared, only the keys of the value's own containers.
        for options in [EncoderOptions(), EncoderOptions(keys: .custom { $0[$0.count - 1] })] {
            try expectSameJSON(PathValue(), options)
            try expectSameJSON([PathValue()], options)
            try expectSameJSON(
                EncodedBy { encoder in
                    var keyed = encoder.container(keyedBy: TextKey.self)
                    try keyed.encode(PathValue(), forKey: "a")
                    try keyed.encode([PathValue()], forKey: TextKey(intValue: 7))
                    try keyed.encodeIfPresent(Optional(PathValue()), forKey: "b")
                }, options)
        }
        try expectSameJSON(Holder())
    }

    @Test func `paths of containers include all keys`() throws {
        func path(_ path: [any CodingKey]) -> [String] { path.map(\.stringValue) }
        let value = EncodedBy { encoder in
            #expect(path(encoder.codingPath) == ["root"])
            var keyed = encoder.container(keyedBy: TextKey.self)
            #expect(path(keyed.codingPath) == ["root"])
            var nested = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "nested")
            #expect(path(nested.codingPath) == ["root", "nested"])
            var array = nested.nestedUnkeyedContainer(forKey: "array")
            try array.encode(1)
            var inner = array.nestedContainer(keyedBy: TextKey.self)
            #expect(path(inner.codingPath) == ["root", "nested", "array", "Index 1"])
            #expect(inner.codingPath.last?.intValue == 1)
            try inner.encode(
                EncodedBy { encoder in
                    #expect(path(encoder.codingPath) == ["root", "nested", "array", "Index 1", "value"])
                    var single = encoder.singleValueContainer()
                    try single.encode(1)
                }, forKey: "value")
            let parent = keyed.superEncoder()
            #expect(path(parent.codingPath) == ["root", "super"])
            #expect(path(array.superEncoder().codingPath) == ["root", "nested", "array", "Index 2"])
            #expect(path(nested.superEncoder(forKey: "s").codingPath) == ["root", "nested", "s"])
        }
        _ = try SluiceJSONEncoder().encode(["root": value])
    }

    @Test func `keys in paths keep their types`() throws {
        let value = EncodedBy { encoder in
            var keyed = encoder.container(keyedBy: TextKey.self)
            try keyed.encode(
                EncodedBy { inner in
                    #expect(inner.codingPath.last is TextKey)
                    var array = inner.unkeyedContainer()
                    try array.encode(1)
                }, forKey: "a")
        }
        _ = try SluiceJSONEncoder().encode(value)
    }

    // MARK: Options

    @Test func `options can be read and changed between calls`() throws {
        let encoder = SluiceJSONEncoder()
        #expect(encoder.outputFormatting == [])
        #expect(try encoder.encode(["a": "/"], as: .string) == #"{"a":"\/"}"#)
        encoder.outputFormatting.insert(.withoutEscapingSlashes)
        encoder.keyEncodingStrategy = .convertToSnakeCase
        #expect(encoder.outputFormatting.rawValue == 8)
        #expect(try encoder.encode(["a": "/"], as: .string) == #"{"a":"/"}"#)
        encoder.outputFormatting = [.prettyPrinted]
        #expect(try encoder.encode(["a": "/"], as: .string) == "{\n  \"a\" : \"\\/\"\n}")
        if case .convertToSnakeCase = encoder.keyEncodingStrategy {} else { Issue.record("the strategy is lost") }
        let count = EncodedBy { try $0.userInfo.count.encode(to: $0) }
        #expect(try encoder.encode(count, as: .string) == "0")
        encoder.userInfo[try #require(CodingUserInfoKey(rawValue: "key"))] = 1
        #expect(try encoder.encode(count, as: .string) == "1")
    }

    // MARK: Other output

    @Test func `other forms of output`() throws {
        let encoder = SluiceJSONEncoder()
        #expect(try encoder.encode([1, 2], as: .bytes) == Array("[1,2]".utf8))
        #expect(try encoder.encode(["a": 1.5], as: .value) == ["a": 1.5])
        let path = FileManager.default.temporaryDirectory.appending(
            path: "sluice-encoder-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: path) }
        try encoder.models.write(["a": 1], to: .file(path))
        #expect(throws: JSONModelError.self) { try encoder.models.write(Double.nan, to: .file(path)) }
        #expect(try String(contentsOf: path, encoding: .utf8) == #"{"a":1}"#)
        // The strategies apply to each row, with a plan or without.
        struct Row: Encodable { let madeAt = Date(timeIntervalSince1970: 1) }
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        var writer = try encoder.models.writer(to: .file(path), framing: .lines)
        try writer.write(Row())
        try writer.write(Date(timeIntervalSince1970: 2))
        try writer.finish()
        #expect(try String(contentsOf: path, encoding: .utf8) == "{\"made_at\":1}\n2\n")
    }
}

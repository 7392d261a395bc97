import SluiceCore
import SluiceStreams
import TestSupport
import Testing

@Suite(.tags(.paths)) struct StoppingEarlyTests {
    struct Repository: JSONModel, Equatable {
        let id: Int
        var name: String?
        var owner: Owner?
        var deep: Int?
        static let plan = ModelPlan<Repository>(
            JSONField(\.id), JSONField(\.name), JSONField(\.owner), JSONField(\.deep, key: "way.to[1]"))
    }

    struct Owner: JSONModel, Equatable {
        let login: String
        static let plan = ModelPlan<Owner>(JSONField(\.login))
    }

    /// Decodes a text followed by bytes that are not JSON, from every source, whole and in pieces. Counts the pieces that were read.
    private func decode<T: JSONConvertible & Equatable>(
        _ type: T.Type, _ text: String, at path: JSONPath = JSONPath(), only: [JSONPath]? = nil,
        stopsEarly: Bool = true
    ) throws -> T {
        var values: [T] = []
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { ($0.source, $0.only, $0.stopsEarly) = (source, only, stopsEarly) }
            values.append(try decoder.decode(type, from: text, at: path))
            var read = 0
            let pieces = Array(text.utf8).pieces(of: 5) + Array(repeating: Array("nonsense".utf8), count: 100)
            let counted = pieces.lazy.map { piece in
                read += 1
                return piece
            }
            values.append(try decoder.decode(type, from: .chunks(counted), at: path))
            #expect(read < pieces.count - 90)
        }
        #expect(values.allSatisfy { $0 == values[0] })
        return values[0]
    }

    @Test func `a value at a path ends the parse`() throws {
        let text = #"{"items": [{"id": 1}, {"id": 2, "name": "b"}, nonsense"#
        #expect(try decode(Repository.self, text, at: "items[1]") == Repository(id: 2, name: "b"))
        #expect(try decode(Int.self, text, at: "items[1].id") == 2)
        #expect(try decode([Int].self, #"{"a": {"b": [1, 2]  nonsense"#, at: "a.b") == [1, 2])
        // Long enough for the vector code.
        let space = String(repeating: " ", count: 60)
        #expect(
            try decode([Double].self, #"{"a": {"b": \#(space)[1, 2.5]\#(space) nonsense"#, at: "a.b") == [1, 2.5])
        #expect(throws: JSONModelError.self) { try decode(Int.self, text, at: "items[1].id", stopsEarly: false) }
    }

    @Test func `a model with all its values ends the parse at the next key`() throws {
        let text = #"{"id": 1, "more": [], "name": "a", "owner": {"login": "b", "id": 0}, "x": nonsense"#
        let some = Repository(id: 1, name: "a")
        #expect(try decode(Repository.self, text, only: ["id", "name"]) == some)
        #expect(
            try decode(Repository.self, text, only: ["id", "owner.login"])
                == Repository(id: 1, owner: Owner(login: "b")))
        #expect(try decode(Repository.self, #"{"data": [\#(text)"#, at: "data[0]", only: ["id", "name"]) == some)
        // A model inside that has all its values does not end the parse.
        let inner = #"{"owner": {"login": "b", "x": 0}, "id": 1, "name": "a", "y": nonsense"#
        #expect(
            try decode(Repository.self, inner, only: ["id", "name", "owner.login"])
                == Repository(id: 1, name: "a", owner: Owner(login: "b")))
        // Inside of an object and an array on the path of a property.
        let deep = #"{"id": 1, "way": {"to": [0, 5, {}], "other": nonsense"#
        #expect(try decode(Repository.self, deep, only: ["id", "way.to[1]"]) == Repository(id: 1, deep: 5))
    }

    @Test func `a model that lacks a value is read to its end`() throws {
        let decoder = JSONModelDecoder.with { $0.stopsEarly = true }
        let text = #"{"id": 1, "name": "a", "owner": null, "x": 2}"#
        #expect(try decoder.decode(Repository.self, from: text) == Repository(id: 1, name: "a"))
        #expect(throws: JSONModelError.self) {
            try decoder.decode(Repository.self, from: #"{"id": 1, "name": "a", "x": nonsense}"#)
        }
        #expect(throws: JSONModelError.self) { try decoder.decode(Int.self, from: #"{"a": 1}"#, at: "b") }
    }

    @Test func `values that a wildcard selects and extra keys are read to their end`() throws {
        struct Names: JSONModel, Equatable {
            var names: [String]
            var ids: [Int]
            static let plan = ModelPlan<Names>(
                JSONField(\.names, key: "items[*].name", default: []),
                JSONField(\.ids, key: "more.*.id", default: []))
        }
        let text = #"""
            {"more": {"a": {"id": 1, "x": 2}, "b": {"id": 3}},
             "items": [{"name": "a", "x": 1}, {"name": "b", "y": [], "x": 2}], "other": nonsense
            """#
        #expect(try decode(Names.self, text) == Names(names: ["a", "b"], ids: [1, 3]))
        struct Open: JSONModel, Equatable {
            let id: Int
            var rest: [String: Int]
            static let plan = ModelPlan<Open>(JSONField(\.id), JSONField(extra: \.rest))
        }
        let decoder = JSONModelDecoder.with { $0.stopsEarly = true }
        #expect(
            try decoder.decode(Open.self, from: #"{"id": 1, "a": 2, "b": 3}"#)
                == Open(id: 1, rest: ["a": 2, "b": 3]))
    }

    @Test func `a stream of members ends with their object`() throws {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { ($0.source, $0.stopsEarly) = (source, true) }
            var ids: [Int] = []
            let text = #"{"x": {}, "data": {"items": {"a": 1, "b": 2}, "next": nonsense"#
            try decoder.forEach(Int.self, in: text, at: "data.items.*") { ids.append($0) }
            #expect(ids == [1, 2])
            // Other objects may follow.
            #expect(throws: JSONModelError.self) {
                try decoder.forEach(Int.self, in: #"{"a": {"b": [3]}, "c": nonsense"#, at: "*.b[*]") {
                    ids.append($0)
                }
            }
            #expect(ids == [1, 2, 3])
        }
    }

    @Test func `a stream ends with the array of its elements`() throws {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { ($0.source, $0.stopsEarly) = (source, true) }
            var ids: [Int] = []
            let text = #"{"x": [], "data": {"items": [1, 2, 3], "next": nonsense"#
            try decoder.forEach(Int.self, in: text, at: "data.items[*]") { ids.append($0) }
            var cursor = decoder.cursor(of: Int.self, in: text, at: "data.items[*]")
            while let id = try cursor.next() { ids.append(id) }
            #expect(ids == [1, 2, 3, 1, 2, 3])
            // Elements with all their values do not end the stream.
            var logins: [String] = []
            try decoder.forEach(Owner.self, in: #"[{"login": "a", "x": 1}, {"x": 2, "login": "b", "y": {}}]"#) {
                logins.append($0.login)
            }
            #expect(logins == ["a", "b"])
            // Other arrays may follow.
            #expect(throws: JSONModelError.self) {
                try decoder.forEach(Int.self, in: #"[{"a": [1], "b": nonsense"#, at: "[*].a[*]") { ids.append($0) }
            }
            #expect(ids.last == 1)
            #expect(throws: JSONModelError.self) {
                try decoder.forEach(Int.self, in: #"{"a": [], "b": nonsense"#, at: "c[*]") { ids.append($0) }
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `each line ends early`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder.with { ($0.source, $0.only, $0.stopsEarly) = (source, ["id"], true) }
        let text = (1...5).map { #"{"id": \#($0), "x": nonsense, "id": 0}"# }.joined(separator: "\n")
        var ids: [Int] = []
        try decoder.forEach(Repository.self, in: text, framing: .lines) { ids.append($0.id) }
        #expect(ids == [1, 2, 3, 4, 5])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `each line ends after the value at a path`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder.with { ($0.source, $0.stopsEarly) = (source, true) }
        let text = (1...5).map { #"{"a": {"id": \#($0), "x": nonsense}"# }.joined(separator: "\n")
        var ids: [Int] = []
        try decoder.forEach(Int.self, in: text, at: "a.id", framing: .lines) { ids.append($0) }
        let chunks = text.utf8.map { [$0] }
        try decoder.forEach(Int.self, in: .chunks(chunks), at: "a.id", framing: .lines) { ids.append($0) }
        #expect(ids == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a value within the limit of the document ends the parse before the limit`(
        _ source: JSONModelDecoder.Source
    ) throws {
        var decoder = JSONModelDecoder.with { ($0.source, $0.stopsEarly) = (source, true) }
        decoder.limits.document = 9
        #expect(try decoder.decode(Int.self, from: #"{"a": 1, "b": 2}"#, at: "a") == 1)
        #expect(throws: JSONModelError.self) { try decoder.decode(Int.self, from: #"{"a": 1, "b": 2}"#, at: "b") }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a stream that stops at its last number ignores the end of the text`(_ source: JSONModelDecoder.Source)
        throws
    {
        let decoder = JSONModelDecoder(from: source)
        for text in ["[1, 2", "[1, 2]", "[1, 2 nonsense"] {
            var numbers: [Int] = []
            try decoder.forEach(Int.self, in: text) { number in
                numbers.append(number)
                return number == 2 ? .stop : .continue
            }
            #expect(numbers == [1, 2])
        }
    }
}

import Foundation
import ModelInference
import Sluice
import TestSupport
import Testing

/// Models that are inferred from the files in `Fixtures/Models`, compared with the sources in `Models`, which are compiled.
@Suite struct ModelInferenceTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let fixtures = folder.appendingPathComponent("../../../Fixtures/Models").standardized

    /// Infers models from text, whole and in chunks, with each source.
    private func infer(
        _ text: String, name: String = "Root", framed: Bool = false,
        _ change: (inout InferenceOptions) -> Void = { _ in }
    ) throws -> InferredModels {
        var options = InferenceOptions()
        change(&options)
        var results: [InferredModels] = []
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder()
            decoder.source = source
            for chunk in [Int.max, 7] {
                let observer = ModelObserver(options)
                for value in framed ? text.split(separator: "\n").map(String.init) : [text] {
                    let bytes = Array(value.utf8)
                    if chunk == .max {
                        try observer.observe(bytes, with: decoder)
                    } else {
                        let chunks = stride(from: 0, to: bytes.count, by: chunk).map {
                            Array(bytes[$0..<min($0 + chunk, bytes.count)])
                        }
                        try observer.observe(.chunks(chunks), with: decoder)
                    }
                }
                results.append(InferredModels(observer, name: name))
            }
        }
        for other in results.dropFirst() { #expect(other.declarations == results[0].declarations) }
        return results[0]
    }

    // MARK: Files

    @Test(arguments: ["Orders", "Activity", "Drawing", "Catalog", "Tickets", "Query"])
    func `the models of a file are those of the compiled source`(name: String) throws {
        let input = try String(contentsOf: Self.fixtures.appendingPathComponent("\(name).json"), encoding: .utf8)
        let models = try infer(input, name: name)
        let source = models.source(of: "\(name).json", decodedBy: "let value: \(models.rootType)")
        let expected = Self.folder.appendingPathComponent("Models/\(name).swift")
        let text = "#if Macros\n\(source)#endif\n"
        if ProcessInfo.processInfo.environment["SLUICE_WRITE_MODELS"] != nil {
            try text.write(to: expected, atomically: true, encoding: .utf8)
        }
        let committed = try String(contentsOf: expected, encoding: .utf8)
        #expect(text == committed, "run the tests with SLUICE_WRITE_MODELS=1, and read the difference")
    }

    #if Macros
    @Test func `the compiled models encode equal values`() throws {
        try expectRoundTrip("Orders", Orders.self, writesNulls: true)
        try expectRoundTrip("Activity", [Activity].self, writesNulls: false)
        try expectRoundTrip("Drawing", Drawing.self, writesNulls: true)
        try expectRoundTrip("Catalog", Catalog.self, writesNulls: false)
        try expectRoundTrip("Tickets", [Tickets].self, writesNulls: false)
        try expectRoundTrip("Query", Query.self, writesNulls: true)
    }

    private func expectRoundTrip<Root: JSONConvertible>(
        _ name: String, _ root: Root.Type, writesNulls: Bool
    ) throws {
        let input = try String(contentsOf: Self.fixtures.appendingPathComponent("\(name).json"), encoding: .utf8)
        let decoder = JSONModelDecoder()
        var encoder = JSONModelEncoder()
        encoder.nullStrategy = writesNulls ? .write : .omit
        let text = try encoder.encode(decoder.decode(root, from: input), as: .string)
        let before = try decoder.decode(JSONValue.self, from: input)
        let after = try decoder.decode(JSONValue.self, from: text)
        #expect(normalized(before) == normalized(after), "\(name)")
    }

    /// Returns a value with one form of equal numbers, such as 1 and 1.0.
    private func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number):
            if let integer = number.exactly(Int128.self) { return .number(JSONNumber(integer)) }
            guard number.description.count < 20, let double = number.double, let short = JSONNumber(double) else {
                return value
            }
            return .number(short)
        case .array(let elements): return .array(elements.map(normalized))
        case .object(let object):
            return .object(object.reduce(into: JSONObject()) { $0[$1.key] = normalized($1.value) })
        default: return value
        }
    }

    @Test func `unknown cases are decoded and kept`() throws {
        let text = #"[{"id":"1","actor":{"id":1,"login":"l"},"type":"NewEvent","payload":[1]}]"#
        let activities = try JSONModelDecoder().decode([Activity].self, from: text)
        let encoded = try JSONModelEncoder().encode(activities, as: .value)
        #expect(encoded == (try JSONModelDecoder().decode(JSONValue.self, from: text)))
        let states = try JSONModelDecoder().decode([TicketsState].self, from: #"["open","merged"]"#)
        #expect(try JSONModelEncoder().encode(states, as: .string) == #"["open","merged"]"#)
    }
    #endif

    // MARK: Scalars

    /// The attributes and the type of the member `a` of objects with these values.
    private func type(
        _ values: String..., options change: (inout InferenceOptions) -> Void = { _ in }
    ) throws -> String {
        let text = "[" + values.map { $0.isEmpty ? "{}" : "{\"a\": \($0)}" }.joined(separator: ",") + "]"
        let source = try infer(text, change).declarations
        let match = try #require(source.firstMatch(of: #/\n {4}([^\n]*)let a: ([^\n]*)\n/#), "\(source)")
        return String(match.1 + match.2)
    }

    @Test func `numbers have the narrowest type that holds all`() throws {
        #expect(try type("1", "-2") == "Int")
        #expect(try type("9223372036854775807", "-9223372036854775808") == "Int")
        #expect(try type("9223372036854775808") == "UInt64")
        #expect(try type("9223372036854775808", "-1") == "Int128")
        #expect(try type("18446744073709551616") == "Int128")
        #expect(try type("170141183460469231731687303715884105728") == "JSONNumber")
        #expect(try type("1", "1.5") == "Double")
        #expect(try type("1e2") == "Double")
        #expect(try type("9007199254740992", "1.5") == "Double")
        #expect(try type("9007199254740993", "1.5") == "JSONNumber")
        #expect(try type("-65.613616999999977") == "Double")
        #expect(try type("0.1234567890123456789") == "JSONNumber")
        #expect(try type("1e400") == "JSONNumber")
        #expect(try type("1e-400") == "JSONNumber")
        #expect(try type("0.0", "-0") == "Double")
    }

    @Test func `text is a date only if the date is encoded as the same text`() throws {
        #expect(try type(#""2024-05-06T07:08:09Z""#, #""2024-05-06T07:08:09.25Z""#) == "Date")
        let milliseconds = #""2024-05-06T07:08:09.250Z""#
        #expect(try type(milliseconds) == "@JSONTransform(.iso8601WithFractionalSeconds) Date")
        #expect(try type(milliseconds, "null", "") == "JSONPresence<String>")
        for text in [
            "2024-05-06", "2024-05-06T07:08:09", "2024-05-06T07:08:09+02:00", "2024-05-06T07:08:09.0Z",
            "2024-05-06t07:08:09Z", "2024-05-06 07:08:09Z", "2024-02-30T07:08:09Z", "2024-05-06T24:00:00Z",
            "2024-05-06T07:08:60Z", "0000-05-06T07:08:09Z", "2024-05-06T07:08:09.1234567Z",
            "1824-05-06T07:08:09.1234Z",
        ] {
            #expect(try type("\"\(text)\"") == "String", "\(text)")
        }
        #expect(try type(#""2024-05-06T07:08:09Z""#, milliseconds) == "String")
        #expect(try type(#""2024-05-06T07:08:09Z""#, options: { $0.infersDates = false }) == "String")
    }

    @Test func `dates are encoded as the text that was inferred`() throws {
        // Moments of all lengths that the inference accepts.
        for seed in 0..<120 {
            let seconds = Double((seed &* 2_654_435_761) % 2_800_000_000)
            let whole = try JSONModelEncoder().encode(Date(timeIntervalSince1970: seconds), as: .value).string
            var text = try #require(whole)
            let fraction = ["", "1", "25", "007", "1234", "00009", "987654", "000001"][seed % 8]
            if !fraction.isEmpty { text = text.dropLast() + ".\(fraction)Z" }
            #expect(try type("\"\(text)\"").hasSuffix("Date"), "\(text)")
            let date = try JSONModelDecoder().decode(Date.self, from: "\"\(text)\"")
            #expect(try JSONModelEncoder().encode(date, as: .value) == .string(text))
        }
    }

    @Test func `UUIDs and URLs are inferred if their text is kept`() throws {
        #expect(try type(#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#) == "UUID")
        #expect(try type(#""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#) == "String")
        #expect(
            try type(#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, options: { $0.infersUUIDs = false }) == "String")
        for url in [
            "http://a", "https://example.org/a/b?c=d&e=%20f#g", "ftp://example.org:8080/~x",
            "wss://a.b-c.d/;x=1,2!$'()*+@:",
        ] {
            #expect(try type("\"\(url)\"") == "URL", "\(url)")
            #expect(URL(string: url)?.absoluteString == url)
        }
        for url in [
            "HTTP://a", "http://", "http://a b", "http://a/%2", "http://a/[x]", "http://a/ü", "mailto:a@b", "/path",
            "http://a/#b#c", "http://a:99999/", "http://user@host/", "http://.a", "",
        ] {
            #expect(try type("\"\(url)\"") == "String", "\(url)")
        }
        #expect(try type(#""http://a""#, options: { $0.infersURLs = false }) == "String")
    }

    @Test func `few strings that repeat are an enum`() throws {
        func repeated(_ values: [String], _ times: Int) -> String {
            let objects = (0..<times).flatMap { _ in values.map { "{\"kind_of\": \"\($0)\"}" } }
            return "[" + objects.joined(separator: ",") + "]"
        }
        let source = try infer(repeated(["aA", "b c", "x"], 10)).declarations
        let expected = """
            @JSONModel(fallback: "other")
            enum KindOf: Sendable {
                case aA
                @JSONKey("b c") case bC
                case x
                case other(String)
            }

            """
        #expect(source.hasSuffix(expected), "\(source)")
        for (values, times) in [
            (["a", "b"], 9), (["a"], 100), (["a", ""], 50), (["a", "1"], 50), ((0..<25).map { "v\($0)" }, 50),
            (["a", String(repeating: "b", count: 41)], 50),
        ] {
            #expect(!(try infer(repeated(values, times)).declarations.contains("enum")), "\(values)")
        }
        #expect(!(try infer(repeated(["a", "b"], 10)) { $0.infersEnums = false }.declarations.contains("enum")))
    }

    @Test func `scalars of several types are an enum`() throws {
        let source = try infer(
            #"[{"a": 1, "b": true, "c": "x"}, {"a": "x", "b": 1.5, "c": [1]}, {"a": 2, "b": "x", "c": 1}]"#)
        #expect(
            source.declarations.contains(
                """
                @JSONModel(.untagged)
                enum BoolOrDoubleOrString: Sendable {
                    case bool(Bool)
                    case double(Double)
                    case string(String)
                }

                """), "\(source.declarations)")
        #expect(
            source.declarations.contains("let a: IntOrString\n")
                && source.declarations.contains("let c: JSONValue\n"))
        #expect(try type("1", #""x""#, "null") == "IntOrString?")
        #expect(try infer(#"{"a": [1, "x"], "b": ["y", 2]}"#).declarations.matches(of: /enum/).count == 1)
    }

    // MARK: Models for decoding

    @Test func `models for decoding have types that a programmer writes`() throws {
        func decoded(_ values: String...) throws -> String {
            let text = "[" + values.map { $0.isEmpty ? "{}" : "{\"a\": \($0)}" }.joined(separator: ",") + "]"
            let source = try infer(text) { $0.purpose = .decoding }.declarations
            let match = try #require(source.firstMatch(of: #/\n {4}([^\n]*let a: [^\n]*)\n/#), "\(source)")
            return String(match.1)
        }
        #expect(try decoded("1", "null", "") == "let a: Int?")
        #expect(try decoded("null", "") == "let a: JSONValue?")
        #expect(try decoded(#""2024-05-06T07:08:09+02:00""#, #""2024-05-06T07:08:09.1234567Z""#) == "let a: Date")
        #expect(try decoded(#""2024-05-06T07:08:09.120Z""#, "") == "let a: Date?")
        #expect(try decoded(#"["2024-05-06T07:08:09.120Z"]"#) == "let a: [Date]")
        #expect(try decoded(#""2024-05-06T07:08:09""#) == "let a: String")
        #expect(try decoded(#""2024-05-06T07:08:09+25:00""#) == "let a: String")
        #expect(try decoded(#""2024-05-06T07:08:09.Z""#) == "let a: String")
        #expect(try decoded(#""e621e1f8-C36C-495a-93fc-0c247a3e6e5f""#) == "let a: UUID")
        #expect(try decoded(#""e621e1f8-C36C-495a-93fc-0c247a3e6e5g""#) == "let a: String")
        let source = try infer(#"{"a": 1}"#) { $0.purpose = .decoding }.source(of: "x.json", decodedBy: "call")
        #expect(
            source.hasPrefix(
                "// The models of x.json, inferred by `sluice model`.\n//\n//     call\n\nimport Sluice\n"))
    }

    // MARK: Nulls and missing keys

    @Test func `missing keys and null are kept apart`() throws {
        #expect(try type("1", "") == "Int?")
        #expect(try type("1", "null") == "Int?")
        #expect(try infer(#"[{"a":1},{"a":null}]"#).writesNulls)
        #expect(!(try infer(#"[{"a":1},{}]"#).writesNulls))
        #expect(try type("1", "null", "") == "JSONPresence<Int>")
        #expect(try type("1", "null", options: { $0.nulls = .omit }) == "JSONPresence<Int>")
        #expect(try type("1", "", options: { $0.nulls = .write }) == "JSONPresence<Int>")
        #expect(try type("null") == "JSONValue")
        #expect(try type("null", "") == "JSONPresence<JSONValue>")
        #expect(try type("[1, null]") == "[Int?]")
        #expect(try type("[]", "null") == "[JSONValue]?")
        #expect(try type("1", #""x""#) == "IntOrString")
        #expect(try type(#"{"1": null, "2": 3}"#) == "[String: Int?]")
        #expect(try infer("[1, null]").rootType == "[Int?]")
        #expect(try infer("null").rootType == "JSONValue")
    }

    @Test func `a duplicate key is counted once`() throws {
        #expect(try infer(#"[{"a": 1, "a": 2}, {}]"#).declarations.contains("let a: Int?"))
    }

    // MARK: Objects

    @Test func `objects with data as keys are dictionaries`() throws {
        for keys in [
            ["1"], ["10", "20"], ["2024-05-06"], ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "0123456789abcdef"],
        ] {
            let text = "{" + keys.map { "\"\($0)\": {\"a\": 1}" }.joined(separator: ",") + "}"
            #expect(try infer(text).rootType == "[String: Root]", "\(keys)")
            #expect(try infer(text) { $0.infersDictionaries = false }.rootType == "Root")
        }
        // Few keys of many in each object.
        let sparse = (0..<40).map { "{\"k\($0)\": 1, \"k\(($0 + 7) % 40)\": 2}" }.joined(separator: ",")
        #expect(try infer("[\(sparse)]").rootType == "[[String: Int]]")
        #expect(try infer(#"{"": 1, "$": "x"}"#).rootType == "Root")
        #expect(try infer("{}").rootType == "[String: JSONValue]")
        #expect(try infer(#"{"1": 1, "2": "x"}"#).rootType == "Root")
    }

    @Test func `paths, addresses and optional scalars make dictionaries`() throws {
        #expect(try infer(#"{"/a": {"get": 1}, "/b/{id}": {"post": "x"}}"#).rootType == "[String: Root]")
        #expect(try infer(#"{"a@b.c": 1, "d@b.c": 2}"#).rootType == "[String: Int]")
        #expect(try infer(#"{"@id": "x", "@value": "y"}"#).rootType == "Root")
        #expect(try infer(#"{"/a": 1, "b": 2}"#).rootType == "Root")
        // Packages of npm.
        #expect(
            try infer(#"[{"a": "1", "b": "2"}, {"c": "1"}, {"b": "2", "d": "3"}]"#).rootType == "[[String: String]]"
        )
        #expect(try infer(#"[{"a": "1", "b": "2"}, {"c": "1"}]"#).rootType == "[Root]")
        #expect(try infer(#"[{"a": "1", "b": "2", "c": "3", "d": "4"}, {"a": "1"}]"#).rootType == "[Root]")
    }

    @Test func `the objects at a path are dictionaries on request`() throws {
        func models(_ text: String, _ paths: JSONPath...) throws -> String {
            try infer(text) { $0.dictionaries = paths }.declarations
        }
        let text = #"{"a": {"x": 1, "y": 2}, "b": [{"c": {"x": {"z": 1}}}, {"c": null}]}"#
        #expect(try models(text, "a").contains("let a: [String: Int]\n"))
        #expect(try models(text, "b.c").contains("let c: [String: C]?\n"))
        #expect(try models(text, "b[*].c", "b.c.*").contains("let c: [String: [String: Int]]?\n"))
        #expect(try models(text, "none").contains("let a: A\n"))
        let events = #"[{"type": "a", "m": {"x": 1}, "p": 1}, {"type": "b", "m": {"y": 1}, "q": 1}]"#
        #expect(try !models(events, "m").contains("let m: M"))
    }

    @Test func `the number of keys and the depth are bounded`() throws {
        let wide = "{" + (0..<300).map { "\"key\($0)\": \($0)" }.joined(separator: ",") + "}"
        #expect(try infer(wide) { $0.infersDictionaries = false }.rootType == "[String: Int]")
        let mixed = (0..<300).map { "\"key\($0)\": \($0 % 2 == 0 ? "1" : "\"x\"")" }.joined(separator: ",")
        #expect(try infer("{\(mixed)}").rootType == "[String: IntOrString]")
        func nested(_ depth: Int, _ inner: String) -> String {
            String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
        }
        let deep = try infer(nested(400, ""))
        #expect(deep.rootType == nested(64, "JSONValue"))
        #expect(deep.source(of: "", decodedBy: "").contains("// Values inside of 64 containers are JSONValue.\n"))
        let longKey = "{\"\(String(repeating: "k", count: 300))\": 1, \"x\": 2}"
        #expect(try infer(longKey).rootType == "[String: Int]")
    }

    @Test func `too many keys are reported`() throws {
        // 120,000 different keys in objects of 200 keys.
        let many = (0..<600).map { object in
            "\"o\(object)\": {" + (0..<200).map { "\"k\(object)x\($0)\": true" }.joined(separator: ",") + "}"
        }
        func groups(_ change: (inout InferenceOptions) -> Void = { _ in }) throws -> (ModelObserver, InferredModels)
        {
            var options = InferenceOptions()
            change(&options)
            let observer = ModelObserver(options)
            let text = (0..<3).map { "\"a\($0)\": {\(many[$0 * 200..<($0 + 1) * 200].joined(separator: ","))}" }
            try observer.observe("{\(text.joined(separator: ","))}", with: JSONModelDecoder())
            return (observer, InferredModels(observer, name: "Root"))
        }
        let (full, models) = try groups { $0.infersDictionaries = false }
        let note =
            "The values have more than 100000 different keys. Objects with further keys are [String: JSONValue]."
        #expect(full.notes == [note])
        #expect(models.source(of: "x.json", decodedBy: "").contains("`sluice model`.\n// \(note)\n//\n"))
        #expect(models.rootType == "Root" && models.declarations.contains("[String: JSONValue]"))
        // Dictionaries are found before there are too many keys.
        let (observer, merged) = try groups()
        #expect(observer.notes == [])
        #expect(merged.declarations.contains("let a2: [String: [String: Bool]]"), "\(merged.declarations)")
    }

    @Test func `a tag divides objects wherever it is`() throws {
        let first = #"{"type": "a", "x": 1, "y": 1}"#
        let last = #"{"y": 2, "x": 2, "type": "a"}"#
        let other = #"{"z": "text", "type": "b"}"#
        let source = try infer("[\(first), \(last), \(other), \(other)]").declarations
        let expected = """
            @JSONModel(tag: "type", fallback: "other")
            enum Root: Sendable {
                case a(A)
                case b(B)
                case other(JSONValue)
            }

            @JSONModel
            struct A: Sendable {
                let x: Int
                let y: Int
            }

            @JSONModel
            struct B: Sendable {
                let z: String
            }

            """
        #expect(source == expected, "\(source)")
        func models(of objects: String..., change: (inout InferenceOptions) -> Void = { _ in }) throws -> String {
            try infer("[" + objects.joined(separator: ",") + "]", change).declarations
        }
        #expect(try models(of: last, first, other, other).contains("case b(B)"))
        // Objects without a tag, and tags that are not strings.
        #expect(try models(of: last, first, other, other, "{}").contains("let type: String?"))
        #expect(try models(of: last, first, other, other, #"{"type": 1}"#).contains("let type: IntOrString"))
        #expect(try models(of: last, first, other, other, #"{"type": [1]}"#).contains("let type: JSONValue"))
        #expect(
            try models(of: last, first, other, other, #"{"type": null}"#).contains("let type: JSONPresence<String>")
        )
        #expect(
            try models(of: first, last, other, other, change: { $0.infersUnions = false }).contains(
                "let type: String"))
        // Too many tags.
        let many = (0..<40).map { "{\"type\": \"t\($0)\", \"k\($0 % 7)\": 1}" }.joined(separator: ",")
        let merged = try models(of: many)
        #expect(merged.contains("let type: String\n") && merged.contains("let k6: Int?"), "\(merged)")
        // A tag with another key.
        let verbs = #"{"verb": "a", "x": 1}, {"verb": "a", "x": 1}, {"verb": "b"}, {"verb": "b"}"#
        #expect(!(try models(of: verbs).contains("enum")))
        let tagged = try models(of: verbs) { $0.tags.insert("verb", at: 0) }
        #expect(tagged.contains(#"@JSONModel(tag: "verb", fallback: "other")"#))
    }

    @Test func `a tag that determines nothing is a member`() throws {
        let objects = (0..<40).map {
            "{\"id\": \($0), \"type\": \"t\($0 % 3)\"\($0 % 5 == 0 ? "" : ", \"x\": 1")}"
        }
        let source = try infer("[" + objects.joined(separator: ",") + "]").declarations
        #expect(source.contains("let id: Int\n    let type: RootType\n    let x: Int?"), "\(source)")
        #expect(source.contains("enum RootType"))
    }

    // MARK: Recursive data

    @Test func `a model may contain itself`() throws {
        #expect(
            try infer(#"{"a":[{"a":[{}]}]}"#).declarations
                == "@JSONModel\nstruct Root: Sendable {\n    let a: [Root]?\n}\n")
        let comments = """
            {"id":1,"text":"x","replies":[{"id":2,"text":"y","replies":[{"id":3,"text":"z","replies":[]}]},
            {"id":4,"text":"q","replies":[]}]}
            """
        let tree = try infer(comments, name: "Comment").declarations
        #expect(tree.contains("let replies: [Comment]") && tree.matches(of: /struct/).count == 1, "\(tree)")
        let filter = try infer(
            #"{"and":[{"or":[{"field":"a"},{"and":[{"field":"b"}]}]},{"and":[{"or":[{"field":"c"}]}]}]}"#)
        #expect(filter.declarations.contains("let and: ["))
        let type = #"{"kind": "A", "of": {"kind": "B", "of": {"kind": "C", "of": null}}}"#
        let expected = """
            @JSONModel
            final class Root: Sendable {
                let kind: String
                let of: Root?
            }

            """
        #expect(try infer(type).declarations == expected)
        // The conformances of a class are not synthesized, and its size must be finite.
        #expect(try infer(type) { $0.conformances = ["Hashable"] }.declarations.contains("let of: JSONValue"))
        // A value that contains itself has no finite size.
        let list = try infer(#"{"a":[{"v":1,"next":{"v":2,"next":{"v":3,"list":[{"a":[]}]}}}]}"#)
        #expect(list.rootType == "Root")
    }

    @Test func `recursive data of any form has models`() throws {
        var random = Random(seed: 44)
        for _ in 0..<600 {
            let text = random.tree(depth: 3 + random.below(4))
            let observer = ModelObserver()
            try observer.observe(text, with: JSONModelDecoder())
            #expect(!InferredModels(observer, name: "Root").rootType.isEmpty)
        }
    }

    /// Random trees of few keys, whose models contain each other.
    private struct Random {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }

        mutating func tree(depth: Int) -> String {
            switch depth <= 0 ? below(3) : below(9) {
            case 0: return "1"
            case 1: return below(2) == 0 ? "\"x\"" : "null"
            case 2: return "{}"
            case 3, 4: return "[" + (0..<below(4)).map { _ in tree(depth: depth - 1) }.joined(separator: ",") + "]"
            default:
                var members: [String] = []
                for key in ["a", "b", "c", "type", "10", "20"] where below(3) == 0 {
                    let isTag = key == "type" && below(4) > 0
                    members.append("\"\(key)\":" + (isTag ? "\"t\(below(3))\"" : tree(depth: depth - 1)))
                }
                return "{" + members.joined(separator: ",") + "}"
            }
        }
    }

    @Test func `many models take time in proportion to their number`() throws {
        // 4,000 models of one name with different keys, each in another model.
        let groups = (0..<16).map { group in
            let members = (0..<250).map { number in
                let id = group * 250 + number
                return "\"p\(id)\":{\"item\":{\"k\(id)\":1,\"l\(id)\":2},\"u\(id)\":1,\"w\(id)\":1}"
            }
            return "\"g\(group)\":{\(members.joined(separator: ","))}"
        }
        var options = InferenceOptions()
        options.infersDictionaries = false
        let observer = ModelObserver(options)
        try observer.observe("{\(groups.joined(separator: ","))}", with: JSONModelDecoder())
        let start = ThreadTime.now
        let models = InferredModels(observer, name: "Root")
        #expect(ThreadTime.now - start < .seconds(30))
        #expect(models.declarations.matches(of: /struct \w+/).count == 8_017)
    }

    @Test func `unions in several places have the cases of all`() throws {
        func event(_ type: String, _ payload: String) -> String {
            #"{"id":1,"type":"\#(type)","payload":\#(payload)}"#
        }
        let first = [event("a", #"{"x":1}"#), event("b", #"{"y":"t"}"#)]
        let second = [event("b", #"{"z":true}"#), event("c", #"{"w":1}"#)]
        let lists = [first, second].map { list in (list + list).joined(separator: ",") }
        let source = try infer(#"{"first":[\#(lists[0])],"second":[\#(lists[1])],"plain":[{"id":2},{"id":3}]}"#)
        let text = source.declarations
        #expect(text.contains("let first: [First]\n") && text.contains("let second: [First]\n"), "\(text)")
        #expect(text.contains("case a(") && text.contains("case b(") && text.contains("case c("))
        #expect(text.contains("let y: String?") && text.contains("let z: Bool?"), "\(text)")
        #expect(text.contains("let plain: [Plain]\n"), "\(text)")
    }

    // MARK: Selection

    @Test func `values at a path are selected`() throws {
        let text = """
            {"page": {"items": [{"a": 1}, {"a": "x"}], "items2": [true]}, "items": [{"a": false}],
            "n": {"k": {"b": 1}, "l": {"b": 2}}}
            """
        func root(_ path: JSONPath) throws -> String {
            let models = try infer(text) { $0.path = path }
            let types = models.declarations.matches(of: /let \w+: (\S+)/).map(\.1)
            return ([Substring(models.rootType)] + types).joined(separator: " ")
        }
        #expect(try root("page.items[*]") == "Root IntOrString")
        #expect(try root("page.items[1]") == "Root String")
        #expect(try root("items[*]") == "Root Bool")
        #expect(try root("items") == "[Root] Bool")
        #expect(try root("n.*") == "Root Int")
        #expect(try root("n.*.b") == "Int")
        #expect(try root("page.items[*].a") == "IntOrString")
        var options = InferenceOptions()
        options.path = "nothing[*]"
        let observer = ModelObserver(options)
        try observer.observe(text, with: JSONModelDecoder())
        #expect(!observer.hasValues)
    }

    @Test func `several documents have one model`() throws {
        let models = try infer("{\"a\": 1}\n{\"b\": \"x\"}\n{\"a\": null}", framed: true)
        #expect(models.declarations.contains("let a: JSONPresence<Int>\n    let b: String?"))
    }

    @Test func `an error has a location`() {
        let observer = ModelObserver()
        #expect {
            try observer.observe("[1,\n 2,,]", with: JSONModelDecoder())
        } throws: {
            ($0 as? JSONModelError)?.issues.first?.location.line == 2
        }
    }

    // MARK: Names

    @Test func `options change the declarations`() throws {
        let source = try infer(#"{"full_name": "x", "b": 1}"#) {
            $0.access = "public"
            $0.conformances = ["Hashable", "Sendable"]
            $0.keys = .asDeclared
        }.declarations
        let expected = """
            @JSONModel(keys: .asDeclared)
            public struct Root: Hashable, Sendable {
                @JSONKey("full_name") public let fullName: String
                public let b: Int
            }

            """
        #expect(source == expected)
        let plain = try infer(#"{"b": 1}"#) {
            $0.conformances = []
            $0.keys = .snakeCase
        }.declarations
        #expect(plain == "@JSONModel(keys: .snakeCase)\nstruct Root {\n    let b: Int\n}\n")
    }

    @Test func `any key has a name`() throws {
        let names = [
            ("class", "let `class`"), ("self", #"@JSONKey("self") let selfValue"#),
            ("1st", #"@JSONKey("1st") let _1st"#),
            ("a-b", "let aB"), ("a_b", #"@JSONKey("a_b") let aB2"#), ("aB", #"@JSONKey("aB") let aB3"#),
            ("é", "let é"), ("\u{1F600}", "@JSONKey(\"\u{1F600}\") let value"),
            ("a.b", ##"@JSONKey(#"["a.b"]"#) let aB4"##),
            ("*", ##"@JSONKey(#"["*"]"#) let value2"##), ("with space", #"@JSONKey("with space") let withSpace"#),
            ("_", #"@JSONKey("_") let value3"#), ("quote\"", ##"@JSONKey(#"quote""#) let quote"##),
            ("back\\slash", ##"@JSONKey(#"["back\\slash"]"#) let backSlash"##),
            ("URLName", #"@JSONKey("URLName") let urlName"#),
            ("ID", #"@JSONKey("ID") let id"#),
        ]
        let object = names.reduce(into: JSONObject()) { $0[$1.0] = 1 }
        let source = try infer(JSONModelEncoder().encode(JSONValue.object(object), as: .string)).declarations
        let lines = source.split(separator: "\n").filter { $0.contains("let ") }
        #expect(lines == names.map { Substring("    \($0.1): Int") })
    }

    @Test func `cases have names that the macro accepts`() throws {
        let values = ["plan", "jsonShape", "json_shape", "self", "jsonPlan", "Type"]
        let objects = (0..<60).map { "{\"kind\": \"\(values[$0 % values.count])\"}" }.joined(separator: ",")
        let source = try infer("[\(objects)]").declarations
        let cases = source.matches(of: /\n    (.*case \w+)/).map { String($0.1) }
        #expect(
            cases == [
                #"@JSONKey("plan") case planValue"#, #"@JSONKey("jsonShape") case jsonShapeValue"#,
                #"@JSONKey("json_shape") case jsonShapeValue2"#, #"@JSONKey("self") case selfValue"#,
                "case jsonPlan",
                #"@JSONKey("Type") case type"#, "case other",
            ], "\(source)")
    }

    @Test(arguments: [
        ("Reviews", "Review"), ("News", "News"), ("Aliases", "Alias"), ("Caches", "Cache"), ("Axes", "Axis"),
        ("Heroes", "Hero"), ("Superheroes", "Superhero"), ("Analyses", "Analysis"), ("Hypotheses", "Hypothesis"),
        ("Gps", "Gps"), ("Dns", "Dns"), ("Lenses", "Lens"), ("Lens", "Lens"), ("Categories", "Category"),
        ("Movies", "Movie"), ("Ties", "Tie"), ("Boxes", "Box"), ("Taxes", "Tax"), ("HomeAddresses", "HomeAddress"),
        ("Statuses", "Status"), ("Status", "Status"), ("Buses", "Bus"), ("Houses", "House"),
        ("Responses", "Response"),
        ("Databases", "Database"), ("Branches", "Branch"), ("Matches", "Match"), ("Searches", "Search"),
        ("Headaches", "Headache"), ("Hashes", "Hash"), ("Archives", "Archive"), ("Leaves", "Leaf"),
        ("Gurus", "Guru"),
        ("Apis", "Api"), ("UserIDs", "UserID"), ("Children", "Child"),
        ("GrandChildren", "GrandChild"),
        ("Grandchildren", "Grandchild"), ("MyIndices", "MyIndex"), ("Series", "Series"), ("Class", "Class"),
        ("Basis", "Basis"), ("Crews", "Crew"), ("Shoes", "Shoe"), ("Os", "Os"), ("Specimen", "Specimen"),
    ])
    func `a name has a singular`(name: String, singular: String) {
        #expect(ModelName.name(ofFile: name, isElement: true) == singular)
    }

    @Test func `types do not hide those of SwiftUI, and have a prefix on request`() throws {
        let text = #"{"view": {"a": 1}, "actor": {"b": "x"}, "user": {"c": [1]}}"#
        func names(_ prefix: String) throws -> [String] {
            try infer(text, name: "Order") { $0.prefix = prefix }.declarations.matches(of: /struct (\w+)/).map {
                String($0.1)
            }
        }
        #expect(try names("") == ["Order", "OrderView", "OrderActor", "User"])
        #expect(try names("GH") == ["GHOrder", "GHView", "GHActor", "GHUser"])
    }

    @Test func `types do not hide others`() throws {
        let text = #"{"string": {"a": 1}, "url": {"b": 1}, "root": {"c": 1}, "string_": {"d": 1}}"#
        let names = try infer(text).declarations.matches(of: /struct (\w+)/).map { String($0.1) }
        #expect(names == ["Root", "RootString", "RootURL", "RootRoot", "StringModel"])
    }

    @Test func `no type begins with JSON`() throws {
        let text = #"{"json": {"a": 1}, "JSON": {"b": "x"}, "json_": {"c": [1]}, "_json": {"d": true}}"#
        let names = try infer(text).declarations.matches(of: /struct (\w+)/).map { String($0.1) }
        #expect(names == ["Root", "RootJSON", "RootJSONModel", "RootJSON2", "RootJSON3"])
    }

    @Test(arguments: [
        ("repositories.json", "Repositories", "Repository"),
        ("/data/github_events.json", "GithubEvents", "GithubEvent"),
        ("-", "Root", "Root"), ("3.json", "Root", "Root"), ("data.json.gz", "DataRoot", "DataRoot"),
        ("boxes", "Boxes", "Box"), ("addresses", "Addresses", "Address"), ("status", "Status", "Status"),
        ("children", "Children", "Child"), ("iso_639-3.json", "Iso639_3", "Iso639_3"),
        ("my_indices", "MyIndices", "MyIndex"), ("json.json", "RootJSON", "RootJSON"),
        ("json-feeds.json", "RootJSONFeeds", "RootJSONFeed"),
    ])
    func `a model is named after its file`(file: String, name: String, element: String) {
        #expect(ModelName.name(ofFile: file, isElement: false) == name)
        #expect(ModelName.name(ofFile: file, isElement: true) == element)
        #expect(ModelName.isValid(name) && !ModelName.isValid("1a") && !ModelName.isValid("String"))
    }

    // MARK: Known files

    /// The folder of common benchmark files, in the environment variable SLUICE_CORPUS. Without the variable, the test is skipped.
    private static let corpus = ProcessInfo.processInfo.environment["SLUICE_CORPUS"].flatMap {
        $0.isEmpty ? nil : $0
    }

    private func inferCorpus(_ name: String) throws -> InferredModels {
        let path = try #require(Self.corpus) + "/\(name).json"
        let observer = ModelObserver()
        try observer.observe(.file(path), with: JSONModelDecoder())
        return InferredModels(observer, name: ModelName.name(ofFile: path, isElement: observer.hasOnlyArrays))
    }

    @Test(.enabled(if: corpus != nil, "SLUICE_CORPUS is not set"))
    func `known files have readable models`() throws {
        let events = try inferCorpus("github_events")
        #expect(events.rootType == "[GithubEvent]")
        #expect(events.declarations.contains("@JSONFlatten let payload: Payload"))
        #expect(events.declarations.contains("case issueCommentEvent(IssueCommentEventPayload)"))
        let catalog = try inferCorpus("citm_catalog").declarations
        #expect(catalog.contains("let events: [String: Event]"))
        #expect(catalog.contains("let topicSubTopics: [String: [Int]]"))
        let twitter = try inferCorpus("twitter")
        #expect(
            twitter.declarations.contains("let medium: Size") && twitter.declarations.contains("let user: User\n"))
        #expect(twitter.writesNulls && !twitter.declarations.contains("@JSONKey"))
        #expect(try inferCorpus("canada").declarations.contains("let coordinates: [[[Double]]]"))
    }
}

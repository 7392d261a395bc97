import Foundation
import Sluice
import Testing

private struct Point: Decodable, Equatable {
    let x: Int
    let y: Double
}

private struct Shape: Decodable {
    let name: String
    let points: [Point]
    let flags: [String: Bool]
}

private struct Accented: JSONModel, Decodable {
    var value: Int

    static let plan = ModelPlan<Accented>(JSONField(\.value, key: "\u{E9}"))
}

private let document = """
    {
      "name": "triangle",
      "points": [{"x": 1, "y": 2}, {"x": 3, "y": "four"}],
      "flags": {"a": true}
    }
    """

@Suite struct DecoderLocationTests {
    private func issue(_ body: () throws -> Void) throws -> JSONIssue {
        let error = #expect(throws: DecodingError.self) { try body() }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            return try #require(context.underlyingError as? JSONModelError).issues[0]
        default: throw CancellationError()
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the location is that of the value`(source: JSONModelDecoder.Source) throws {
        let decoder = SluiceJSONDecoder()
        decoder.source = source
        let offset = try #require(document.utf8Offset(of: #""four""#))
        let path = FileManager.default.temporaryDirectory.appending(path: "sluice-location-\(UUID()).json").path
        try Data(document.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let chunks = document.utf8.map { [$0] }
        for issue in [
            try issue { _ = try decoder.decode(Shape.self, from: document) },
            try issue { _ = try decoder.decode(Shape.self, from: Data(document.utf8)) },
            try issue { _ = try decoder.decode(Shape.self, from: .file(path)) },
            try issue { _ = try decoder.decode(Shape.self, from: .chunks(chunks)) },
        ] {
            #expect(issue.path == "points[1].y")
            #expect(issue.location == JSONLocation(offset: offset, line: 3, column: offset - 23))
            #expect(issue.kind == .typeMismatch(expected: "Double", found: "a string"))
        }
    }

    @Test(arguments: [0, 1, 50])
    func `the location in an array at the root is that of the element`(position: Int) throws {
        let elements = (0...60).map { $0 == position ? #"{"x": 1.5, "y": 0}"# : #"{"x": 1, "y": 0}"# }
        let text = "[\n" + elements.joined(separator: ",\n") + "\n]"
        for input in [[Array(text.utf8)], text.utf8.map { [$0] }] {
            let issue = try issue { _ = try SluiceJSONDecoder().decode([Point].self, from: .chunks(input)) }
            #expect(issue.path == JSONPath([.index(position), .key("x")]))
            #expect(issue.location.line == position + 2)
            #expect(issue.location.column == 7)
        }
        let issue = try issue { _ = try SluiceJSONDecoder().decode([Point].self, from: text) }
        #expect(issue.location.line == position + 2)
        #expect(issue.location.column == 7)
        #expect(issue.kind == .notAnInteger(type: "Int", text: "1.5"))
    }

    @Test func `a value in memory has no location of an earlier document`() throws {
        let decoder = SluiceJSONDecoder()
        let chunks = #"{"x": 1, "y": 2}"#.utf8.map { [$0] }
        #expect(try decoder.decode(Point.self, from: .chunks(chunks)) == Point(x: 1, y: 2))
        let value: JSONValue = ["x": 1, "y": "two"]
        let issue = try issue { _ = try decoder.decode(Point.self, from: value) }
        #expect(issue.path == "y")
        #expect(issue.location.line == 0)
    }

    @Test func `a missing key has the location of its object`() throws {
        let issue = try issue { _ = try SluiceJSONDecoder().decode([Point].self, from: #"[ {"x": 1}]"#) }
        #expect(issue.kind == .missingKeys(["y"]))
        #expect(issue.location.offset == 2)
    }

    @Test func `the hint of a missing key is a similar key of its object`() throws {
        struct Account: Decodable { let userName: String }
        let decoder = SluiceJSONDecoder()
        let one = try issue {
            _ = try decoder.decode([String: Account].self, from: #"{"userName": {"username": ""}}"#)
        }
        #expect(one.hint == #""username" is similar to "userName""#)
        let list = try issue {
            _ = try decoder.decode([Account].self, from: #"[{"userName": ""}, {"user_name": ""}]"#)
        }
        #expect(list.hint == #""user_name" is similar to "userName""#)
        let nested = try issue { _ = try decoder.decode(Account.self, from: #"[{"user-name": ""}]"#, at: "[0]") }
        #expect(nested.hint == #""user-name" is similar to "userName""#)
        #expect(try issue { _ = try decoder.decode(Account.self, from: #"{"other": ""}"#) }.hint == nil)
    }

    @Test func `a key of the object that the client calls missing has no hint`() throws {
        struct Account: Decodable {
            private enum CodingKeys: String, CodingKey { case userName }
            init(from decoder: any Decoder) throws {
                let path = try decoder.container(keyedBy: CodingKeys.self).codingPath
                throw DecodingError.keyNotFound(
                    CodingKeys.userName, DecodingError.Context(codingPath: path, debugDescription: "empty"))
            }
        }
        let decoder = SluiceJSONDecoder()
        #expect(try issue { _ = try decoder.decode(Account.self, from: #"{"userName": ""}"#) }.hint == nil)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try issue { _ = try decoder.decode(Account.self, from: #"{"user_name": ""}"#) }.hint == nil)
    }

    @Test func `the hint of a missing key states the conversion of a similar key`() throws {
        struct Account: Decodable {
            let id: Int
            let imageURL: String
            private enum CodingKeys: String, CodingKey {
                case id = "account_id"
                case imageURL
            }
        }
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let same = try issue { _ = try decoder.decode(Account.self, from: #"{"account_id": 1, "image_url": ""}"#) }
        #expect(same.kind == .missingKeys(["account_id"]))
        #expect(same.hint == #""account_id" is converted to "accountId""#)
        decoder.keyDecodingStrategy = .custom { path in
            path.last!.stringValue == "account_id" ? path.last! : TextKey("imageUrl")
        }
        let similar = try issue {
            _ = try decoder.decode(Account.self, from: #"{"account_id": 1, "image_url": ""}"#)
        }
        #expect(similar.hint == #""image_url" is converted to "imageUrl""#)
    }

    @Test func `converted keys lead to the location`() throws {
        struct Value: Decodable { let someNumber: Int }
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let issue = try issue { _ = try decoder.decode(Value.self, from: #"{"some_number": true}"#) }
        #expect(issue.location.offset == 16)
    }

    @Test func `an error of the client's initializer has the location of its path`() throws {
        struct Even: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if try container.decode(Int.self) % 2 == 1 {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "odd")
                }
            }
        }
        let issue = try issue { _ = try SluiceJSONDecoder().decode([String: [Even]].self, from: #"{"a": [2, 3]}"#) }
        #expect(issue.location.offset == 10)
        #expect(issue.kind == .invalidValue(expected: "a value", reason: "odd"))
    }

    @Test func `a date in another format has the path and the location of its text`() throws {
        struct Event: Decodable { let date: Date }
        let decoder = SluiceJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let kind = JSONIssue.Kind.invalidValue(
            expected: "a date (ISO 8601 text)", reason: #""6 May 2024" is not like 2024-05-06T07:08:09Z"#)
        let date = #"{"date": "6 May 2024"}"#
        let nested = try issue { _ = try decoder.decode([String: [Event]].self, from: #"{"a": [\#(date)]}"#) }
        #expect((nested.kind, nested.path, nested.location.offset) == (kind, "a[0].date", 16))
        let list = try issue { _ = try decoder.decode([Event].self, from: "[\(date)]") }
        #expect((list.kind, list.path, list.location.offset) == (kind, "[0].date", 10))
        let element = try issue { _ = try decoder.decode(Event.self, from: "[\(date)]", at: "[0]") }
        #expect((element.kind, element.path, element.location.offset) == (kind, "[0].date", 10))
    }

    @Test func `an enum without a known case has the reason of its initializer`() throws {
        enum Command: Decodable {
            case load(key: String)
            case ping
        }
        for text in [#"{"lod": {}}"#, "{}"] {
            let issue = try issue { _ = try SluiceJSONDecoder().decode([Command].self, from: "[\(text)]") }
            #expect(
                issue.kind
                    == .invalidValue(expected: "Command", reason: "Invalid number of keys found, expected one."))
            #expect(issue.path == "[0]")
        }
    }

    @Test func `the issue of a Decimal states what was found`() throws {
        let decoder = SluiceJSONDecoder()
        let text = #"{"a": [1.5, "2.5"]}"#
        let issues = [
            try issue { _ = try decoder.decode([String: [Decimal]].self, from: text) },
            try issue { _ = try decoder.decode([Decimal].self, from: text, at: "a") },
            try issue { _ = try decoder.decode([Decimal].self, from: #"      [1.5, "2.5"]"#) },
        ]
        for issue in issues {
            #expect(issue.kind == .typeMismatch(expected: "Decimal", found: "a string"))
            #expect(issue.location == JSONLocation(offset: 12, line: 1, column: 13))
            #expect(issue.path.components.last == .index(1))
        }
    }

    @Test func `a syntax error precedes an error of an element before`() throws {
        let text = #"[{"x": "one", "y": 1}, {"x": 1 "y": 2}]"#
        let issue = try issue { _ = try SluiceJSONDecoder().decode([Point].self, from: text) }
        #expect(issue.location.offset == 31)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an error in an array has the same place whatever failed before`(source: JSONModelDecoder.Source) throws {
        let decoder = SluiceJSONDecoder()
        decoder.source = source
        func issues<T: Decodable>(_ type: [T].Type, _ text: String) throws -> [JSONIssue] {
            [
                try issue { _ = try decoder.decode(type, from: text) },
                try issue { _ = try decoder.decode(type, from: .chunks(text.utf8.map { [$0] })) },
            ]
        }
        // The first element is valid in one text, and not in the other.
        let syntax = try [#"10000"#, #""one""#].flatMap { first in
            try issues([Point].self, #"[{"x": \#(first), "y": 1}, {"x": 1, "y": 2}, {"x": 1, "y": {"z": 2 3}}]"#)
        }
        for issue in syntax {
            #expect(issue.path == syntax[0].path)
            #expect(issue.location == syntax[0].location)
            #expect(issue.kind == syntax[0].kind)
        }
        #expect(syntax[0].path.components.first == .index(2))
        // The last token of an element, and the array.
        for issue in try issues([Int].self, " [1,\n 2, true, 3]") {
            #expect(issue.path == "[2]")
            #expect(issue.location == JSONLocation(offset: 9, line: 2, column: 5))
        }
        struct Refusing: Decodable {
            init(from decoder: any Decoder) throws {
                guard try decoder.singleValueContainer().decode(Int.self) == 2 else { return }
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "two"))
            }
        }
        for issue in try issues([Refusing].self, "\n [1, 2, 3]") {
            #expect(issue.location == JSONLocation(offset: 2, line: 2, column: 2))
        }
    }

    @Test func `the location is that of the key in the input, not that of an equal key before`() throws {
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // The keys of a dictionary are not converted.
        let converted = try issue { _ = try decoder.decode([String: Int].self, from: #"{"a_b": 1, "aB": true}"#) }
        #expect(converted.location == JSONLocation(offset: 17, line: 1, column: 18))
        // Of two keys that are canonically equivalent, a model has the value of its own, and a container that of the first.
        let exact = try issue { _ = try decoder.decode(Accented.self, from: #"{"e\u0301": 1, "\u00e9": true}"#) }
        #expect(exact.location == JSONLocation(offset: 25, line: 1, column: 26))
        struct Key: Decodable {
            enum CodingKeys: String, CodingKey { case value = "\u{E9}" }
            let value: Int
        }
        let found = try issue {
            _ = try SluiceJSONDecoder().decode(Key.self, from: #"{"e\u0301": true, "\u00e9": 1}"#)
        }
        #expect(found.location == JSONLocation(offset: 12, line: 1, column: 13))
    }

    @Test func `the location is that of the key that is converted to the key of the type`() throws {
        struct Key: Decodable { let value: Int }
        let decoder = SluiceJSONDecoder()
        // The names are exchanged.
        decoder.keyDecodingStrategy = .custom { path in
            let name = path[path.count - 1].stringValue
            return TextKey(name == "value" ? "other" : "value")
        }
        let issue = try issue { _ = try decoder.decode(Key.self, from: #"{"value": 1, "other": true}"#) }
        #expect(issue.location == JSONLocation(offset: 22, line: 1, column: 23))
    }

    @Test func `input without braces has its own locations`() throws {
        let decoder = SluiceJSONDecoder()
        decoder.assumesTopLevelDictionary = true
        let issue = try issue { _ = try decoder.decode(Point.self, from: #""x": 1, "y": true"#) }
        #expect(issue.location == JSONLocation(offset: 13, line: 1, column: 14))
        #expect(issue.excerpt == #""x": 1, "y": true"# + "\n" + String(repeating: " ", count: 13) + "^")
        // The added braces are not part of the input.
        for text in [#""x":"#, #""x""#, #""x":["#, #""x":"a"#, #""x":1,"y":["#] {
            let early = try self.issue { _ = try decoder.decode(Point.self, from: text) }
            #expect(early.kind == .unexpectedEnd)
            #expect(early.location == JSONLocation(offset: text.utf8.count, line: 1, column: text.utf8.count + 1))
            #expect(!early.excerpt.contains("{") && !early.excerpt.contains("}"))
        }
        for text in [#""x":1}"#, #""x":1} "#, #""x":1} ,"y":2"#] {
            let closed = try self.issue { _ = try decoder.decode(Point.self, from: text) }
            #expect(closed.kind == .syntax("unexpected '}'"))
            #expect(closed.location == JSONLocation(offset: 5, line: 1, column: 6))
            #expect(closed.excerpt.hasPrefix(#""x":1}"#))
        }
        let data = Data([0xEF, 0xBB, 0xBF]) + Data("\n\"x\": 1,\n\"y\": tru".utf8)
        let second = try self.issue { _ = try decoder.decode(Point.self, from: data) }
        #expect(second.location.line == 3)
        #expect(!second.excerpt.contains("}"))
    }
}

extension String {
    fileprivate func utf8Offset(of text: String) -> Int? {
        range(of: text).map { utf8.distance(from: utf8.startIndex, to: $0.lowerBound) }
    }
}

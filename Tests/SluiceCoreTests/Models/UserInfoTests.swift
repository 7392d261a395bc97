import SluiceCodable
import SluiceStreams
import Synchronization
import TestSupport
import Testing

@testable import SluiceCore

extension CodingUserInfoKey {
    fileprivate static let prefix = CodingUserInfoKey(rawValue: "prefix")!
}

/// The prefix that the caller passes; a hyphen without one.
private var prefix: String { JSONUserInfo.current[.prefix] as? String ?? "-" }

/// Values that the caller passes to hooks, transforms and `Codable` types.
@Suite struct UserInfoTests {
    private struct Prefixed: JSONTransform {
        func decode(_ json: String) -> String { prefix + json }
        func encode(_ value: String) -> String { prefix + value }
    }

    /// A type without a plan.
    private struct Plain: Codable, Equatable {
        var text: String
        init(from decoder: any Decoder) throws {
            let prefix = decoder.userInfo[.prefix] as? String ?? "-"
            text = try prefix + decoder.singleValueContainer().decode(String.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("\(encoder.userInfo[.prefix] as? String ?? "-")\(text)")
        }
    }

    private struct Part: JSONModel, JSONHooks {
        var part: String
        static let plan = ModelPlan<Part>(JSONField(\.part))
        mutating func didDecode() { part = prefix + part }
    }

    private enum Choice: JSONEnum, JSONHooks {
        case name(String)
        static let plan = ModelPlan<Choice>(cases: [.of("name", Self.name)], tagging: .untagged)
        mutating func didDecode() { if case .name(let name) = self { self = .name(prefix + name) } }
    }

    private struct Outer: JSONModel, JSONHooks, JSONValueHook {
        struct Refusal: Error { let prefix: String }

        var name: String
        var transformed: String
        var plain: JSONCodable<Plain>
        var choice: Choice
        var part: Part
        var lazy: JSONLazy<Part>
        static let plan = ModelPlan<Outer>(
            JSONField(\.name), JSONField(\.transformed, transform: Prefixed()), JSONField(\.plain),
            JSONField(\.choice), JSONField(flatten: \.part), JSONField(\.lazy))

        static func transform(_ value: JSONValue?, for property: String) -> JSONValue? {
            property == "name" ? JSONValue(prefix + (value?.string ?? "")) : value
        }
        mutating func didDecode() { name = prefix + name }
        func validate() throws { if name.isEmpty { throw Refusal(prefix: prefix) } }
        func willEncode() throws { if prefix == "!" { throw Refusal(prefix: prefix) } }

        var texts: [String] {
            get throws {
                guard case .name(let choice) = choice else { return [] }
                return try [name, transformed, plain.value.text, choice, part.part, lazy.value.part]
            }
        }
    }

    private static let text =
        #"{"name":"n","transformed":"t","plain":"p","choice":"c","part":"q","lazy":{"part":"l"}}"#

    @Test func `hooks, transforms and Codable types receive the values of the decoder`() throws {
        for feed in Feed.all() {
            var decoder = JSONModelDecoder()
            func texts() throws -> [String] {
                try feed.decode(Outer.self, Array(Self.text.utf8), with: decoder).texts
            }
            #expect(try texts() == ["--n", "-t", "-p", "-c", "-q", "-l"])
            decoder.userInfo[.prefix] = "+"
            #expect(try texts() == ["++n", "+t", "+p", "+c", "+q", "+l"])
            #expect(JSONUserInfo.current.isEmpty)
        }
    }

    @Test func `streams with several threads have the values, and a test binds them`() throws {
        var decoder = JSONModelDecoder()
        decoder.userInfo[.prefix] = "+"
        decoder.workers = .exactly(2)
        let lines = Array(repeating: Self.text, count: 2_000).joined(separator: "\n")
        var found: Set<[String]> = []
        try decoder.forEach(Outer.self, in: lines, framing: .lines) { found.insert(try $0.texts) }
        #expect(found == [["++n", "+t", "+p", "+c", "+q", "+l"]])
        var part = Part(part: "x")
        JSONUserInfo.$current.withValue([.prefix: "test "]) { part.didDecode() }
        #expect(part.part == "test x")
    }

    @Test func `the values of the encoder are those of its hooks, transforms and Codable types`() throws {
        let outer = try JSONModelDecoder().decode(Outer.self, from: Self.text)
        var encoder = JSONModelEncoder()
        encoder.userInfo[.prefix] = "+"
        let value = try JSONModelDecoder().decode(JSONValue.self, from: encoder.encode(outer))
        #expect(value["transformed"] == "+-t" && value["plain"] == "+-p" && value["name"] == "--n")
        encoder.userInfo[.prefix] = "!"
        let error = #expect(throws: JSONModelError.self) { try encoder.encode(outer) }
        #expect((error?.issues[0].underlying as? Outer.Refusal)?.prefix == "!")
    }
}

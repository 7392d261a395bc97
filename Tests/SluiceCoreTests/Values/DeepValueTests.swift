import Synchronization
import TestSupport
import Testing

@testable import SluiceCore

/// Values of many levels, on threads with half a megabyte of stack.
@Suite(.tags(.stack)) struct DeepValueTests {
    private func nested(_ depth: Int, in wrap: (JSONValue) -> JSONValue, around core: JSONValue = 1) -> JSONValue {
        (0..<depth).reduce(core) { value, _ in wrap(value) }
    }

    private static let forms: [@Sendable (JSONValue) -> JSONValue] = [
        { [$0] }, { ["key": $0] }, { [["a": $0, "b": 2], nil] },
    ]

    /// Values that are too deep to be released on a small stack.
    private static let kept = Mutex<[JSONValue]>([])

    private func keep(_ values: [JSONValue]) { Self.kept.withLock { $0 += values } }

    @Test func `deep values are compared, hashed and described on a small stack`() throws {
        try onSmallStack {
            for form in Self.forms {
                let (one, other) = (nested(4_095, in: form), nested(4_095, in: form))
                let different = nested(4_095, in: form, around: 3)
                let longer = nested(4_096, in: form)
                #expect(one == other)
                #expect(one.hashValue == other.hashValue)
                let isEqual = one == different || one == longer
                #expect(!isEqual)
                #expect(one.hashValue != different.hashValue)
                #expect(one.hashValue != longer.hashValue)
                #expect(
                    one.description.utf8.count == longer.description.utf8.count - form(1).description.utf8.count + 1
                )
                keep([one, other, different, longer])
            }
        }.get()
    }

    @Test func `an array at the greatest depth of a value takes no longer than another`() throws {
        let decoder = JSONModelDecoder.with { $0.limits.depth = 4_096 }
        func text(_ depth: Int) -> [UInt8] {
            let depth = depth - 2
            return Array(
                (String(repeating: "[", count: depth) + "["
                    + Array(repeating: "[]", count: 4_000).joined(separator: ",") + "]"
                    + String(repeating: "]", count: depth)).utf8)
        }
        func time(_ depth: Int) throws -> Duration {
            try ThreadTime.measure { _ = try decoder.decode([JSONValue].self, from: text(depth)) }
        }
        _ = try time(JSONValue.maximumDepth)
        let (short, long) = (try time(512), try time(JSONValue.maximumDepth))
        #expect(long < short * 8, "\(short), \(long)")
        #expect(try decoder.decode([JSONValue].self, from: text(JSONValue.maximumDepth)).count == 1)
        #expect(throws: JSONModelError.self) {
            try decoder.decode([JSONValue].self, from: text(JSONValue.maximumDepth + 1))
        }
    }

    @Test func `deep values are decoded and encoded on a small stack`() throws {
        try onSmallStack {
            var (decoder, encoder) = (JSONModelDecoder(), JSONModelEncoder())
            (decoder.limits.depth, encoder.limits.depth) = (4_096, 4_096)
            let value = nested(4_095, in: { [$0] })
            let text = String(repeating: "[", count: 4_095) + "1" + String(repeating: "]", count: 4_095)
            #expect(value.description == text)
            let raw = try decoder.decode(JSONRaw.self, from: value)
            #expect(raw.description == text)
            let encoded = try encoder.encode(value, as: .string)
            #expect(encoded == text)
            keep([value])
        }.get()
    }

    @Test func `a value of the greatest depth is released on a small stack`() throws {
        try onSmallStack {
            for form in Self.forms.prefix(2) {
                var value = nested(JSONValue.maximumDepth, in: form)
                value = nil
                #expect(value == nil)
            }
        }.get()
    }

    @Test func `equality and hashing consider every part`() throws {
        let texts = [
            "null", "true", "false", "1", "1.0", #""""#, #""a""#, "[]", "{}", "[null]", "[[]]", "[[],[]]", "[{}]",
            "[1,2]", "[2,1]", "[[1],2]", "[[1,2]]", #"{"a":1}"#, #"{"a":2}"#, #"{"b":1}"#, #"{"a":1,"b":2}"#,
            #"{"a":2,"b":1}"#, #"{"a":[1],"b":[2]}"#, #"{"a":[2],"b":[1]}"#, #"{"a":{"b":1}}"#, #"{"b":{"a":1}}"#,
            #"{"a":null}"#, #"[{"a":[]},{"a":{}}]"#, #"[{"a":{}},{"a":[]}]"#,
        ]
        let decoder = JSONModelDecoder()
        for (place, text) in texts.enumerated() {
            let value = try decoder.decode(JSONValue.self, from: text)
            for (otherPlace, otherText) in texts.enumerated() {
                let other = try decoder.decode(JSONValue.self, from: otherText)
                #expect((value == other) == (place == otherPlace), "\(text) and \(otherText)")
                #expect((value.hashValue == other.hashValue) == (place == otherPlace), "\(text) and \(otherText)")
            }
            #expect(try decoder.decode(JSONValue.self, from: value.description) == value)
        }
        // Names are compared by their code units.
        #expect(["\u{E9}": 1] as JSONValue != ["e\u{301}": 1])
    }

    @Test func `the order of members does not affect equality`() {
        let pairs = (0..<100).map { ("key \($0)", [.number(JSONNumber($0))] as JSONValue) }
        let one = JSONValue.object(JSONObject(uniqueKeysWithValues: pairs))
        var members = JSONObject()
        for (key, value) in pairs.reversed() { members[key] = value }
        #expect(one == .object(members))
        #expect(one.hashValue == JSONValue.object(members).hashValue)
        members["key 7"] = [8]
        #expect(one != .object(members))
    }

    @Test func `the description of a JSONValue is JSON`() {
        #expect(
            "\(["a\n\"\u{1}é", 1, true, nil, ["k": []]] as JSONValue)" == #"["a\n\"\u0001é",1,true,null,{"k":[]}]"#)
        #expect("\("text" as JSONValue)" == #""text""#)
    }
}

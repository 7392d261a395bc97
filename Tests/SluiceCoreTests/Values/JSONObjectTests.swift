import SluiceCore
import TestSupport
import Testing

/// The ordered members of a JSON object.
@Suite(.tags(.collections)) struct JSONObjectTests {
    private func object(_ text: String) throws -> JSONObject { try decode(JSONObject.self, text) }

    /// An object of so many members that they are found by a table.
    private static let wide = "{" + (0..<100).map { "\"key \($0)\":\($0)" }.joined(separator: ",") + "}"

    @Test(arguments: [#"{}"#, #"{"b":1,"a":{"z":0,"y":[]},"c":null}"#, wide])
    func `members are written in the order of the input`(_ text: String) throws {
        #expect(try encode(object(text)) == text)
        #expect(try encode(decode(JSONValue.self, text)) == text)
        #expect(try object(text).description == text)
    }

    @Test func `members are found by key and by position`() throws {
        for (text, count) in [(#"{"key 1":1,"key 0":0}"#, 2), (Self.wide, 100)] {
            let members = try object(text)
            #expect(members.count == count)
            for index in 0..<count { #expect(members["key \(index)"] == JSONValue.number(JSONNumber(index))) }
            #expect(members["key"] == nil)
            #expect(members.index(forKey: "key 0").map { members[$0].key } == "key 0")
            #expect(Array(members.keys) == members.map(\.key))
            #expect(members.values.count == count)
        }
        #expect(JSONObject().isEmpty)
        #expect(JSONObject().startIndex == JSONObject().endIndex)
    }

    @Test func `the last of two duplicate keys wins and keeps the first position`() throws {
        let few = try object(#"{"a":1,"b":2,"a":3}"#)
        #expect(Array(few.keys) == ["a", "b"])
        #expect(few["a"] == 3)
        #expect(few.count == 2)
        var many = try object(Self.wide.dropLast() + #","key 7":"x","new":1,"key 7":"y"}"#)
        #expect(many.count == 101)
        #expect(many["key 7"] == "y")
        #expect(many.index(forKey: "key 7") == many.index(forKey: "key 7"))
        #expect(Array(many.keys)[7] == "key 7")
        many["key 7"] = 7
        #expect(many.count == 101)
        #expect(try decode(JSONValue.self, #"{"a":1,"a":{"b":2},"c":3}"#) == ["a": ["b": 2], "c": 3])
        #expect(try encode(object(#"{"a":1,"a":{"a":2,"a":3}}"#)) == #"{"a":{"a":3}}"#)
    }

    @Test func `changes keep the order and do not affect copies`() throws {
        let original = try object(Self.wide)
        var changed = original
        changed["key 3"] = nil
        changed["new"] = 1
        changed["key 4"] = "four"
        changed["key 5"]? = "five"
        changed["list", default: []] = [1]
        #expect(original == (try object(Self.wide)))
        #expect(changed.count == 101)
        #expect(Array(changed.keys.prefix(5)) == ["key 0", "key 1", "key 2", "key 4", "key 5"])
        #expect(Array(changed.keys.suffix(2)) == ["new", "list"])
        #expect(changed["key 4"] == "four")
        #expect(changed.removeValue(forKey: "missing") == nil)
        #expect(changed.updateValue(2, forKey: "new") == 1)
        changed.removeAll()
        #expect(changed.isEmpty)
    }

    @Test func `many members are added and removed in linear time`() {
        let count = 200_000
        var object = JSONObject()
        for index in 0..<count { object["\(index)"] = .number(JSONNumber(index)) }
        for index in 0..<count where index % 4 != 0 { object["\(index)"] = nil }
        #expect(object.count == count / 4)
        #expect(object["4"] == 4)
        #expect(object["5"] == nil)
        for index in 0..<count where index % 4 == 0 { object["\(index)"] = nil }
        #expect(object.isEmpty)
        for index in 0..<count { object["\(index)"] = .number(JSONNumber(index)) }
        for index in 0..<count {
            let first = object.first?.key
            if first != "\(index)" { #expect(first == "\(index)") }
            if let first { object.removeValue(forKey: first) }
        }
        #expect(object.isEmpty && object.startIndex == object.endIndex)
        // Members that are removed before the first one is.
        object = ["a": 1, "b": 2, "c": 3]
        object["b"] = nil
        object["a"] = nil
        object["d"] = 4
        #expect(object.map(\.key) == ["c", "d"])
    }

    @Test func `equality and hashes ignore the order`() throws {
        let one = try object(#"{"a":1,"b":[{"x":1,"y":2}]}"#)
        let other = try object(#"{"b":[{"y":2,"x":1}],"a":1}"#)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != JSONObject())
        let reversed = JSONObject((try object(Self.wide)).reversed().map { ($0.key, $0.value) })
        #expect(try reversed == object(Self.wide))
        #expect(try reversed.hashValue == object(Self.wide).hashValue)
    }

    @Test func `values are transformed, filtered and merged`() {
        let members: JSONObject = ["a": 1, "b": "x", "c": 3]
        #expect(members.mapValues { $0.int == nil ? 0 : $0 } == ["a": 1, "b": 0, "c": 3])
        #expect(members.compactMapValues { $0.int.map { .number(JSONNumber($0)) } } == ["a": 1, "c": 3])
        #expect(members.filter { $0.key != "b" } == ["a": 1, "c": 3])
        #expect(members.merging(["c": 4, "d": 5]) { $1 } == ["a": 1, "b": "x", "c": 4, "d": 5])
        var changed = members
        changed.merge([("b", 2), ("e", 6)]) { $1 }
        changed.merge(["a": 7, "f": 8] as JSONObject) { one, _ in one }
        #expect(changed.description == #"{"a":1,"b":2,"c":3,"e":6,"f":8}"#)
        #expect(JSONObject([("a", 1), ("a", 2)]) { one, _ in one } == ["a": 1])
        #expect(JSONObject(["b": 1, "a": 2]).map(\.key) == ["a", "b"])
        #expect([String: JSONValue](members)["c"] == 3)
    }

    @Test func `threads can look up the same object at the same time`() async throws {
        let shared = try object(Self.wide.dropLast() + #","key 7":"y"}"#)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { shared["key 7"] == "y" && shared.count == 100 } }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `a patch changes members`() throws {
        var value = try object(#"{"a":{"b":1,"c":2},"d":3}"#)
        try JSONModelDecoder().merge(#"{"a":{"b":null,"e":4},"d":null,"f":5}"#, into: &value, options: .mergePatch)
        #expect(value.description == #"{"a":{"c":2,"e":4},"f":5}"#)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `keys of many objects are those of the JSON`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        // Keys of every length, which differ in any byte, so that several have one slot.
        var keys = (0..<90).map { String(repeating: "k", count: $0) }
        keys += (0..<600).map { "a key of some length, \($0)" }
        keys += (0..<40).map { at in String((0..<40).map { $0 == at ? "x" : "k" }) }
        keys += [
            "ein Schlüssel mit Umlauten äöü", "ein Schlu\u{308}ssel mit Umlauten äöü",
            "\"quoted\" keys of some length",
        ]
        var random = SeededRandom(seed: 71)
        let objects = (0..<200).map { _ in (0..<30).map { _ in random.pick(keys) } }
        let text = objects.map { object in
            "{" + object.map { JSONValue.string($0).description + ":\($0.utf8.count)" }.joined(separator: ",") + "}"
        }
        let json = "[" + text.joined(separator: ",") + "]"
        let values = try decoder.decode([JSONValue].self, from: json)
        let dictionaries = try decoder.decode([[String: Int]].self, from: json)
        for (index, object) in objects.enumerated() {
            let expected = Dictionary(object.map { ($0, $0.utf8.count) }) { $1 }
            #expect(dictionaries[index] == expected)
            #expect(values[index].object?.count == expected.count)
            for (key, count) in expected { #expect(values[index][key]?.int == count) }
            let written = try JSONModelEncoder().encode(values[index])
            #expect(try decoder.decode(JSONValue.self, from: written) == values[index])
        }
    }

    @Test func `values are written in place`() throws {
        var object: JSONObject = [
            "a": 1, "b": [true, nil, "text", -2.5, [], [:]], "c": ["d": ["e": 123_456_789_012_345_678]],
        ]
        object["b2"] = "removed"
        object["z"] = "a string of more than fifteen bytes, with \"quotes\" / slashes and ä"
        object.removeValue(forKey: "b2")
        let value = JSONValue.array([.object(object), .object([:]), .array([]), .object(object)])
        let inner =
            #"{"a":1,"b":[true,null,"text",-2.5,[],{}],"c":{"d":{"e":123456789012345678}},"z":"a string of more than fifteen bytes, with \"quotes\" / slashes and ä"}"#
        #expect(
            try String(decoding: JSONModelEncoder().encode(value), as: UTF8.self) == "[\(inner),{},[],\(inner)]")
        #expect(try JSONModelEncoder().encode(value) == Array(value.description.utf8))
        var encoder = JSONModelEncoder()
        encoder.limits.depth = 3
        #expect(try failure { try encoder.encode(value) }.path.description == "[0].b[4]")
        for formatting in [JSONModelEncoder.Formatting.pretty, .compact] {
            encoder = JSONModelEncoder()
            encoder.formatting = formatting
            let text = try encoder.encode(value)
            #expect(try JSONModelDecoder().decode(JSONValue.self, from: text) == value)
        }
    }
}

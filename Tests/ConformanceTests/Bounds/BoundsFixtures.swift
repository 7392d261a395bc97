import Sluice

/// Texts for the code that reads several bytes at once: long keys, indented members, numbers and strings at every distance from the end.
enum BoundsFixtures {
    private static let longKey = "a long key of more than forty bytes, to the end"

    private struct Row: JSONModel, Hashable {
        var id: Int?
        var long: String?
        var list: [Double] = []
        var value: JSONValue?
        static let plan = ModelPlan<Row>(
            JSONField(\.id, key: "id"), JSONField(\.long, key: BoundsFixtures.longKey),
            JSONField(\.list, key: "list", default: []), JSONField(\.value, key: "value"))
    }

    private static let indented: String = {
        let line = "\n                    "
        let members = ["\"x\": 1", "\"y\": 2", "\"id\": 3", "\"\(longKey)\": \"é\\n\"", "\"list\": [1.5, 2, true]"]
        return "{\(members.map { line + $0 }.joined(separator: ","))\n}"
    }()

    private static let lines = "{\"id\":1}\r\n\n[1,2]\n\"text\" \n{\"list\":[0.5]}\n12345678901234567890"

    private static let events = """
        : comment
        event: message
        id: 1
        data: {"id": 1,
        data: "list": [1.5]}

        data: [true,"日本語"]

        data: 12
        """

    private static let json5 = "{a: 'x\\'y', b: [0x1F, +.5, Infinity, 1.,], /* c */ $d: \"\\x41\\\n\", } // end"

    static let all: [Fixture] = [
        Fixture("indented members", indented, as: Row.self),
        Fixture(
            "compact members",
            #"{"id":12345,"list":[1.5,-2.25,3e5,123456789.125,0,7],"value":{"a":[null,false,{"b":"\u00e9\ud83d\ude00"}]}}"#,
            as: Row.self),
        Fixture(
            "ignored members",
            #"{"ignored":[[1,2.5e-3,"text with \"escapes\" \u0041"],{"a":{"b":[true,null]}}],"list":[],"id":-7}  "#,
            as: Row.self),
        Fixture(
            "a long number after strings",
            "[\"0123456789abcdef0123456789abcdef\", \"日本語日本語日本語\" , 12345678901234567890.5e-10 ]\n\n\n\n",
            as: JSONValue.self),
        Fixture("lines", lines, as: JSONValue.self),
        Fixture("a text sequence", "\u{1E}{\"id\":1}\n\u{1E}[1,2]\n\u{1E}true\n\u{1E}\"x", as: JSONValue.self),
        Fixture("events", events, as: JSONValue.self),
        Fixture("JSON5", json5, as: JSONValue.self),
        Fixture(
            "text around an object", "The answer is:\n```json\n{\"id\": [1, {}]}\n``` and more", as: JSONValue.self),
        Fixture("gzip", [0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03], as: JSONValue.self),
        Fixture("UTF-16", [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00, 0x20, 0x00], as: JSONValue.self),
    ]
}

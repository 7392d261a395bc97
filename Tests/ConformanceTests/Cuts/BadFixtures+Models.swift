import Sluice

// Texts that are JSON, but too long, or no such models.
extension BadFixtures {
    private static let rejecting: JSONModelDecoder = {
        var decoder = JSONModelDecoder()
        decoder.duplicateKeys = .reject
        return decoder
    }()

    static let limits: [BadFixture] = [
        BadFixture("too deep", "[[[‸[1]]]]", limit: (.depth, 3), path: "[0][0][0]"),
        BadFixture("too deep in objects", #"{"a":{"b":‸{"c":1}}}"#, limit: (.depth, 2), path: "a.b"),
        BadFixture(
            "too deep where it is skipped", #"{"skip":[[‸[]]],"id":1}"#, as: OnlyID.self, limit: (.depth, 3)),
        BadFixture("a number too long", "[1,‸123456]", limit: (.number, 5), path: "[1]"),
        BadFixture(
            "a number too long that is skipped", #"{"a":‸1234.6,"id":1}"#, as: OnlyID.self, limit: (.number, 5)),
        BadFixture("a string too long", #"["abc",‸"abcd"]"#, limit: (.string, 3), path: "[1]"),
        BadFixture("a string too long by its escapes", #"["abcd",‸"\u0061"]"#, limit: (.string, 4), path: "[1]"),
        BadFixture(
            "a string too long that is skipped", #"{"a":‸"abcd","id":1}"#, as: OnlyID.self, limit: (.string, 3)),
        BadFixture("an endless string", #"["a",‸"abcdefghijklmnopqrstuvwxyz"#, limit: (.string, 9), path: "[1]"),
        BadFixture("a key too long", #"{"abc":1,‸"abcd":2}"#, limit: (.key, 3)),
        BadFixture(
            "a key too long that is skipped", #"{"skip":{‸"abcde":2},"id":1}"#, as: OnlyID.self, limit: (.key, 4)),
        BadFixture(
            "a key much too long", #"{"a":1,‸"abcdefghijklmnopqrstuvwxyz0123456789":2,"b":3}"#, limit: (.key, 9)),
        BadFixture(
            "an endless key", #"{"a":1,‸"abcd\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00"#, limit: (.key, 9)),
        BadFixture(
            "an endless key that is skipped", #"{"skip":{‸"abcdefghijklmnopqrstuvwxyz0123456789"#, as: OnlyID.self,
            limit: (.key, 9)),
        BadFixture("a text too long", "[1,2,3,‸4]", limit: (.document, 7), path: "[3]"),
        BadFixture("a text too long by a blank", "[1]‸ ", limit: (.document, 3)),
    ]

    static let types: [BadFixture] = [
        BadFixture(
            "a string for a number", #"[1,‸"2"]"#, as: [Int].self,
            .mismatch("an integer", "a string"), path: "[1]"),
        BadFixture(
            "an escaped string for a number", #"[1,‸"\u0032\""]"#, as: [Int].self,
            .mismatch("an integer", "a string"), path: "[1]"),
        BadFixture(
            "a number for a string", #"{"a": ‸-1.5e3 }"#, as: [String: String].self,
            .mismatch("a string", "a number"), path: "a"),
        BadFixture(
            "a boolean for a string", #"[‸true]"#, as: [String].self,
            .mismatch("a string", "a boolean"), path: "[0]"),
        BadFixture(
            "a boolean for a double", #"[0.5, ‸false]"#, as: [Double].self,
            .mismatch("a number", "a boolean"), path: "[1]"),
        BadFixture(
            "an array for an object", "{\n\"a\":\n  ‸[1]}", as: [String: Part].self,
            .mismatch("an object", "an array"), path: "a"),
        BadFixture(
            "an object for an array", #"[[1],‸{}]"#, as: [[Int]].self,
            .mismatch("an array", "an object"), path: "[1]"),
        BadFixture("an object for a string", #"‸{}"#, as: String.self, .mismatch("a string", "an object")),
        BadFixture(
            "a null for a number", #"[‸null]"#, as: [Int].self, .nullValue(expected: "an integer"), path: "[0]"),
        BadFixture("a null for an object", #"‸null"#, as: Part.self, .nullValue(expected: "an object")),
        BadFixture(
            "too great", "[127,‸128]", as: [Int8].self, .numberOutOfRange(type: "Int8", text: "128"), path: "[1]"),
        BadFixture(
            "below zero", "[‸-1]", as: [UInt].self, .numberOutOfRange(type: "UInt", text: "-1"), path: "[0]"),
        BadFixture("a fraction", "‸1.5", as: Int.self, .notAnInteger(type: "Int", text: "1.5")),
        BadFixture(
            "infinite", "[‸1e400]", as: [Double].self, .numberOutOfRange(type: "Double", text: "1e400"), path: "[0]"
        ),
        BadFixture(
            "no key of its type", #"{"1":"a",‸"x":"b"}"#, as: [Int: String].self,
            .invalidKey("x", type: "Int"), path: "x"),
        BadFixture(
            "no value of its enum", #"["red",‸"blue"]"#, as: [Everything.Color].self,
            .invalidValue(
                expected: "one of the values of Color (a string)", reason: "\"blue\" is not one of its values"),
            path: "[1]"),
        BadFixture("nothing at its path", #"{"a":[1,2]}‸"#, as: Int.self, at: "a[2]", .pathNotFound("a[2]")),
        BadFixture(
            "something else at its path", #"{"a":[‸"b"]}"#, as: Int.self, at: "a[0]",
            .mismatch("an integer", "a string"), path: "a[0]"),
        BadFixture(
            "something else on its path", #"{"a": ‸"b"}"#, as: Int.self, at: "a[0]",
            .mismatch("an array", "a string"), path: "a"),
    ]

    static let models: [BadFixture] = [
        BadFixture("a missing key", #"[{"x":1},{"note":"n"‸}]"#, as: [Part].self, .missingKeys(["x"]), path: "[1]"),
        BadFixture("a misspelt key", #"{"X":1‸}"#, as: Part.self, .missingKeys(["x"])),
        BadFixture(
            "deep in models", #"{"a":[null,{"x":1},{"x":‸[]}]}"#, as: [String: [Part?]].self,
            .mismatch("an integer", "an array"), path: "a[2].x"),
        BadFixture(
            "deep in instances", #"{"name":"a","children":[{"name":"b"},{"name":"c","children":[{"name":‸0}]}]}"#,
            as: Node.self, .mismatch("a string", "a number"),
            path: "children[1].children[0].name"),
        BadFixture(
            "an instance that lacks its key", #"{"name":"a","children":[{"children":[]‸}]}"#, as: Node.self,
            .missingKeys(["name"]), path: "children[0]"),
        BadFixture(
            "on a field's path", #"{"address":{"street":‸1}}"#, as: Everything.self,
            .mismatch("a string", "a number"), path: "address.street"),
        BadFixture(
            "another thing on a field's path", #"{"list":‸{}}"#, as: Everything.self,
            .mismatch("an array", "an object"), path: "list"),
        BadFixture(
            "in an array on a field's path", #"{"list":[0,{"n":‸"2"}]}"#, as: Everything.self,
            .mismatch("an integer", "a string"), path: "list[1].n"),
        BadFixture(
            "a duplicate", #"{"x":1,‸"x":2}"#, as: Part.self, decoder: rejecting, .duplicateKey("x"), path: "x"),
        BadFixture(
            "a duplicate spelt otherwise", #"{"x":1,"note":"n",‸"\u0078":2}"#, as: Part.self,
            decoder: rejecting, .duplicateKey("x"), path: "x"),
        BadFixture(
            "a duplicate in a dictionary", #"{"a":{"k":1,"l":2,‸"k":3}}"#, as: [String: [String: Int]].self,
            decoder: rejecting, .duplicateKey("k"), path: "a.k"),
        BadFixture(
            "a duplicate in a value", #"[{"k":1,‸"k":3}]"#, decoder: rejecting, .duplicateKey("k"), path: "[0].k"),
    ]
}

import Sluice

/// Texts that are right, with every kind of token and value in them.
enum GoodFixtures {
    static let everything = #"""
        {
          "id": -12, "full_name": "Zoë \"the\" \u00e9clair \ud83d\ude00 😀", "ratio": 6.02214076e+23,
          "small": 0.1, "flag": true, "big": 170141183460469231731687303715884105727, "color": "green",
          "tags": ["", "a", "longer than fifteen bytes", "\n\t\\\/\b\f\r\"", "日本語"],
          "points": [[1.5, -2], [], [0.1, 1e-3, 123456789.123456789]],
          "by_name": {"one": {"x": 1}, "no": null, "t\u0077o": {"note": "n", "x": 2}},
          "by_number": {"1": "one", "-2": "two"}, "unique": [3, 1, 3, 2],
          "part": {"unknown": [{"a": [1, {"b": null}]}, "]"], "x": 9}, "raw": {"k" : [ 1, "\u0041}" , null]},
          "any": {"n": null, "a": [true, false, 1.0, "s", {}], "o": {"é": 1}},
          "skip me": [{"deep": [[["\\", "\"", "]}"]]]}, -0.0e-0, true, null, "\u2028"],
          "address": {"street": "Main\u0020St", "zip": 8, "else": "last"}, "list": [0, {"m": 1, "n": 2}, 3],
          "or": "second"
        }
        """#

    static let oneOfEach = #"""
        {"n": null, "t": [true , false], "i": [-1, 0, 1e2, 0.5], "s": {"": "", "é\n": "\ud83d\ude00 😀"},
        "nested": [[], {}, [{"a": [[{"b": "]}"}]]}]]}
        """#

    static let all: [Fixture] = values + structures + spellings + models

    private static let values: [Fixture] = [
        Fixture("null", "null", as: JSONValue.self),
        Fixture("true", "true", as: JSONValue.self),
        Fixture("false", " false ", as: Bool.self),
        Fixture("a string", #""text""#, as: JSONValue.self),
        Fixture("an empty string", #""""#, as: String.self),
        Fixture("an integer", "1234567", as: Int.self),
        Fixture("a negative zero", "-0.0", as: Double.self),
        Fixture("a long number", "-1234567890123456789012345678901234567890.5e-17", as: Double.self),
        Fixture("a number between blanks", " \r\n\t-1.5E+3 \n", as: JSONValue.self),
        Fixture("an empty object", "{}", as: JSONValue.self),
        Fixture("an empty array", "[]", as: JSONValue.self),
        Fixture("a root that is raw", #" {"a" : [1 ,2]} "#, as: JSONRaw.self),
        Fixture("a raw scalar", #" "a\u0041" "#, as: JSONRaw.self),
        Fixture("a raw number", "[-12.50e1, 0]", as: [JSONRaw].self),
        Fixture("raw literals", "[true,false , null]", as: [JSONRaw].self),
        Fixture("raw in a dictionary", #"{"a":{"x":[1,{}]},"b":"]","c":12}"#, as: [String: JSONRaw].self),
        Fixture("optionals", "[1,null,-3,null]", as: [Int?].self),
        Fixture("optionals twice", "[1,null,3]", as: [Int??].self),
        Fixture("optional booleans", "[true,null,false]", as: [Bool?].self),
        Fixture("optional strings", #"["a",null,"longer than fifteen bytes"]"#, as: [String?].self),
    ]

    private static let structures: [Fixture] = [
        Fixture("nested arrays", "[[[[[]]],[[1]]],[]]", as: JSONValue.self),
        Fixture("nested objects", #"{"a":{"a":{"a":{}}},"b":{"":{"":0}}}"#, as: JSONValue.self),
        Fixture("arrays of doubles", "[[0.1,2],[],[-1e5]]", as: [[Double]].self),
        Fixture("arrays of integers", "[[1,2],[],[-3]]", as: [[Int]].self),
        Fixture("many elements", "[" + (0..<300).map(String.init).joined(separator: ",") + "]", as: [Int].self),
        Fixture(
            "many strings", "[" + (0..<100).map { "\"string number \($0)\"" }.joined(separator: ", ") + "]",
            as: Set<String>.self),
        Fixture(
            "many pairs", "{" + (0..<60).map { "\"\($0)\":{\"x\":\($0)}" }.joined(separator: ",") + "}",
            as: [Int: Part].self),
        Fixture("a dictionary of arrays", #"{"a":[{"x":1},null],"b":[]}"#, as: [String: [Part?]].self),
        Fixture("a value at a path", #"{"a":[{"b":0},{"c":1,"b":{"x":5}}],"d":1}"#, as: Part.self, at: "a[1].b"),
        Fixture(
            "an array at a path", #"{"z":{"items":[1]},"data":{"items":[1,2,3]}}"#, as: [Int].self, at: "data.items"
        ),
        Fixture("a key twice", #"{"x":1,"note":"a","note":"b","x":2}"#, as: Part.self),
        Fixture("a key twice in a dictionary", #"{"x":"1","y":"2","x":"3"}"#, as: [String: String].self),
    ]

    private static let spellings: [Fixture] = [
        Fixture(
            "every escape", #"["\"\\\/\b\f\n\r\t","\u0000\u001f\u0041\u00e9\uABCD\uffff","\ud83d\ude00"]"#,
            as: [String].self),
        Fixture("escapes at the ends", #"{"\u0061b":"\n", "c\\":"\\\\", "\"":"\"\""}"#, as: JSONValue.self),
        Fixture("escapes in known keys", #"{"\u0078":1,"no\u0074e":"n"}"#, as: Part.self),
        Fixture("backslashes in a row", #"["\\","\\\\","\\\"","\\\\\""]"#, as: [String].self),
        Fixture("surrogates that are none", #"["\\ud800","\\\\udc00 d800"]"#, as: [String].self),
        Fixture(
            "characters of every length",
            #"["é","日","😀","aé日😀z","\#u{7F}\#u{80}\#u{7FF}\#u{800}\#u{FFFF}\#u{10FFFF}"]"#, as: [String].self),
        Fixture(
            "keys of every length", #"{"é":1,"日本":2,"😀😀":3,"a long key in ASCII alone":4}"#, as: [String: Int].self),
        Fixture("a byte order mark", [0xEF, 0xBB, 0xBF] + Array(#"{"x": 1}"#.utf8), as: Part.self),
        Fixture("a byte order mark before lines", [0xEF, 0xBB, 0xBF] + Array("\n[1,\n2]".utf8), as: [Int].self),
        Fixture("carriage returns", "{\r\n\"x\":\r\n1\r\n,\"note\"\r\n:\"n\"}\r\n", as: Part.self),
        Fixture("blanks everywhere", " [ 1 , { \"a\" : [ ] , \"b\" : \"c\" } , true ] ", as: JSONValue.self),
        Fixture(
            "numbers of every form",
            "[0,-0,1,-1,10,0.5,-0.5,1e5,1E5,1e+5,1e-5,1.25e2,-1.25E-2,123456789012345678901234567890,4.9e-324,1.7976931348623157e308]",
            as: JSONValue.self),
        Fixture(
            "numbers as doubles", "[0,-0,1.5,1e5,123456789012345678,0.1,4.9e-324,1.7976931348623157e308]",
            as: [Double].self),
        Fixture("integers by value", "[1.0,1e2,-15.0e1,100e-2,0e99]", as: [Int].self),
        Fixture(
            "a string of 700 bytes", "[\"" + String(repeating: "0123456789abcd", count: 50) + "\"]",
            as: [String].self),
        Fixture(
            "a string of 400 escapes", "[\"" + String(repeating: #"\u0061"#, count: 100) + "\"]", as: [String].self),
        Fixture(
            "a text of long lines",
            "{\"a\":\"" + String(repeating: "x", count: 200) + "\",\n\"b\":[" + String(repeating: " ", count: 200)
                + "1]}", as: JSONValue.self),
    ]

    private static let models: [Fixture] = [
        Fixture("everything", everything, as: Everything.self),
        Fixture("one of each as a value", oneOfEach, as: JSONValue.self),
        Fixture("one of each raw", oneOfEach, as: JSONRaw.self),
        Fixture("everything skipped", OnlyID.skipping(Array(everything.utf8)), as: OnlyID.self),
        Fixture("a list of models", #"[{"x":1},{"note":"n","x":2},{"x":3,"note":null}]"#, as: [Part].self),
        Fixture(
            "a tree of instances",
            #"{"name":"root","children":[{"name":"a","children":[{"name":"b"}]},{"children":[],"name":"c"}]}"#,
            as: Node.self),
    ]
}

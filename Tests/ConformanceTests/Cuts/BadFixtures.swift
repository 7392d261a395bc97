import Sluice

/// Texts that are wrong, each with where and how.
struct BadFixture: Sendable {
    let fixture: Fixture
    let kind: JSONIssue.Kind
    let path: String
    let offset: Int

    /// - Parameter marked: the text, with `‸` where the error is, and single bytes as `⟨FF⟩`.
    init<T: JSONConvertible & Hashable & Sendable>(
        _ name: String, _ marked: String, as type: T.Type = JSONValue.self, at lead: JSONPath = JSONPath(),
        decoder: JSONModelDecoder = JSONModelDecoder(), _ kind: JSONIssue.Kind, path: String = "$"
    ) {
        var text: [UInt8] = []
        var offset = -1
        var rest = Substring(marked)
        while let character = rest.popFirst() {
            switch character {
            case "‸": offset = text.count
            case "⟨":
                text.append(UInt8(rest.prefix(2), radix: 16)!)
                rest = rest.dropFirst(3)
            default: text += Array(character.utf8)
            }
        }
        fixture = Fixture(name, text, as: type, at: lead, decoder: decoder)
        self.kind = kind
        self.path = path
        self.offset = offset
    }

    /// A text that exceeds a limit.
    init<T: JSONConvertible & Hashable & Sendable>(
        _ name: String, _ marked: String, as type: T.Type = JSONValue.self,
        limit: (name: JSONLimits.Name, value: Int),
        path: String = "$"
    ) {
        var decoder = JSONModelDecoder()
        switch limit.name {
        case .depth: decoder.limits.depth = limit.value
        case .number: decoder.limits.number = limit.value
        case .string: decoder.limits.string = limit.value
        case .key: decoder.limits.key = limit.value
        case .document: decoder.limits.document = limit.value
        default: preconditionFailure()
        }
        let kind = JSONIssue.Kind.limitExceeded(limit.name, limit: limit.value)
        self.init(name, marked, as: type, decoder: decoder, kind, path: path)
    }
}

extension JSONIssue.Kind {
    fileprivate static let unknownEscape = syntax("a string holds an escape that JSON does not know")
    fileprivate static let shortEscape = syntax("a \\u escape lacks its four hexadecimal digits")

    fileprivate static func control(_ scalar: String) -> Self {
        .syntax("a string holds the control character U+\(scalar): it must be escaped")
    }

    static func mismatch(_ expected: String, _ found: String) -> Self {
        .typeMismatch(expected: expected, found: found)
    }
}

enum BadFixtures {
    static let all = strings + tokens + placement + encodings + ends + limits + types + models

    private static let strings: [BadFixture] = [
        BadFixture("an unknown escape", #"["ab‸\x"]"#, .unknownEscape, path: "[0]"),
        BadFixture("an unknown escape in a key", #"{"a":1,"b‸\ ":2}"#, .unknownEscape),
        BadFixture("hexadecimal digits that lack", #"["‸\u00g0"]"#, .shortEscape, path: "[0]"),
        BadFixture("too few hexadecimal digits", #"["‸\u00"]"#, .shortEscape, path: "[0]"),
        BadFixture("a null byte in a string", #"["a‸⟨00⟩b"]"#, .control("0000"), path: "[0]"),
        BadFixture("a line feed in a string", "{\n\"a\":\"b‸\nc\"}", .control("000A"), path: "a"),
        BadFixture("a tab in a key", "{\"a‸\tb\":1}", .control("0009")),
        BadFixture("a vertical tab in a string", #"["a‸⟨0B⟩"]"#, .control("000B"), path: "[0]"),
        BadFixture("a form feed in a key", #"{"‸⟨0C⟩a":1}"#, .control("000C")),
        BadFixture("half of a pair at the end", #"["abc‸\ud83d"]"#, .loneSurrogate, path: "[0]"),
        BadFixture("half of a pair before text", #"["‸\ud83dabc"]"#, .loneSurrogate, path: "[0]"),
        BadFixture("half of a pair before an escape", #"["‸\ud83d\n"]"#, .loneSurrogate, path: "[0]"),
        BadFixture(
            "half of a pair before a letter's escape", #"["\u0041‸\ud83d\u0041"]"#, .loneSurrogate, path: "[0]"),
        BadFixture("two first halves", #"["‸\ud83d\ud83d\ude00"]"#, .loneSurrogate, path: "[0]"),
        BadFixture("a second half alone", #"["\ud83d\ude00‸\ude00"]"#, .loneSurrogate, path: "[0]"),
        BadFixture("half of a pair in a key", #"{"a":1,"x‸\uDC00":2}"#, .loneSurrogate),
        BadFixture(
            "half of a pair in a skipped value", #"{"skip":{"a":["‸\ud800"]},"id":1}"#, as: OnlyID.self,
            .loneSurrogate),
        BadFixture(
            "half of a pair in a skipped key", #"{"skip":{"‸\ud800":1},"id":1}"#, as: OnlyID.self, .loneSurrogate),
        BadFixture("a continuation byte", #"["a‸⟨80⟩"]"#, .invalidUTF8, path: "[0]"),
        BadFixture("an overlong form", #"["é‸⟨C0⟩⟨AF⟩"]"#, .invalidUTF8, path: "[0]"),
        BadFixture("a surrogate in UTF-8", #"["‸⟨ED⟩⟨A0⟩⟨80⟩"]"#, .invalidUTF8, path: "[0]"),
        BadFixture("beyond U+10FFFF", #"["‸⟨F4⟩⟨90⟩⟨80⟩⟨80⟩"]"#, .invalidUTF8, path: "[0]"),
        BadFixture("a character that its string cuts off", #"["日‸⟨E6⟩⟨97⟩"]"#, .invalidUTF8, path: "[0]"),
        BadFixture("Latin-1 after an escape", #"["\n‸⟨E9⟩"]"#, .invalidUTF8, path: "[0]"),
        BadFixture(
            "a bad byte far into a string", #"["0123456789012345678901234567890123456789‸⟨FF⟩"]"#, .invalidUTF8,
            path: "[0]"),
        BadFixture("a bad byte in a key", #"{"a":1,"‸⟨FF⟩":2}"#, .invalidUTF8),
        BadFixture("a bad byte in a skipped value", #"{"skip":["‸⟨C3⟩("],"id":1}"#, as: OnlyID.self, .invalidUTF8),
        BadFixture("a bad byte in a skipped key", #"{"skip":{"‸⟨FE⟩":0},"id":1}"#, as: OnlyID.self, .invalidUTF8),
        BadFixture("a bad byte in an unknown key", #"{"‸⟨FE⟩":0,"id":1}"#, as: OnlyID.self, .invalidUTF8),
        BadFixture(
            "a bad byte in a raw value", #"{"a":{"b":"‸⟨F8⟩"}}"#, as: [String: JSONRaw].self, .invalidUTF8,
            path: "a"),
    ]

    private static let tokens: [BadFixture] = [
        BadFixture("a misspelt literal", "[‸ture]", .syntax("expected true"), path: "[0]"),
        BadFixture("a capital literal", "[‸True]", .syntax("unexpected character 'T'"), path: "[0]"),
        BadFixture("a literal cut off", "[‸nul]", .syntax("expected null"), path: "[0]"),
        BadFixture("a literal that goes on", "[true‸x]", .syntax("unexpected character 'x'"), path: "[0]"),
        BadFixture(
            "a number with a leading zero", "[0‸1]", .syntax("a number cannot begin with a leading zero"),
            path: "[0]"),
        BadFixture("a date without quotes", #"{"day":2020‸-01-02}"#, .syntax("a comma is missing before a number")),
        BadFixture("a minus alone", "[‸-]", .syntax("a number lacks a digit"), path: "[0]"),
        BadFixture("a point without digits", "[‸1.]", .syntax("a number lacks a digit"), path: "[0]"),
        BadFixture("an exponent without digits", "[0, ‸1e+]", .syntax("a number lacks a digit"), path: "[1]"),
        BadFixture("a point at the beginning", "[‸.5]", .syntax("a number begins with a digit"), path: "[0]"),
        BadFixture("a plus", "[‸+1]", .syntax("a number cannot begin with a plus sign"), path: "[0]"),
        BadFixture("no number", "[‸NaN]", .syntax("unexpected character 'N'"), path: "[0]"),
        BadFixture("minus infinity", "[‸-Infinity]", .syntax("a number lacks a digit"), path: "[0]"),
        BadFixture("a comment", "[1, ‸/* two */ 2]", .syntax("comments are not part of JSON"), path: "[1]"),
        BadFixture("a line comment", "{\n  ‸// note\n}", .syntax("comments are not part of JSON")),
        BadFixture("single quotes", "{‸'a':1}", .syntax("strings require double quotes, not single quotes")),
        BadFixture("an odd character", "[1,‸#]", .syntax("unexpected character '#'"), path: "[1]"),
        BadFixture("a byte order mark inside", "[1,‸⟨EF⟩⟨BB⟩⟨BF⟩2]", .syntax("unexpected byte 0xEF"), path: "[1]"),
        BadFixture("a null byte outside of strings", "[‸⟨00⟩]", .syntax("unexpected byte 0x0"), path: "[0]"),
        BadFixture("a vertical tab between tokens", "[1,‸⟨0B⟩2]", .syntax("unexpected byte 0xB"), path: "[1]"),
        BadFixture("a form feed between tokens", "{\"a\"‸⟨0C⟩:1}", .syntax("unexpected byte 0xC"), path: "a"),
        BadFixture("a form feed after a number", "[12‸⟨0C⟩]", .syntax("unexpected byte 0xC"), path: "[1]"),
        BadFixture("a vertical tab before everything", "‸⟨0B⟩[]", .syntax("unexpected byte 0xB")),
    ]

    private static let placement: [BadFixture] = [
        BadFixture(
            "a comma before the end", "[1,2,‸]", .syntax("a comma precedes the closing bracket"), path: "[2]"),
        BadFixture(
            "a comma before the end of an object", #"{"a":1 , ‸}"#,
            .syntax("a comma precedes the closing bracket")),
        BadFixture("two commas", "[1,‸,2]", .syntax("a value is missing between two commas"), path: "[1]"),
        BadFixture("a comma first", "[‸,1]", .syntax("unexpected ','"), path: "[0]"),
        BadFixture("no comma", #"["a" ‸"b"]"#, .syntax("a comma is missing before a string"), path: "[1]"),
        BadFixture(
            "no comma between members", "{\"a\":\"b\"\n‸\"c\":1}", .syntax("a comma is missing before a string")),
        BadFixture("no colon", #"{"a" ‸1}"#, .syntax("a colon is missing after the key"), path: "a"),
        BadFixture("a comma for a colon", #"{"a"‸,1}"#, .syntax("a colon is missing after the key"), path: "a"),
        BadFixture("a colon in an array", #"["a"‸:1]"#, .syntax("unexpected ':'"), path: "[1]"),
        BadFixture("two colons", #"{"a":‸:1}"#, .syntax("unexpected ':'"), path: "a"),
        BadFixture("a number for a key", "{‸1:2}", .syntax("a key requires double quotes")),
        BadFixture("a literal for a key", #"{"a":1,‸null:2}"#, .syntax("a key requires double quotes")),
        BadFixture("a word for a key", "{‸id:1}", .syntax("a key requires double quotes")),
        BadFixture("a literal of Python for a key", #"{"a":1,‸None:2}"#, .syntax("a key requires double quotes")),
        BadFixture("the wrong bracket", #"[{"a":[1‸}]]"#, .syntax("'}' does not close an array"), path: "[0].a[1]"),
        BadFixture("the wrong brace", #"{"a":1‸]"#, .syntax("']' does not close an object")),
        BadFixture("a bracket too many", "[1]‸]", .trailingContent),
        BadFixture("a second value", "{}\n ‸{}", .trailingContent),
        BadFixture("a number after the value", "1 ‸2", as: Int.self, .trailingContent),
        BadFixture("a form feed after the value", "[]\n‸⟨0C⟩", .trailingContent),
        BadFixture("a form feed after a root number", "12‸⟨0C⟩", as: Int.self, .trailingContent),
        BadFixture("a null byte after the value", #""a" ‸⟨00⟩"#, .trailingContent),
        BadFixture("an unclosed string after the value", #"[] ‸"abc"#, .trailingContent),
        BadFixture(
            "misplaced in what is skipped", #"{"skip":[1,{"a":‸}],"id":1}"#, as: OnlyID.self,
            .syntax("a value is missing after the colon")),
        BadFixture(
            "misplaced in what is raw", #"[{"a":1,‸}]"#, as: [JSONRaw].self,
            .syntax("a comma precedes the closing bracket"), path: "[0]"),
        BadFixture("nothing but a comma", "‸,", .syntax("unexpected ','")),
        BadFixture("a closing bracket alone", "‸]", .syntax("unexpected ']'")),
    ]

    private static let encodings: [BadFixture] = [
        BadFixture(
            "UTF-16, little-endian, with a mark", "‸⟨FF⟩⟨FE⟩[⟨00⟩]⟨00⟩",
            .unsupportedEncoding("UTF-16 (little-endian)")),
        BadFixture(
            "UTF-16, big-endian, with a mark", "‸⟨FE⟩⟨FF⟩⟨00⟩[⟨00⟩]", .unsupportedEncoding("UTF-16 (big-endian)")),
        BadFixture("UTF-16, little-endian", "‸[⟨00⟩]⟨00⟩", .unsupportedEncoding("UTF-16 (little-endian)")),
        BadFixture("UTF-16, big-endian", "‸⟨00⟩[⟨00⟩]", .unsupportedEncoding("UTF-16 (big-endian)")),
        BadFixture(
            "UTF-32, little-endian, with a mark", "‸⟨FF⟩⟨FE⟩⟨00⟩⟨00⟩1⟨00⟩⟨00⟩⟨00⟩",
            .unsupportedEncoding("UTF-32 (little-endian)")),
        BadFixture(
            "UTF-32, big-endian, with a mark", "‸⟨00⟩⟨00⟩⟨FE⟩⟨FF⟩⟨00⟩⟨00⟩⟨00⟩1",
            .unsupportedEncoding("UTF-32 (big-endian)")),
        BadFixture("UTF-32, little-endian", "‸1⟨00⟩⟨00⟩⟨00⟩", .unsupportedEncoding("UTF-32 (little-endian)")),
        BadFixture("UTF-32, big-endian", "‸⟨00⟩⟨00⟩⟨00⟩1", .unsupportedEncoding("UTF-32 (big-endian)")),
    ]

    private static let ends: [BadFixture] = [
        BadFixture("nothing", "‸", .emptyInput),
        BadFixture("blanks alone", " \n\t\r\n‸", .emptyInput),
        BadFixture("a byte order mark alone", "⟨EF⟩⟨BB⟩⟨BF⟩‸", .emptyInput),
        BadFixture("an open string", #"{"a":"bc‸"#, .unexpectedEnd, path: "a"),
        BadFixture("an open array", "[1,2‸", .unexpectedEnd, path: "[2]"),
        BadFixture("an open object in lines", "{\n\"a\": {\n\n‸", .unexpectedEnd, path: "a"),
        BadFixture("a literal that has no end", "[tru‸", .unexpectedEnd, path: "[0]"),
        BadFixture("a root literal that has no end", "tru‸", .unexpectedEnd),
        BadFixture("a number that has no end", "[1, -‸", .unexpectedEnd, path: "[1]"),
        BadFixture("a root number that has no end", "1e‸", .unexpectedEnd),
        BadFixture("an open escape", #"["\u00‸"#, .unexpectedEnd, path: "[0]"),
        BadFixture("half of a character", "[\"⟨E6⟩⟨97⟩‸", .unexpectedEnd, path: "[0]"),
        BadFixture("an open value that is skipped", #"{"skip":[{"a":"b"‸"#, as: OnlyID.self, .unexpectedEnd),
        BadFixture("a bad byte in an open string", #"["a‸⟨FF⟩ and then nothing"#, .invalidUTF8, path: "[0]"),
        BadFixture("half of a pair in an open string", #"["‸\ud800 and then nothing"#, .loneSurrogate, path: "[0]"),
    ]
}

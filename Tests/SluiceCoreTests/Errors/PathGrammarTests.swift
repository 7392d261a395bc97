import JSONPaths
import Testing

/// The grammar of paths, which the core and the macros share.
struct PathGrammarTests {
    @Test(
        arguments: [
            ("", []), ("$", []), ("a", [.key("a")]), ("a.b.c", [.key("a"), .key("b"), .key("c")]),
            ("$.a", [.key("a")]), ("$[2].a", [.index(2), .key("a")]), ("[0]", [.index(0)]),
            ("a[0][12].b", [.key("a"), .index(0), .index(12), .key("b")]),
            ("a[*].b", [.key("a"), .anyIndex, .key("b")]), ("$.*", [.anyKey]), ("[*]", [.anyIndex]),
            ("a.*.b", [.key("a"), .anyKey, .key("b")]), ("*", [.anyKey]), ("$.*[*]", [.anyKey, .anyIndex]),
            // Only a whole key of its own is a wildcard.
            (#"a.\*"#, [.key("a"), .key("*")]), ("a*.**", [.key("a*"), .key("**")]),
            ("a*.*b", [.key("a*"), .key("*b")]), ("$*", [.key("$*")]),
            (#"a\.b.c"#, [.key("a.b"), .key("c")]), (#"a\\.b"#, [.key(#"a\"#), .key("b")]),
            (#"a\[0\]"#, [.key("a[0]")]),
            // Only a dot or a bracket makes the `$` a root.
            ("$ref", [.key("$ref")]), ("$.$", [.key("$")]), ("a b-c/é", [.key("a b-c/é")]),
            // A quoted key has any characters, or none.
            (#"packages[""].version"#, [.key("packages"), .key(""), .key("version")]),
            (#"["a.b"]['c']["d"][0]"#, [.key("a.b"), .key("c"), .key("d"), .index(0)]),
            (#"$["*"].$["$"]"#, [.key("*"), .key("$"), .key("$")]),
            (#"["]['"]['"']["\""]['\'']"#, [.key("]['"), .key("\""), .key("\""), .key("'")]),
            (#"["\b\f\n\r\t\/\\\u00e9\uD834\uDD1E"]"#, [.key("\u{8}\u{C}\n\r\t/\\\u{e9}\u{1D11E}")]),
            // A combining mark does not hide the dot before it.
            ("a.\u{301}b", [.key("a"), .key("\u{301}b")]),
        ] as [(String, [JSONPath.Component])])
    func `valid paths have components`(_ text: String, _ components: [JSONPath.Component]) throws {
        #expect(try JSONPath(checking: text).components == components)
    }

    @Test(
        arguments: [
            (".", .emptyKey), ("a.", .emptyKey), ("*.", .emptyKey), (".a", .emptyKey), ("a..b", .emptyKey),
            ("$.", .emptyKey),
            ("a.[0]", .emptyKey), ("a[0", .unclosedBracket), ("a[", .unclosedBracket), ("a[]", .badIndex("")),
            ("a[-1]", .badIndex("-1")), ("a[x]", .badIndex("x")), ("a[+1]", .badIndex("+1")),
            ("a[99999999999999999999]", .badIndex("99999999999999999999")), ("a[٣]", .badIndex("٣")),
            ("a[0]b", .missingDot), (#"["a"#, .unclosedQuote), (#"["a"b]"#, .unclosedQuote),
            (#"["a'"#, .unclosedQuote), (#"["a\"#, .unclosedQuote), (#"["a"]b"#, .missingDot),
            (#"["\a"]"#, .badQuotedEscape(#"\a"#)), (#"["\u12"]"#, .badQuotedEscape(#"\u12"]"#)),
            (#"["\u+123"]"#, .badQuotedEscape(#"\u+123"#)), (#"["\ud834"]"#, .badQuotedEscape(#"\ud834"#)),
            (#"["\udd1e"]"#, .badQuotedEscape(#"\udd1e"#)),
            (#"["\ud834\u0061"]"#, .badQuotedEscape(#"\ud834\u0061"#)), (#"a\n"#, .badEscape(#"\n"#)),
            (#"a\"#, .badEscape(#"\"#)),
        ] as [(String, JSONPath.Flaw)])
    func `malformed paths have a flaw`(_ text: String, _ flaw: JSONPath.Flaw) {
        #expect(throws: flaw) { try JSONPath(checking: text) }
    }

    @Test func `equal paths have the same description`() throws {
        #expect(try JSONPath(checking: "$.a.b[01]") == "a.b[1]")
        #expect(try JSONPath(checking: "$.a.b[01]").description == "a.b[1]")
        #expect(try JSONPath(checking: #"a\.b.c\*"#).description == #"["a.b"].c*"#)
        for text in [
            "$", "a", "a.b", "a[0]", "[0]", "[*]", "a[*].b", "[1][2].c", #"["[x]"]"#, "*.b", "a.*.*", "a.*[*]",
            "[*].*",
            #"["*"]"#, #"a["*"].b"#, "a*", "**", "*a.b", "[*].a[*]", "*.a.*", "*", "a.*", #"["-1"].-1"#,
            #"["\u007f\u0085\u2028"]"#, #"["a.b"]"#, #"packages[""].version"#,
            #"[""]["*"].$"#, #"a.$["\"\\\n\u0001"]"#,
        ] { #expect(try JSONPath(checking: text).description == text) }
        for key in [
            "", "*", "$", " ", #"x.y[0]\z"#, "a\"b", "'", "\u{0}\u{1f}\u{7f}", "e\u{301}", "\u{301}", "-", "--x",
        ] {
            for path in [JSONPath([.key(key)]), JSONPath([.key("a"), .key(key), .index(0), .key(key)])] {
                #expect(try JSONPath(checking: path.description) == path)
            }
        }
    }
}

#if Macros
import Testing

@testable import SluiceMacros

@Suite("Keys taken apart")
struct KeyTextTests {
    @Test(
        arguments: [
            ("a", [.key("a")]),
            ("a.b.c", [.key("a"), .key("b"), .key("c")]),
            ("$.a", [.key("a")]),
            ("$[2].a", [.index(2), .key("a")]),
            ("[0]", [.index(0)]),
            ("a[0][12].b", [.key("a"), .index(0), .index(12), .key("b")]),
            ("a[*].b", [.key("a"), .every, .key("b")]),
            ("[*]", [.every]),
            ("a.*.b", [.key("a"), .everyMember, .key("b")]),
            ("*", [.everyMember]), ("$.*[*]", [.everyMember, .every]),
            // Only a whole key of its own is a wildcard.
            (#"a.\*"#, [.key("a"), .key("*")]), ("a*.**", [.key("a*"), .key("**")]), ("$*", [.key("$*")]),
            (#"a\.b.c"#, [.key("a.b"), .key("c")]),
            (#"a\\.b"#, [.key(#"a\"#), .key("b")]),
            (#"a\[0\]"#, [.key("a[0]")]),
            // Only a dot or a bracket makes the `$` a root.
            ("$ref", [.key("$ref")]),
            ("$.$", [.key("$")]),
            ("a b-c/é", [.key("a b-c/é")]),
            // A combining mark doesn't hide the dot before it.
            ("a.\u{301}b", [.key("a"), .key("\u{301}b")]),
        ] as [(String, [KeyText.Component])])
    func `valid keys have components`(_ text: String, _ components: [KeyText.Component]) throws {
        #expect(try KeyText(text).components == components)
    }

    @Test(
        arguments: [
            ("", .empty), ("$", .root),
            (".", .emptyComponent), ("a.", .emptyComponent), (".a", .emptyComponent), ("a..b", .emptyComponent),
            ("$.", .emptyComponent), ("a.[0]", .emptyComponent),
            ("a[0", .unclosedIndex), ("a[", .unclosedIndex),
            ("a[]", .badIndex("")), ("a[-1]", .badIndex("-1")), ("a[x]", .badIndex("x")),
            ("a[+1]", .badIndex("+1")),
            ("a[99999999999999999999]", .badIndex("99999999999999999999")), ("a[٣]", .badIndex("٣")),
            ("a[0]b", .textAfterIndex),
            (#"a\n"#, .badEscape(#"\n"#)), (#"a\"#, .badEscape(#"\"#)),
        ] as [(String, KeyText.Flaw)])
    func `malformed keys have a flaw`(_ text: String, _ flaw: KeyText.Flaw) {
        #expect(throws: flaw) { try KeyText(text) }
    }

    @Test func `keys of the same position have the same description`() throws {
        #expect(try KeyText("$.a.b[01]") == KeyText("a.b[1]"))
        #expect(try KeyText("$.a.b[01]").description == "a.b[1]")
        #expect(try KeyText("$[*].a[*]").description == "[*].a[*]")
        #expect(try KeyText("$.*.a.*").description == "*.a.*")
        #expect(try KeyText(#"a\.b"#).description == #"a\.b"#)
        #expect(try KeyText(KeyText.escape("*")) == KeyText(key: "*"))
        let odd = #"x.y[0]\z"#
        #expect(try KeyText(KeyText.escape(odd)) == KeyText(key: odd))
    }
}
#endif

import Testing
import ToolSupport

@Suite struct JQPathTests {
    @Test(arguments: [
        (".a", "a"), (".", "$"), (".[]", "[*]"), (".a[]", "a[*]"), ("a[]", "a[*]"), (".a.[0].b", "a[0].b"),
        (".[0]", "[0]"),
        (".a[]?.b?", "a[*].b"), (".a[] | .b", "a[*].b"), (".a | .[]", "a[*]"), (".\"a b\".c", "[\"a b\"].c"),
        (". | .a", "a"), (".-1[]", "[\"-1\"][*]"),
    ])
    func `paths of jq have a counterpart`(filter: String, path: String) { #expect(JQPath.path(of: filter) == path) }

    @Test(arguments: ["a", "a[*]", "$", "..", ".a | map(.b)[", "a..b"])
    func `other texts have none`(text: String) { #expect(JQPath.path(of: text) == nil) }

    @Test(
        arguments: [
            ("[-1]", "[*]"), ("a[-1].b", "a[*].b"), (".a[-1]", "a[*]"), ("[-2]", nil), ("a", nil), ("a[-1]..", nil),
        ] as [(String, String?)])
    func `the last element is one of all elements`(path: String, elements: String?) {
        #expect(JQPath.elements(ofLast: path) == elements)
    }
}

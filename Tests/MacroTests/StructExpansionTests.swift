#if Macros
import Testing

@Suite("Expansions of structs that are filled in place")
struct StructExpansionTests {
    @Test func keysDefaultsAndIgnored() {
        expectExpansion(
            """
            @JSONModel
            struct Repository {
                let id: Int
                @JSONKey("full_name") let name: String
                @JSONKey("owner.login", or: "user.login", #"a\\.b"#) let owner: String
                var stars = 0
                let license: License?
                @JSONIgnore var cached = false
                @JSONIgnore var note: String?
                static let limit = 10
                var isNew: Bool { stars == 0 }
            }
            """, "")
    }
}
#endif

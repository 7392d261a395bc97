#if Macros
import Testing

@Suite("Names that the macro needs")
struct NameDiagnosticTests {
    @Test func `cases with the names of generated members are errors`() {
        expectReports(
            """
            @JSONModel
            enum Offer {
                case plan(Int), other
                @JSONKey("shape") case jsonShape
            }

            @JSONModel
            enum Kind: String {
                case plan, jsonShape
            }
            """,
            """
            3:10 error: @JSONModel adds a static member named 'plan'; rename this case and keep its key with '@JSONKey("plan")'
            4:28 error: @JSONModel adds a static member named 'jsonShape'; rename this case
            9:16 error: @JSONModel adds a static member named 'jsonShape'; rename this case and write its raw value
            """)
    }

    @Test func `static members and types with the names of generated members are errors`() {
        expectReports(
            """
            @JSONModel
            struct Account {
                static let plan = "free", other = 1
                enum _JSONStorage {}
            }

            @JSONModel
            class User {
                class func plan() {}
                static var _jsonPlan: Int { 1 }
                typealias _JSONStorage = Int
            }
            """,
            """
            3:16 error: @JSONModel adds a static member named 'plan'; rename this member
            9:16 error: @JSONModel adds a static member named 'plan'; rename this member
            10:16 error: @JSONModel adds a static member named '_jsonPlan'; rename this member
            11:15 error: @JSONModel adds a static member named '_JSONStorage'; rename this type
            """)
    }

    @Test func `properties with the names of members of the storage are errors`() {
        expectReports(
            """
            @JSONModel
            class User {
                var _jsonBase: Int
                var jsonBase: Int
                init() {}
            }

            @JSONModel
            final class Alone {
                var _jsonBase: Int
            }
            """, "3:9 error: @JSONModel adds a member of its storage named '_jsonBase'; rename this property")
    }

    /// These are no members of the type itself.
    @Test func `instance members and functions with parameters may have the names of generated members`() {
        expectReports(
            """
            @JSONModel
            struct Account {
                var plan: String
                let jsonShape: Int
                static func plan(of account: Account) {}
                func _jsonPlan() {}
            }
            """, "")
    }
}
#endif

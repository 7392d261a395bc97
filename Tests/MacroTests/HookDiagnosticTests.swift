#if Macros
import Testing

@Suite("Methods with the name but not the signature of a hook")
struct HookDiagnosticTests {
    @Test func `asynchronous methods are not hooks`() {
        let source = """
            @JSONModel
            struct Model {
                let id: Int
                func validate() async throws {}
                mutating func didDecode() async { id = 2 }
            }
            """
        expectReports(
            source,
            """
            4:10 warning: 'validate()' is not called as a hook: a hook can't be 'async'; if it isn't a hook, move it to an extension
              fix-it: remove 'async'
            5:19 warning: 'didDecode()' is not called as a hook: a hook can't be 'async'; if it isn't a hook, move it to an extension
              fix-it: remove 'async'
            """)
        expectFix(
            source, "remove 'async'",
            """
            @JSONModel
            struct Model {
                let id: Int
                func validate() throws {}
                mutating func didDecode() { id = 2 }
            }
            """)
    }

    @Test func `static methods are not hooks`() {
        let source = """
            @JSONModel
            final class Model {
                let id: Int
                static func validate() throws {}
                private class func willEncode() {}
            }
            """
        expectReports(
            source,
            """
            4:17 warning: 'validate()' is not called as a hook: the hook 'validate()' is an instance method; if it isn't a hook, move it to an extension
              fix-it: remove 'static'
            5:24 warning: 'willEncode()' is not called as a hook: the hook 'willEncode()' is an instance method; if it isn't a hook, move it to an extension
              fix-it: remove 'class'
            """)
        expectFix(
            source, "remove 'static'",
            """
            @JSONModel
            final class Model {
                let id: Int
                func validate() throws {}
                private class func willEncode() {}
            }
            """)
    }

    @Test func `methods with parameters or results are not hooks`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                let id: Int
                func didDecode(_ decoder: JSONModelDecoder) {}
                func validate<T>(_ value: T) {}
                func validate() -> [String] { [] }
                func willEncode() -> Self { self }
            }
            """,
            """
            4:10 warning: 'didDecode(_:)' is not called as a hook: the hook 'didDecode()' takes no arguments; if it isn't a hook, move it to an extension
            5:10 warning: 'validate(_:)' is not called as a hook: a hook can't be generic; if it isn't a hook, move it to an extension
            6:10 warning: 'validate()' is not called as a hook: the hook returns nothing, or a 'Bool'; if it isn't a hook, move it to an extension
            7:10 warning: 'willEncode()' is not called as a hook: the hook returns nothing; if it isn't a hook, move it to an extension
            """)
    }

    /// The expansion could not call them.
    @Test func `mutating hooks of validation and encoding are errors`() {
        let source = """
            @JSONModel
            struct Model {
                var id: Int
                public mutating func validate() throws {}
                mutating func willEncode() {}
            }
            """
        expectReports(
            source,
            """
            4:26 error: 'validate()' can't be 'mutating'; use 'didDecode()' to change the model
              fix-it: remove 'mutating'
            5:19 error: 'willEncode()' can't be 'mutating': encoding doesn't change the model
              fix-it: remove 'mutating'
            """)
        expectFix(
            source, "remove 'mutating'",
            """
            @JSONModel
            struct Model {
                var id: Int
                public func validate() throws {}
                func willEncode() {}
            }
            """)
    }

    @Test func `value hooks with another signature are not hooks`() {
        let source = """
            @JSONModel
            struct Instance {
                var id: Int
                func transform(_ value: JSONValue?, for property: String) -> JSONValue? { value }
            }

            @JSONModel
            struct Others {
                var id: Int
                static func transform(_ value: JSONValue, for property: String) -> JSONValue { value }
                static func transform(_ value: JSONValue?, for property: String) -> Int { 1 }
                static func transform(_ value: JSONValue?) -> JSONValue? { value }
            }
            """
        expectReports(
            source,
            """
            4:10 warning: 'transform(_:for:)' is not called as a hook: the hook 'transform(_:for:)' is a static method; if it isn't a hook, move it to an extension
              fix-it: add 'static'
            10:17 warning: 'transform(_:for:)' is not called as a hook: the hook takes '(_: JSONValue?, for: String)'; if it isn't a hook, move it to an extension
            11:17 warning: 'transform(_:for:)' is not called as a hook: the hook returns a 'JSONValue?'; if it isn't a hook, move it to an extension
            12:17 warning: 'transform(_:)' is not called as a hook: the hook takes '(_: JSONValue?, for: String)'; if it isn't a hook, move it to an extension
            """)
        expectFix(
            source, "add 'static'",
            source.replacing("    func transform(_", with: "    static func transform(_"))
    }

    /// The decoder cannot wait for an actor. The main actor is an exception, see `MainActorTests`.
    @Test func `hooks on other actors must be nonisolated`() {
        let source = """
            @RenderActor @JSONModel
            final class Frame {
                var id: Int
                func validate() throws {}
                @MainActor func willEncode() {}
                nonisolated func didDecode() {}
            }

            @JSONModel
            struct Model {
                var id: Int
                @RenderActor func validate() throws {}
            }
            """
        expectReports(
            source,
            """
            4:10 error: 'validate()' must be 'nonisolated': hooks are called by the thread that decodes or encodes, which can't wait for another actor
              fix-it: add 'nonisolated'
            12:23 error: 'validate()' must be 'nonisolated': hooks are called by the thread that decodes or encodes, which can't wait for another actor
              fix-it: add 'nonisolated'
            """)
        expectFix(
            source, "add 'nonisolated'",
            source.replacing("    func validate", with: "    nonisolated func validate")
                .replacing("@RenderActor func validate", with: "nonisolated func validate"))
    }

    /// A macro can have the same name as an actor. Actors have no arguments.
    @Test func `attributes with arguments are no actors`() {
        expectReports(
            """
            @RenderActor(priority: 1) @JSONModel
            class Frame {
                var id: Int
                @RenderActor("validation") func validate() throws {}
            }
            """, "")
    }

    @Test func `enums with a raw type have no hooks`() {
        expectReports(
            """
            @JSONModel
            enum Suit: String {
                case hearts
                func validate() throws {}
            }
            """,
            """
            4:10 warning: 'validate()' is not called as a hook: an enum with a raw type has no hooks; if it isn't a hook, move it to an extension
            """)
    }

    /// The macro of the superclass has reported the method.
    @Test func `overrides are not reported`() {
        expectReports(
            """
            @JSONModel
            class Model: Base {
                override func validate() async {}
            }
            """, "")
    }

    @Test func `overloads of a hook and other methods are not reported`() {
        expectReports(
            """
            @JSONModel
            struct Model: JSONHooks {
                let id: Int
                func validate() throws {}
                func validate(_ strictly: Bool) async -> Int { 1 }
                func transform(_ matrix: Matrix) -> Matrix { matrix }
                mutating func didDecode() throws {}
            }
            """, "")
    }

    @Test func `a declared conformance does not suppress the report of a method`() {
        expectReports(
            """
            @JSONModel
            struct Model: JSONHooks {
                let id: Int
                func validate() async {}
            }
            """,
            """
            4:10 warning: 'validate()' is not called as a hook: a hook can't be 'async'; if it isn't a hook, move it to an extension
              fix-it: remove 'async'
            """)
    }
}
#endif

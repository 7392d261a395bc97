#if Macros
import Sluice
import Testing

@Suite struct MacroClassTests {
    @JSONModel
    final class Account {
        let id: Int
        @JSONKey("owner.login", or: "login") let owner: String
        var stars = 0
        let note: String?
        @JSONIgnore var cached = false
        @JSONIgnore weak var delegate: Account?
        @JSONIgnore lazy private(set) var unused = 1

        init(id: Int, owner: String, note: String?) {
            self.id = id
            self.owner = owner
            self.note = note
        }
    }

    final class AccountByHand: JSONModel {
        let id: Int
        let owner: String
        var stars: Int
        let note: String?
        var cached = false
        weak var delegate: AccountByHand?
        lazy private(set) var unused = 1

        private struct Storage {
            var id: Int
            var owner: String
            var stars: Int
            var note: String?
        }

        static let plan = ModelPlan<AccountByHand>(
            storage: Storage.self,
            [
                JSONField(\.id, key: "id"), JSONField(\.owner, key: "owner.login", or: "login"),
                JSONField(\.stars, key: "stars", default: 0), JSONField(\.note, key: "note"),
            ],
            make: { AccountByHand($0) })

        private init(_ storage: consuming Storage) {
            id = storage.id
            owner = storage.owner
            stars = storage.stars
            note = storage.note
        }
    }

    @JSONModel
    final class Node {
        let name: String
        let children: [Node]
        let next: Node?
    }

    final class NodeByHand: JSONModel {
        let name: String
        let children: [NodeByHand]
        let next: NodeByHand?

        private struct Storage {
            var name: String
            var children: [NodeByHand]
            var next: NodeByHand?
        }

        static let plan = ModelPlan<NodeByHand>(
            storage: Storage.self,
            [
                JSONField(\.name, key: "name"), JSONField(\.children, key: "children", default: []),
                JSONField(\.next, key: "next"),
            ],
            make: { NodeByHand($0) })

        private init(_ storage: consuming Storage) {
            name = storage.name
            children = storage.children
            next = storage.next
        }
    }

    /// A struct that contains itself, by way of an array.
    @JSONModel
    struct Tree {
        let name: String
        var children: [Tree] = []
    }

    struct Untitled: Error {}

    @JSONModel
    class Entry {
        var name = ""
        func validate() throws {}
    }

    @JSONModel
    final class TitledEntry: Entry {
        var language: String?
        @JSONIgnore var title = ""
        func didDecode() { title = name.uppercased() }
        override func validate() throws { if title.isEmpty { throw Untitled() } }
    }

    @Test func `a class is validated after the hooks of its subclass have changed the object`() throws {
        let entry = try JSONModelDecoder().decode(TitledEntry.self, from: #"{"name":"a"}"#)
        #expect(entry.title == "A")
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(TitledEntry.self, from: "{}") }
    }

    @Test func `a final class decodes like its counterpart by hand`() {
        expectSame(
            Account.self, AccountByHand.self,
            from: #"{"id":1,"owner":{"login":"a"},"stars":5,"note":"n","cached":true,"delegate":{}}"#,
            #"{"id":1,"login":"b"}"#, #"{"id":1,"login":"b","id":2,"owner":{"login":"c"}}"#, "{}",
            #"{"id":1,"login":"long enough to be on the heap","stars":"5"}"#)
        expectSame([Account?].self, [AccountByHand?].self, from: #"[null,{"id":1,"login":"b"}]"#, "[{}]")
    }

    @Test func `a class keeps its own initializer`() {
        let account = Account(id: 1, owner: "a", note: nil)
        #expect(account.stars == 0)
        #expect(account.unused == 1)
    }

    @Test func `a recursive class decodes like its counterpart by hand`() {
        let leaf = #"{"name":"leaf","children":[]}"#
        expectSame(
            Node.self, NodeByHand.self,
            from: leaf, #"{"name":"root","children":[\#(leaf),\#(leaf)],"next":\#(leaf)}"#,
            #"{"name":"root","children":[{"name":"x","children":[{"children":[]}]}]}"#,
            #"{"name":"root","children":[\#(leaf),1],"next":\#(leaf)}"#)
    }

    @Test func `a recursive class decodes 200 levels`() throws {
        let depth = 200
        let text =
            String(repeating: #"{"name":"n","children":["#, count: depth) + String(repeating: "]}", count: depth)
        var tree = try JSONModelDecoder().decode(Tree.self, from: text)
        var levels = 1
        while let child = tree.children.first {
            levels += 1
            tree = child
        }
        #expect(levels == depth)
    }
}
#endif

import SluiceCore
import TestSupport
import Testing

// Merges that fail destroy what they were changing.

extension LeakTests {
    struct Merged: JSONModel {
        var tags: [String: Counted]
        var parts: [String: Item]
        var list: [Counted]
        var items: [Item]
        static let plan = ModelPlan<Merged>(
            JSONField(\.tags, default: [:]), JSONField(\.parts, default: [:]),
            JSONField(\.list, key: "way[1]", default: []), JSONField(\.items, default: []))
    }

    @Test func `a failed merge frees all values`() {
        LeakInstances.instances.reset()
        let base =
            #"{"tags":{"a":"b"},"parts":{"p":{"mark":"m","note":"n"}},"way":[0,["x"]],"items":[{"mark":"s"},{"mark":"t"}]}"#
        let patch =
            #"{"tags":{"a":"c","d":"e"},"parts":{"p":{"note":"o"},"q":{"mark":"r"}},"way":[0,["y","z"]],"items":[{"note":"u"},{"mark":"v"},{"mark":"w"}]}"#
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            for nested in [JSONMergeOptions.Nested.replace, .merge] {
                for length in 0...patch.utf8.count {
                    let cut = Array(patch.utf8.prefix(length))
                    for change in [cut, cut + Array("5}".utf8), cut + Array("null".utf8)] {
                        let isBalanced = balanced(
                            "\(source), \(nested): \(String(decoding: change, as: UTF8.self))"
                        ) {
                            var value = try decoder.decode(Merged.self, from: base)
                            try decoder.merge(
                                change, into: &value,
                                options: JSONMergeOptions(nulls: .clear, nested: nested, arrays: .byIndex))
                        }
                        if !isBalanced { return }
                    }
                }
            }
        }
    }

    @Test func `a merge of repeated keys frees all values`() {
        LeakInstances.instances.reset()
        let base =
            #"{"tags":{"a":"b"},"parts":{"p":{"mark":"m","note":"n"}},"way":[0,["x"]],"items":[{"mark":"s"}]}"#
        let patch =
            #"{"tags":{"a":"c","a":"d"},"tags":{"e":"f","e":null},"parts":{"p":{"note":"o","note":"q"},"p":null,"p":{"mark":"r"}},"way":[0,["y"]],"way":[1,["z"]],"items":[{"note":"u","note":"v"}],"items":[{"mark":"w"}]}"#
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { $0.source = source }
            for nested in [JSONMergeOptions.Nested.replace, .merge] {
                for length in 0...patch.utf8.count {
                    let change = Array(patch.utf8.prefix(length))
                    let isBalanced = balanced("\(source), \(nested): \(String(decoding: change, as: UTF8.self))") {
                        var value = try decoder.decode(Merged.self, from: base)
                        try decoder.merge(
                            change, into: &value,
                            options: JSONMergeOptions(nulls: .clear, nested: nested, arrays: .byIndex))
                    }
                    if !isBalanced { return }
                }
            }
        }
    }

    // The copy of the array had no owner.
    @Test func `an object that is merged into an optional array frees all values`() {
        LeakInstances.instances.reset()
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            for (patch, path) in [("{}", JSONPath()), (#"{"mark":"b"}"#, JSONPath()), (#"{"a":{}}"#, "a")] {
                let isBalanced = balanced("\(source): \(patch)") {
                    var items: [Item]? = try decoder.decode([Item].self, from: #"[{"mark":"a"}]"#)
                    try decoder.merge(patch, into: &items, at: path, options: JSONMergeOptions(arrays: .byIndex))
                }
                if !isBalanced { return }
            }
        }
    }

    // MARK: Every kind of property

    /// A class whose objects are changed in place.
    final class Node: JSONModel {
        struct Storage {
            var mark: Counted
            var children: [Node]
        }
        var mark: Counted
        var children: [Node]
        init(_ storage: consuming Storage) { (mark, children) = (storage.mark, storage.children) }
        static let plan = ModelPlan<Node>(
            storage: Storage.self, [JSONField(\.mark), JSONField(\.children, default: [])], make: { Node($0) },
            read: { Storage(mark: $0.mark, children: $0.children) },
            assign: { ($1.mark, $1.children) = ($0.mark, $0.children) })
    }

    enum Thing: JSONEnum {
        case item(Item)
        case table([String: Counted])
        static let plan = ModelPlan<Thing>(cases: [.of("item", Self.item), .of("table", Self.table)])
    }

    struct Pair: JSONModel {
        var first: Counted
        var last: Counted?
        static let plan = ModelPlan<Pair>(JSONField(\.first), JSONField(\.last))
    }

    struct Changed: JSONModel {
        var login: Counted?
        var second: Counted?
        var either: Counted?
        var thing: Thing?
        var choice: Choice?
        var byName: [String: Thing]
        var things: [Thing]
        var maybe: [Item?]?
        var pair: Pair?
        var node: Node?
        var lazy: JSONLazy<Item>?
        var field: JSONPresence<Item>
        var wrapped: [Counted]
        var names: [Counted]
        var whole: [String: Counted]?
        var part: Counted?
        var rest: [String: Thing]
        static let plan = ModelPlan<Changed>([
            JSONField(\.login, key: "account.login"), JSONField(\.second, key: "list[1]"),
            JSONField(\.either, key: "one", or: "two"), JSONField(\.thing), JSONField(\.choice),
            JSONField(\.byName, default: [:]), JSONField(\.things, default: []).lossy(), JSONField(\.maybe),
            JSONField(flatten: \.pair), JSONField(\.node), JSONField(\.lazy), JSONField(\.field),
            JSONField(\.wrapped, key: "wrapped", transform: Wrap(), default: []).defaulting(on: .mismatch),
            JSONField(\.names, key: "items[*].name", default: []), JSONField(\.whole),
            JSONField(\.part, key: "whole.part"), JSONField(extra: \.rest).lossy(),
        ])

        static let text = #"""
            {"account":{"login":"a"},"list":[0,"b"],"two":"c","thing":{"item":{"mark":"d","note":"e"}},
            "choice":{"type":"item","mark":"f"},"byName":{"k":{"item":{"mark":"g"}}},
            "things":[{"table":{"h":"i"}},{"item":{"mark":"j"}}],"maybe":[{"mark":"k"},null],"first":"l","last":"m",
            "node":{"mark":"n","children":[{"mark":"o"}]},"lazy":{"mark":"p"},"field":{"mark":"q"},"wrapped":"r",
            "items":[{"name":"s"}],"whole":{"part":"u","x":"v"},"more":{"item":{"mark":"t"}}}
            """#
    }

    @Test(arguments: [
        #"{"account":{"login":"A"},"account":null,"list":[0,"B"],"list":null,"list":[1,"C"]}"#,
        #"{"one":"A","two":"B","one":null,"two":"C"}"#, #"{"two":null,"one":"A","one":"B"}"#,
        #"{"thing":{"item":{"note":"A"}},"thing":{"table":{"a":"B"},"item":null}}"#,
        #"{"choice":{"mark":"A"},"choice":{"type":"x","mark":"B"}}"#,
        #"{"byName":{"k":{"item":{"note":"A"}},"k":{"item":{"mark":"B"}},"l":{"table":{"a":"C"}},"k":null}}"#,
        #"{"things":[{"table":{"h":"A"}},{"item":{"note":"B"}},{"item":{"mark":"C"}}],"things":[null,{"table":{}}]}"#,
        #"{"maybe":[{"note":"A"},{"mark":"B"},{"mark":"C"}],"maybe":null,"maybe":[{"mark":"D"}]}"#,
        #"{"first":"A","last":null,"first":null,"last":"B"}"#, #"{"first":null,"last":null}"#,
        #"{"node":{"mark":"A","children":[{"mark":"B"},{"mark":"C"}]},"node":{"mark":"D"},"thing":{"item":{"note":"E"}}}"#,
        #"{"lazy":{"note":"A"},"lazy":7,"field":{"note":"B"},"field":null,"field":{"mark":"C"}}"#,
        #"{"wrapped":"A","wrapped":"bad","items":[{"name":"B"},{"name":"C"}],"items":[{"name":"D"}],"items":null}"#,
        #"{"whole":{"part":"A","x":"B"},"whole":{"part":"C"},"whole":null,"whole":{"part":"D","y":"E"}}"#,
        #"{"more":{"item":{"note":"A"}},"more":{"item":{"mark":"B"}},"new":{"table":{"a":"C"}},"new":null}"#,
    ])
    func `a merge into any property frees all values`(_ patch: String) {
        LeakInstances.instances.reset()
        // The patch, its beginnings, and the patch with another value in place of each string in capitals.
        var patches = [patch]
        for length in stride(from: 1, to: patch.utf8.count, by: 5) {
            patches.append(String(decoding: patch.utf8.prefix(length), as: UTF8.self))
        }
        for letter in "ABCDE" where patch.contains("\"\(letter)\"") {
            for other in ["5", "null", #""refused""#, "{}", "[[]]"] {
                patches.append(patch.replacing("\"\(letter)\"", with: other))
            }
        }
        for (index, patch) in patches.enumerated() {
            let decoder = JSONModelDecoder.with {
                $0.source = JSONModelDecoder.Source.allCases[index % JSONModelDecoder.Source.allCases.count]
            }
            for options in [
                JSONMergeOptions(), .mergePatch, JSONMergeOptions(nested: .merge, arrays: .byIndex),
                JSONMergeOptions(nulls: .clear, nested: .merge, arrays: .byIndex),
            ] {
                let isBalanced = balanced("\(options): \(patch)") {
                    var value = try decoder.decode(Changed.self, from: Changed.text)
                    try decoder.merge(patch, into: &value, options: options)
                }
                if !isBalanced { return }
            }
        }
    }
}

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
            JSONField(\.tags, key: "tags", default: [:]), JSONField(\.parts, key: "parts", default: [:]),
            JSONField(\.list, key: "way[1]", default: []), JSONField(\.items, key: "items", default: []))
    }

    @Test func `a failed merge frees all values`() {
        LeakInstances.instances.reset()
        let base =
            #"{"tags":{"a":"b"},"parts":{"p":{"mark":"m","note":"n"}},"way":[0,["x"]],"items":[{"mark":"s"},{"mark":"t"}]}"#
        let patch =
            #"{"tags":{"a":"c","d":"e"},"parts":{"p":{"note":"o"},"q":{"mark":"r"}},"way":[0,["y","z"]],"items":[{"note":"u"},{"mark":"v"},{"mark":"w"}]}"#
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder()
            decoder.source = source
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
}

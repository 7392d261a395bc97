import Sluice

/// What a text is decoded to: everything that a plan can do is somewhere in here.
enum FuzzTargets {
    struct Tree: JSONModel, Hashable {
        let n: Int
        let c: [Tree]
        static let plan = ModelPlan<Tree>(JSONField(\.n, key: "id"), JSONField(\.c, key: "c", default: []))
    }

    struct Model: JSONModel, Hashable {
        let id: Int?
        let name: String
        let items: [String: [Tree?]]
        let tree: Tree?
        let raw: JSONRaw?
        let value: JSONValue
        let numbers: [Double]
        let deep: String?
        let second: Int8
        let other: Set<String>
        static let plan = ModelPlan<Model> {
            JSONField(\.id, key: "id", or: "n", "long_key_with_tail_1")
            JSONField(\.name, key: "name", default: "none")
            JSONField(\.items, key: "items", default: [:])
            JSONField(\.tree, key: "tree")
            JSONField(\.raw, key: "raw")
            JSONField(\.value, key: "value", default: .null)
            JSONField(\.numbers, key: "numbers", default: [])
            JSONField(\.deep, key: "nested.deep.x")
            JSONField(\.second, key: "a[1]", default: 5)
            JSONField(\.other, key: "b", default: [])
        }
    }

    /// It passes over everything.
    struct Nothing: JSONModel, Hashable {
        let id: Bool?
        static let plan = ModelPlan<Nothing>(JSONField(\.id, key: "no such key"))
    }

    /// Reads a text from one source to one of the targets.
    struct Reading: Sendable {
        let name: String
        let read: @Sendable (JSONModelDecoder, [[UInt8]]?, [UInt8]) throws -> AnyHashable

        static func of<T: JSONConvertible & Hashable & Sendable>(_ type: T.Type, at path: JSONPath = JSONPath())
            -> Reading
        {
            Reading(name: "\(type) at '\(path)'") { decoder, chunks, text in
                if let chunks { return try AnyHashable(decoder.decode(T.self, from: .chunks(chunks), at: path)) }
                return try AnyHashable(decoder.decode(T.self, from: text, at: path))
            }
        }

        /// The elements that are given before the end, or an error.
        static func elements<T: JSONConvertible & Hashable & Sendable>(of type: T.Type, at path: JSONPath)
            -> Reading
        {
            Reading(name: "elements of \(type) at '\(path)'") { decoder, _, text in
                var elements: [T] = []
                do throws(JSONModelError) {
                    try decoder.forEach(T.self, in: text, at: path) { elements.append($0) }
                } catch {
                    let facts = error.issues.map(Outcome.Facts.init)
                    return AnyHashable([AnyHashable(elements), AnyHashable(facts)])
                }
                return AnyHashable(elements)
            }
        }
    }

    static let readings: [Reading] = [
        .of(Model.self), .of(JSONValue.self), .of(JSONRaw.self), .of(Nothing.self), .of([String: JSONRaw].self),
        .of([Model].self), .of(JSONValue.self, at: "items[1]"), .of([Double].self, at: "numbers"),
        .elements(of: JSONValue.self, at: "[*]"), .elements(of: Tree.self, at: "items[*].c"),
    ]
}

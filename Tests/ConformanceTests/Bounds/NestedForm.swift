import Sluice

/// The forms of a value that is as deep as its JSON.
enum NestedForm: CaseIterable {
    case value, model, codable

    private struct Tree: JSONModel {
        let id: Int
        let children: [Tree]
        static let plan = ModelPlan<Tree>(JSONField(\.id, key: "id"), JSONField(\.children, key: "children"))
    }

    private struct CodableTree: Encodable {
        let id: Int
        let children: [CodableTree]
    }

    /// Two depths to compare. `Codable` encodes a nested value with calls for each level.
    var depths: [Int] { self == .codable ? [64, 256] : [64, 2_000] }

    /// The greatest number of bytes of the stack for each level, which is an object in an array.
    var stackPerLevel: Double { self == .codable ? 2_304 : 0.1 }

    /// The greatest number of allocations for each level.
    var allocationsPerLevel: Double { self == .codable ? 2.1 : 0 }

    /// Returns a function that encodes a value with a number of objects inside of each other.
    func encoding(depth: Int) -> (JSONModelEncoder) throws -> [UInt8] {
        encoding(
            value: (0..<depth).reduce(JSONValue.null) { ["id": .number(JSONNumber($1)), "children": [$0]] },
            tree: (0..<depth).reduce(Tree(id: 0, children: [])) { Tree(id: $1, children: [$0]) },
            codable: (0..<depth).reduce(CodableTree(id: 0, children: [])) { CodableTree(id: $1, children: [$0]) })
    }

    /// Returns a function that encodes a value with a number of elements.
    func encoding(count: Int) -> (JSONModelEncoder) throws -> [UInt8] {
        let ids = Array(0..<count)
        return encoding(
            value: .array(ids.map { ["id": .number(JSONNumber($0)), "children": []] }),
            tree: Tree(id: 0, children: ids.map { Tree(id: $0, children: []) }),
            codable: CodableTree(id: 0, children: ids.map { CodableTree(id: $0, children: []) }))
    }

    private func encoding(value: JSONValue, tree: Tree, codable: CodableTree) -> (JSONModelEncoder) throws ->
        [UInt8]
    {
        switch self {
        case .value: { try $0.encode(value) }
        case .model: { try $0.encode(tree) }
        case .codable: { try $0.encode(codable) }
        }
    }
}

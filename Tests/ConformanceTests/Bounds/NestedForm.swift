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
        let ids = 0..<depth
        switch self {
        case .value:
            let value = ids.reduce(JSONValue.null) { ["id": .number(JSONNumber($1)), "children": [$0]] }
            return { try $0.encode(value) }
        case .model:
            let tree = ids.reduce(Tree(id: 0, children: [])) { Tree(id: $1, children: [$0]) }
            return { try $0.encode(tree) }
        case .codable:
            let tree = ids.reduce(CodableTree(id: 0, children: [])) { CodableTree(id: $1, children: [$0]) }
            return { try $0.encode(tree) }
        }
    }

    /// Returns a function that encodes a value with a number of elements.
    func encoding(count: Int) -> (JSONModelEncoder) throws -> [UInt8] {
        let ids = 0..<count
        switch self {
        case .value:
            let value = JSONValue.array(ids.map { ["id": .number(JSONNumber($0)), "children": []] })
            return { try $0.encode(value) }
        case .model:
            let tree = Tree(id: 0, children: ids.map { Tree(id: $0, children: []) })
            return { try $0.encode(tree) }
        case .codable:
            let tree = CodableTree(id: 0, children: ids.map { CodableTree(id: $0, children: []) })
            return { try $0.encode(tree) }
        }
    }
}

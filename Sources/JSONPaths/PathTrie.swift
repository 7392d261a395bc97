/// The paths of several fields as a tree. The components below a node are in the order of their first use.
///
/// One field may use a whole value and another field parts of this value. All paths use a value in the same form: as an
/// object or as an array, of which they select either every value or single values.
package final class PathTrie {
    /// A field, and the rank of the path among its candidate paths.
    package struct Leaf {
        package let field: Int
        package let rank: Int

        package init(field: Int, rank: Int = 0) {
            self.field = field
            self.rank = rank
        }
    }

    /// The reason why a path conflicts with an earlier path.
    package enum Conflict {
        /// The earlier path is equal.
        case samePath(Leaf)
        /// The paths use the value at a prefix as an object and as an array.
        case objectAndArray(depth: Int, Leaf)
        /// The paths select every value and a single value of the object or array at a prefix.
        case everyAndOne(depth: Int, Leaf)

        /// The leaf of the earlier path.
        package var leaf: Leaf {
            switch self {
            case .samePath(let leaf), .objectAndArray(_, let leaf), .everyAndOne(_, let leaf): leaf
            }
        }
    }

    /// The leaf whose path ends here.
    package private(set) var leaf: Leaf?
    /// Whether the path of the leaf was added before all longer paths through this node.
    package private(set) var startsWithLeaf = false
    package private(set) var children: [(component: JSONPath.Component, node: PathTrie)] = []
    /// The indexes of the children by component, for many children.
    private var indexes: [JSONPath.Component: Int]?
    /// The leaf of the first path through this node.
    private let first: Leaf?

    package convenience init() { self.init(first: nil) }

    private init(first: Leaf?) { self.first = first }

    /// Adds a path, or returns its conflict with an earlier path.
    package func insert(_ path: JSONPath, _ leaf: Leaf) -> Conflict? {
        var node = self
        for (depth, component) in path.components.enumerated() {
            if let other = node.children.first, let first = other.node.first {
                if component.isOfObject != other.component.isOfObject {
                    return .objectAndArray(depth: depth, first)
                }
                if component.isWildcard != other.component.isWildcard {
                    return .everyAndOne(depth: depth, first)
                }
            }
            node = node.child(component, first: leaf)
        }
        if let other = node.leaf { return .samePath(other) }
        node.leaf = leaf
        node.startsWithLeaf = node.children.isEmpty
        return nil
    }

    /// Adds a key without a leaf.
    package func reserve(key: String) { _ = child(.key(key), first: nil) }

    private func child(_ component: JSONPath.Component, first: Leaf?) -> PathTrie {
        if let known = index(of: component) { return children[known].node }
        let node = PathTrie(first: first)
        indexes?[component] = children.count
        children.append((component, node))
        return node
    }

    /// Returns the index of a child, or nil.
    private func index(of component: JSONPath.Component) -> Int? {
        // A search takes less time than to hash a few components.
        if children.count <= 24 { return children.firstIndex { $0.component == component } }
        if indexes == nil {
            indexes = Dictionary(uniqueKeysWithValues: children.indices.map { (children[$0].component, $0) })
        }
        return indexes?[component]
    }

    /// The leaves of the node and of all nodes below, in the order of their first use.
    package var leaves: [Leaf] { (leaf.map { [$0] } ?? []) + children.flatMap(\.node.leaves) }
}

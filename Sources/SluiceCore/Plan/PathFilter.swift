/// Which properties of a document are wanted: the paths of an `only:` list as a tree.
///
/// `[*]` may be left out: the path of an array's element is that of the array.
final class PathFilter: @unchecked Sendable {
    /// What of a filter holds below a path.
    enum Below {
        case nothing, everything
        case some(PathFilter)
    }

    private var children: [JSONPath.Component: PathFilter] = [:]
    /// Whether all below is meant.
    private var isEnd = false

    init(_ paths: [JSONPath]) {
        for path in paths {
            var node = self
            for component in path.components where component.isKey {
                let next = node.children[component] ?? PathFilter([])
                node.children[component] = next
                node = next
            }
            node.isEnd = true
        }
    }

    func below(_ path: JSONPath) -> Below {
        var node = self
        if node.isEnd { return .everything }
        for component in path.components where component.isKey {
            guard let next = node.children[component] else { return .nothing }
            if next.isEnd { return .everything }
            node = next
        }
        return .some(node)
    }
}

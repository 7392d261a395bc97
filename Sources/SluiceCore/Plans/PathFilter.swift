/// The properties that are selected by an `only:` and an `except:` list of paths, as a tree.
///
/// `[*]` may be omitted: the path of an array's element is that of the array.
final class PathFilter: @unchecked Sendable {
    /// The part of a filter that applies below a path.
    enum Below {
        case nothing, everything
        case some(PathFilter)
    }

    // Unchecked sendability: the tree changes only during initialization.
    private var children: [JSONPath.Component: PathFilter] = [:]
    /// Whether everything below is selected, except for exceptions.
    private var isWanted = false
    private var isExcepted = false
    /// Whether something below is excepted, or selected.
    private var hasExceptions = false
    private var hasWanted = false

    private init() {}

    /// - Parameter only: The selected paths; nil for all.
    init(only: [JSONPath]?, except: [JSONPath] = []) {
        for path in only ?? [JSONPath()] { node(path).isWanted = true }
        for path in except { node(path).isExcepted = true }
        resolve(isWanted: false)
    }

    private func node(_ path: JSONPath) -> PathFilter {
        var node = self
        for component in path.components where component.isKey {
            let next = node.children[component] ?? PathFilter()
            node.children[component] = next
            node = next
        }
        return node
    }

    private func resolve(isWanted above: Bool) {
        isWanted = isWanted || above
        for child in children.values {
            child.resolve(isWanted: isWanted)
            hasExceptions = hasExceptions || child.isExcepted || child.hasExceptions
            hasWanted = hasWanted || child.isWanted || child.hasWanted
        }
    }

    /// Returns the part of the filter below a key.
    func child(_ component: JSONPath.Component) -> PathFilter? { children[component] }

    /// The parts below, sorted by their keys.
    var sortedChildren: [(JSONPath.Component, PathFilter)] {
        children.sorted { "\($0.key)" < "\($1.key)" }.map { ($0.key, $0.value) }
    }

    func below(_ path: JSONPath) -> Below {
        var node = self
        if node.isExcepted { return .nothing }
        for component in path.components where component.isKey {
            guard let next = node.children[component] else { return node.isWanted ? .everything : .nothing }
            if next.isExcepted { return .nothing }
            node = next
        }
        if node.isWanted { return node.hasExceptions ? .some(node) : .everything }
        return node.hasWanted ? .some(node) : .nothing
    }
}

/// The properties that are selected by an `only:` and an `except:` list of paths, as a tree.
///
/// `[*]` may be omitted: the path of an array's element is that of the array. An index selects the properties whose own key path
/// has the index.
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
    private(set) var isExcepted = false
    /// Whether something below is excepted, or selected.
    private var hasExceptions = false
    private var hasWanted = false
    /// Whether the part repeats, below an index, a part of the same paths without the index.
    private(set) var isRepeated = false

    private init() {}

    /// - Parameter only: The selected paths; nil for all.
    init(only: [JSONPath]?, except: [JSONPath] = []) {
        for path in only ?? [JSONPath()] { node(path).isWanted = true }
        for path in except { node(path).isExcepted = true }
        repeatBelowIndexes()
        resolve(isWanted: false)
    }

    private func node(_ path: JSONPath) -> PathFilter {
        var node = self
        for component in path.components where !component.isWildcard {
            let next = node.children[component] ?? PathFilter()
            node.children[component] = next
            node = next
        }
        return node
    }

    /// Adds the paths without an index to the parts below an index, for which they are valid, too.
    private func repeatBelowIndexes() {
        let keys = children.filter(\.key.isKey)
        for (component, child) in children where !component.isKey {
            for (key, part) in keys { child.add(part, at: key) }
        }
        for child in children.values { child.repeatBelowIndexes() }
    }

    private func add(_ part: PathFilter, at component: JSONPath.Component) {
        let child: PathFilter
        if let known = children[component] {
            child = known
        } else {
            child = PathFilter()
            child.isRepeated = true
            children[component] = child
        }
        child.isWanted = child.isWanted || part.isWanted
        child.isExcepted = child.isExcepted || part.isExcepted
        for (component, part) in part.children { child.add(part, at: component) }
    }

    private func resolve(isWanted above: Bool) {
        isWanted = isWanted || above
        for (component, child) in children {
            child.resolve(isWanted: isWanted)
            // An index applies to key paths with this index only.
            guard component.isKey else { continue }
            hasExceptions = hasExceptions || child.isExcepted || child.hasExceptions
            hasWanted = hasWanted || child.isWanted || child.hasWanted
        }
    }

    /// Returns the part of the filter below a key or an index.
    func child(_ component: JSONPath.Component) -> PathFilter? { children[component] }

    /// Whether paths lead to something below.
    var hasChildren: Bool { !children.isEmpty }

    /// The parts below, sorted by their keys.
    var sortedChildren: [(JSONPath.Component, PathFilter)] {
        children.sorted { "\($0.key)" < "\($1.key)" }.map { ($0.key, $0.value) }
    }

    func below(_ path: JSONPath) -> Below {
        var node = self
        if node.isExcepted { return .nothing }
        for component in path.components where !component.isWildcard {
            guard let next = node.children[component] else {
                // The element of an array is selected by the path of the array.
                if !component.isKey { continue }
                return node.isWanted ? .everything : .nothing
            }
            if next.isExcepted { return .nothing }
            node = next
        }
        if node.isWanted { return node.hasExceptions ? .some(node) : .everything }
        return node.hasWanted ? .some(node) : .nothing
    }
}

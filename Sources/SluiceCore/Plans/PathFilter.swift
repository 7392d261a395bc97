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
    /// Whether something below a key is excepted, or selected.
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

    /// Adds the paths without an index to the parts below an index. Such paths select the elements at all indexes.
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

    /// Returns whether the part, or anything below, is excepted, and whether any of this is selected.
    @discardableResult
    private func resolve(isWanted above: Bool) -> (isExcepted: Bool, isWanted: Bool) {
        isWanted = isWanted || above
        var (anyExcepted, anyWanted) = (isExcepted, isWanted)
        for (component, child) in children {
            let part = child.resolve(isWanted: isWanted)
            anyExcepted = anyExcepted || part.isExcepted
            anyWanted = anyWanted || part.isWanted
            // An index applies to key paths with this index only, and no property of a value at this path begins with one.
            guard component.isKey else { continue }
            hasExceptions = hasExceptions || part.isExcepted
            hasWanted = hasWanted || part.isWanted
        }
        return (anyExcepted, anyWanted)
    }

    /// Returns the part of the filter below a key or an index.
    func child(_ component: JSONPath.Component) -> PathFilter? { children[component] }

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

/// Finds the paths of a filter that do not select a property of a type.
///
/// The path of a filter contains neither keys of dictionaries nor indexes of arrays, except for an index that a property has in its
/// own key path. An enum with associated values and the value of an extra key are selected as a whole. For encoding, objects may
/// be of a subclass, whose properties are not known: paths to further properties are accepted.
struct FilterCoverage {
    /// A layout and the applicable part of the filter.
    private struct Visit: Hashable {
        let layout: LayoutReference
        let filter: ObjectIdentifier
    }

    /// The steps that lead to properties under a part of the filter.
    private struct Part {
        var known: Set<JSONPath.Component> = []
        /// Whether other keys may be those of a subclass.
        var isOpen = false
        /// Whether other keys select extra keys.
        var hasExtraKeys = false
        /// The excepted keys of flattened enums, which are always selected.
        var enumKeys: Set<JSONPath.Component> = []
        /// The values that are selected as a whole, for messages.
        var whole: String?

        /// The known keys.
        var keys: [String] { known.compactMap { if case .key(let key) = $0 { key } else { nil } }.sorted() }
    }

    private let isEncoding: Bool
    private var parts: [ObjectIdentifier: Part] = [:]
    private var visits: Set<Visit> = []

    /// Returns an error for the first path that selects no property, or nil.
    ///
    /// - Parameter isEncoding: Whether values are encoded. Objects may then be of a subclass of the declared class, and extra keys
    ///   are selected.
    static func defect(of filter: PathFilter, on layout: LayoutReference, isEncoding: Bool) -> JSONModelError? {
        var coverage = FilterCoverage(isEncoding: isEncoding)
        coverage.cover(layout, filter)
        return coverage.unknown(in: filter, at: JSONPath()).map { JSONModelError(issues: [$0]) }
    }

    private init(isEncoding: Bool) { self.isEncoding = isEncoding }

    private mutating func cover(_ layout: LayoutReference, _ filter: PathFilter) {
        guard visits.insert(Visit(layout: layout, filter: ObjectIdentifier(filter))).inserted else { return }
        switch layout.kind {
        case .model, .composite: coverModel(layout, filter)
        case .union: change(filter) { $0.whole = "an enum" }
        default:
            if let element = layout.element { cover(element, filter) }
            if let form = layout.contents { cover(form, filter) }
        }
    }

    private mutating func coverModel(_ layout: LayoutReference, _ filter: PathFilter) {
        guard let plan = layout.table?.plan else { return }
        if isEncoding, layout.withModel({ $0.isClass }) { change(filter) { $0.isOpen = true } }
        for flattened in plan.flattenedEnums { cover(flattened, filter) }
        for field in plan.fields {
            if isEncoding, case .extra = field.declared.role { change(filter) { $0.hasExtraKeys = true } }
            guard let path = field.keyPath else { continue }
            cover(path.components.filter { !$0.isWildcard }[...], of: field, filter)
        }
    }

    /// Covers the steps to a field.
    private mutating func cover(_ steps: ArraySlice<JSONPath.Component>, of field: FieldInfo, _ filter: PathFilter)
    {
        guard let step = steps.first else {
            if let layout = field.layout { cover(layout, filter) }
            return
        }
        change(filter) { $0.known.insert(step) }
        if let next = filter.child(step) { cover(steps.dropFirst(), of: field, next) }
        // The index may be omitted.
        if !step.isKey { cover(steps.dropFirst(), of: field, filter) }
    }

    /// Covers the keys of an enum in the model's own object. The enum is always selected.
    private mutating func cover(_ flattened: FlattenedEnum, _ filter: PathFilter) {
        for (step, child) in filter.sortedChildren {
            guard case .key(let key) = step else { continue }
            let isNamed = flattened.keys.names.contains(MemberName(key))
            guard isNamed || flattened.keys.isOpen else { continue }
            if child.isExcepted {
                change(filter) {
                    $0.whole = "an enum"
                    if isNamed { $0.enumKeys.insert(step) }
                }
            } else {
                change(filter) { $0.known.insert(step) }
                change(child) { $0.whole = "an enum" }
            }
        }
    }

    private mutating func change(_ filter: PathFilter, _ body: (inout Part) -> Void) {
        body(&parts[ObjectIdentifier(filter), default: Part()])
    }

    private func unknown(in filter: PathFilter, at path: JSONPath) -> JSONIssue? {
        let part = parts[ObjectIdentifier(filter)] ?? Part()
        for (component, child) in filter.sortedChildren where !child.isRepeated {
            var path = path
            path.components.append(component)
            if part.known.contains(component) {
                if let issue = unknown(in: child, at: path) { return issue }
            } else if part.enumKeys.contains(component) {
                return issue(path, component, part)
            } else if part.isOpen, component.isKey {
                continue
            } else if part.hasExtraKeys, component.isKey {
                if let (step, _) = child.sortedChildren.first {
                    path.components.append(step)
                    return issue(path, "leads into an extra key, whose value is selected as a whole")
                }
            } else {
                return issue(path, component, part)
            }
        }
        return nil
    }

    private func issue(_ path: JSONPath, _ component: JSONPath.Component, _ part: Part) -> JSONIssue {
        guard case .key(let key) = component else {
            return issue(path, "has an index that is in no property's own path: an array is selected as a whole")
        }
        if let whole = part.whole { return issue(path, "leads into \(whole), which is selected as a whole") }
        let hint = Spelling.nearest(to: key, among: part.keys).map { "did you mean \"\($0)\"?" }
        return issue(path, "leads to no property", hint)
    }

    private func issue(_ path: JSONPath, _ reason: String, _ hint: String? = nil) -> JSONIssue {
        var issue = JSONIssue(kind: .invalidPath("'\(path)' in only or except \(reason)"))
        issue.hint = hint
        return issue
    }
}

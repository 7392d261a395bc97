/// Finds the paths of a filter that do not name a property of a type.
///
/// The path of a filter contains neither keys of dictionaries nor indexes of arrays. Below enums with associated values,
/// extra keys and (for encoding) objects, whose class may be a subclass, every path is accepted.
struct FilterCoverage {
    /// A layout and the applicable part of the filter.
    private struct Place: Hashable {
        let layout: LayoutReference
        let filter: ObjectIdentifier
    }

    /// The keys that name properties under a part of the filter.
    private struct Part {
        var known: Set<String> = []
        var isOpen = false
    }

    private let acceptsSubclasses: Bool
    private var parts: [ObjectIdentifier: Part] = [:]
    private var places: Set<Place> = []

    /// Returns an error for the first unknown path, or nil.
    ///
    /// - Parameter acceptsSubclasses: Whether objects may be of a subclass of the declared class.
    static func defect(
        of filter: PathFilter, on layout: LayoutReference, acceptsSubclasses: Bool
    ) -> JSONModelError? {
        var coverage = FilterCoverage(acceptsSubclasses: acceptsSubclasses)
        coverage.cover(layout, filter)
        return coverage.unknown(in: filter, at: JSONPath()).map { JSONModelError(issues: [$0]) }
    }

    private init(acceptsSubclasses: Bool) { self.acceptsSubclasses = acceptsSubclasses }

    private mutating func cover(_ layout: LayoutReference, _ filter: PathFilter) {
        let id = ObjectIdentifier(filter)
        guard places.insert(Place(layout: layout, filter: id)).inserted else { return }
        switch layout.kind {
        case .model, .composite: coverModel(layout, filter)
        case .union: parts[id, default: Part()].isOpen = true
        default:
            if let element = layout.element { cover(element, filter) }
            if let form = layout.objectForm { cover(form, filter) }
        }
    }

    private mutating func coverModel(_ layout: LayoutReference, _ filter: PathFilter) {
        let id = ObjectIdentifier(filter)
        guard let plan = layout.table?.plan else { return }
        if acceptsSubclasses, layout.withModel({ $0.isClass }) {
            parts[id, default: Part()].isOpen = true
        }
        if !plan.flattenedEnums.isEmpty { parts[id, default: Part()].isOpen = true }
        for field in plan.fields {
            if case .extra = field.declared.role { parts[id, default: Part()].isOpen = true }
            guard let path = field.place else { continue }
            var node = filter
            var isCovered = true
            for component in path.components where component.isKey {
                if case .key(let key) = component {
                    parts[ObjectIdentifier(node), default: Part()].known.insert(key)
                }
                guard let next = node.child(component) else {
                    isCovered = false
                    break
                }
                node = next
            }
            if isCovered, let layout = field.layout { cover(layout, node) }
        }
    }

    private func unknown(in filter: PathFilter, at path: JSONPath) -> JSONIssue? {
        let part = parts[ObjectIdentifier(filter)] ?? Part()
        if part.isOpen { return nil }
        for (component, child) in filter.sortedChildren {
            var path = path
            path.components.append(component)
            guard case .key(let key) = component, part.known.contains(key) else {
                return issue(path, component, part.known)
            }
            if let issue = unknown(in: child, at: path) { return issue }
        }
        return nil
    }

    private func issue(_ path: JSONPath, _ component: JSONPath.Component, _ known: Set<String>) -> JSONIssue {
        var issue = JSONIssue(kind: .invalidPath("'\(path)' in only or except leads to no property"))
        if case .key(let key) = component {
            issue.hint = Spelling.nearest(to: key, among: known.sorted()).map { "did you mean \"\($0)\"?" }
        }
        return issue
    }
}

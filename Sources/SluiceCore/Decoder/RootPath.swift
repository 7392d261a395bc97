/// The tables of a path given at a call, with one entry each. Owns their memory.
package final class RootPath {
    package let path: JSONPath
    let table: TableReference
    private let memory = PlanMemory()

    /// - Parameters:
    ///   - streams: Whether each value is passed to a closure. The path may then contain `[*]` and `.*`, and `[*]` is
    ///     appended to a path without wildcards.
    ///   - stopsEarly: Whether the parse stops after the value.
    /// - Throws: An error that describes the defect of the path.
    package init(
        _ requestedPath: JSONPath, to shape: LayoutReference, streams: Bool, stopsEarly: Bool = false
    ) throws(JSONModelError) {
        let path = streams ? requestedPath.ofElements : requestedPath
        if !streams, path.selectsSeveral {
            let container = [path].wildcards == "[*]" ? "array" : "object"
            throw JSONModelError(
                .invalidPath(
                    "'\(requestedPath)' selects several values: use forEach, or the path of the \(container)"))
        }
        try requestedPath.checkMembers(shape)
        self.path = path
        var child: TableReference?
        for (depth, step) in path.components.enumerated().reversed() {
            var entry = TableBuilder.sentinel()
            entry.child = child
            if child == nil {
                entry.disposition = Disposition(result: shape)
                entry.layout = shape
                entry.field = streams ? -1 : 0
                // Without a presence bit, the driver checks after the value whether to stop, and before one that is not made.
                entry.presenceBit = streams || stopsEarly || shape.kind == .ignored ? 0 : 1
            }
            switch step {
            case .key(let key): TableBuilder.setKey(&entry, key, memory)
            case .index(let index): entry.elementIndex = index
            case .anyIndex, .anyKey: break
            }
            var table = KeyTable(KeyTable.Form(step), [entry], in: memory)
            // A key of the root object may have been intended instead.
            if depth == 0 { table.unknown = .note }
            child = TableReference(memory.copy(CollectionOfOne(table)))
        }
        guard let child else { throw JSONModelError(.invalidPath("the path is empty")) }
        table = child
    }
}

extension JSONPath {
    /// The path of the elements of a stream: `[*]` is appended to a path without wildcards, which is that of an array.
    package var ofElements: JSONPath { selectsSeveral ? self : JSONPath(components + [.anyIndex]) }

    /// Throws if elements need keys, and the path does not select members.
    package func checkMembers(_ shape: LayoutReference) throws(JSONModelError) {
        guard shape.shape.takesKey, components.last != .anyKey else { return }
        let subject = components.isEmpty ? "an empty path" : "'\(self)'"
        throw JSONModelError(.invalidPath("\(subject) does not select members: \(Self.memberPathReason)"))
    }

    /// Whether the path selects the elements of one array.
    package var selectsOneArray: Bool {
        components.last == .anyIndex && !components.dropLast().contains { $0.isWildcard }
    }
}

extension PlanCache {
    /// Calls a closure with the layout of a shape and the tables of a path, which stay valid during the call.
    ///
    /// - Parameter streams: Whether each value at the path is passed to a closure.
    @inline(__always)
    func withRoot<R>(
        _ shape: Unmanaged<JSONShape>, _ path: JSONPath, streams: Bool = false, stopsEarly: Bool = false,
        _ body: (LayoutReference, RootPath?) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        let layout = try layout(for: shape)
        if path.components.isEmpty { return try body(layout, nil) }
        let root = try RootPath(path, to: layout, streams: streams, stopsEarly: stopsEarly)
        defer { withExtendedLifetime(root) {} }
        return try body(layout, root)
    }
}

extension JSONModelDecoder {
    /// Calls a closure with the layout of a shape and the tables of a path, which stay valid during the call.
    @inline(__always)
    func withRoot<R>(
        _ shape: Unmanaged<JSONShape>, _ path: JSONPath,
        _ body: (LayoutReference, RootPath?) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try planCache.withRoot(shape, path, stopsEarly: options.stopsEarly, body)
    }
}

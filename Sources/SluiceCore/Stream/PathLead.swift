/// The tables of a path that was asked for at the call: one entry each, which lead to the value. Freed with it.
final class PathLead {
    let path: JSONPath
    let table: UnsafePointer<FieldTable>
    private let memory = PlanMemory()

    /// - Parameter streams: whether each value that arrives is given away; then `[*]` and `.*` may stand in the path, and
    ///   `[*]` is meant where there is none.
    /// - Throws: an error that says what is wrong with the path.
    init(_ text: String, to shape: UnsafePointer<ShapeRecord>, streams: Bool) throws(JSONModelError) {
        var path: JSONPath
        do { path = try JSONPath(parsing: text) } catch { throw JSONModelError(.invalidPath(error.description)) }
        if streams, !path.selectsSeveral { path.components.append(.every) }
        if !streams, path.selectsSeveral {
            let container = [path].wildcards == "[*]" ? "array" : "object"
            throw JSONModelError(
                .invalidPath("'\(text)' selects several values: use forEach, or the path of the \(container)"))
        }
        self.path = path
        var child: UnsafePointer<FieldTable>?
        for (depth, step) in path.components.enumerated().reversed() {
            var entry = TableBuilder.endEntry()
            entry.child = child
            if child == nil {
                entry.kind = shape.pointee.kind
                entry.shape = shape
                entry.field = streams ? -1 : 0
                entry.bit = streams ? 0 : 1
            }
            switch step {
            case .key(let key): TableBuilder.setKey(&entry, key, memory)
            case .index(let index): entry.elementIndex = index
            case .every, .everyMember: break
            }
            let entries = memory.copy([entry, TableBuilder.endEntry()])
            let slots = TableBuilder.slots(entries, 1, memory)
            let table = memory.allocate(FieldTable.self, 1)
            table.initialize(
                to: FieldTable(
                    form: FieldTable.Form(step), entries: entries, count: 1,
                    slots: slots.slots, slotMask: slots.mask, hashesMiddle: slots.hashesMiddle, required: 0,
                    defaults: 0, extraWords: 0, extraRequired: nil,
                    extraDefaults: nil, sideBytes: 0, rankOffset: 0, template: nil, size: 0, alignmentMask: 0,
                    // The keys of the root object may be meant instead.
                    unknown: depth == 0 ? .note : .skip, plan: nil))
            child = UnsafePointer(table)
        }
        guard let child else { throw JSONModelError(.invalidPath("the path is empty")) }
        table = child
    }
}

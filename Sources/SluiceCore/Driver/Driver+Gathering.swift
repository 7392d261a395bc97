// Fields that collect the values of several locations, by a path with wildcards.
//
// A field with several wildcards collects the values of all its arrays and objects in one array. Fields of optional elements
// have one element for each value that their last wildcard selects. Fields with the same wildcards therefore match by index.

extension Driver {
    /// Begins an array or object on a path that selects every value.
    ///
    /// At the outermost wildcard, the fields that collect values below become empty, so that they are not missing.
    mutating func beginGathering(_ table: TableReference) {
        let fields = table.fields
        for field in table.gathering {
            let info = fields[field]
            let address = top.base + info.offset
            if isFilled(field: field) { info.destroy(address) }
            info.shape!.makeEmpty(address)
            setField(field)
        }
        // All aligned fields have as many elements.
        guard table.gathering.isEmpty, let field = table.aligned.first else { return }
        let count = fields[field].shape?.container?.gather(top.base + fields[field].offset).count ?? 0
        if count > 0 { top.makeExtras().gathered = count }
    }

    /// Ends a value that a wildcard selects. Fields of optional elements get nil for a missing key, and keep only the last value
    /// of a duplicate key.
    mutating func alignGathered(_ table: TableReference) {
        guard let plan = top.ownerPlan else { return }
        let count = (top.extras?.gathered ?? 0) + top.position + 1
        for field in table.aligned {
            let info = plan.fields[field]
            guard let witness = info.shape?.container, let element = info.element else { continue }
            let container = top.base + info.offset
            var found = witness.gather(container).count
            while found < count {
                element.withTemporaryMemory { memory in
                    // The absorb moves the element out of its memory.
                    element.loadNil(memory)
                    _ = witness.absorb?(memory, "", container)
                }
                found += 1
            }
            if found > count { info.shape?.elements?.remove(container, count - 1..<found - 1) }
        }
    }
}

// Fields that collect the values of several locations, by a path with a wildcard.

extension Driver {
    /// Begins an array or object on a path that selects every element. Makes the fields that collect its parts empty, so that
    /// they are not missing.
    mutating func beginGathering(_ table: TableReference) {
        let fields = table.fields
        for field in table.gathering {
            let info = fields[field]
            let address = top.base + info.offset
            if isFilled(field: field) { info.destroy(address) }
            info.shape!.makeEmpty(address)
            setField(field)
        }
    }

    /// Ends an element on a path that selects every element. Fields of optional elements get nil for missing parts, so that the
    /// elements of several fields match by index.
    mutating func alignGathered(_ table: TableReference) {
        guard let plan = top.ownerPlan else { return }
        for field in table.aligned {
            let info = plan.fields[field]
            guard let witness = info.shape?.container, let element = info.element else { continue }
            let container = top.base + info.offset
            while witness.gather(container).count <= top.position {
                element.withTemporaryMemory { memory in
                    // The absorb moves the element out of its memory.
                    element.loadNil(memory)
                    _ = witness.absorb?(memory, "", container)
                }
            }
        }
    }
}

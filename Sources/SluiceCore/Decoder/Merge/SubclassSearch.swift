/// The search for an object that is not of its declared class, which a new value would not have.
///
/// The search visits the values that may contain objects, and no others: a value that cannot be encoded does not end the search.
struct SubclassSearch {
    private let planCache: PlanCache
    /// Whether a type may contain objects of a class with a plan, by layout.
    private var objectTypes: [LayoutReference: Bool] = [:]

    init(_ planCache: PlanCache) { self.planCache = planCache }

    /// Returns the name of the class of the first such object in a value; nil if all objects are of their declared classes.
    mutating func name(in value: ValueSlot) -> String? {
        // Values are not visited recursively, because their depth is not limited.
        var open = [value]
        var copies = Copies()
        defer { copies.free() }
        while let slot = open.popLast() {
            guard mayHaveObjects(slot.layout), slot.isPresent else { continue }
            if slot.layout.kind != .union, slot.layout.isOfModel, slot.layout.hasStorage,
                !slot.layout.isOfDeclaredClass(slot.address)
            {
                do {
                    let own = try planCache.layout(ofObjectAt: slot.address, declaredAs: slot.layout)
                    if let own { return own.typeName }
                } catch {
                    return error.issues[0].model ?? slot.layout.typeName
                }
            }
            open += parts(of: slot, &copies).reversed()
        }
        return nil
    }

    /// Returns the parts of a value.
    private func parts(of slot: ValueSlot, _ copies: inout Copies) -> [ValueSlot] {
        let (layout, address) = (slot.layout, slot.address)
        switch layout.kind {
        case .model, .composite:
            guard let plan = layout.table?.plan else { return [] }
            var base = address
            if layout.hasStorage {
                guard let storage = plan.erasedPlan.storage, let read = storage.read else { return [] }
                base = copies.allocate(plan.erasedPlan.size, plan.erasedPlan.alignment, destroy: storage.destroy)
                read(address, base)
            }
            return plan.fields.compactMap { field in
                if let group = field.group, plan.groups[group].isNil(in: base) { return nil }
                return field.layout.map { ValueSlot(address: base + field.offset, layout: $0) }
            }
        case .array, .dictionary:
            guard let element = layout.element else { return [] }
            let elements = layout.withContainer { $0.elements(address) }
            if elements.isOwned { copies.add { layout.withContainer { $0.free(elements) } } }
            guard let first = elements.base.map(UnsafeMutableRawPointer.init(mutating:)) else { return [] }
            let offset = layout.kind == .dictionary ? layout.valueOffset : 0
            return (0..<elements.count).map {
                ValueSlot(address: first + $0 * layout.elementStride + offset, layout: element)
            }
        case .union:
            guard let union = layout.union else { return [] }
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: max(union.pointer.pointee.size - ResolvedUnion.payloadOffset, 1),
                alignment: max(union.pointer.pointee.payloadAlignmentMask + 1, 16))
            guard let index = union.read(address, memory) else {
                memory.deallocate()
                return []
            }
            let payload = union.cases[index].layout.map { ValueSlot(address: memory, layout: $0) }
            copies.add {
                payload?.destroy()
                memory.deallocate()
            }
            return payload.map { [$0] } ?? []
        case .converted:
            if let contents = layout.contents { return [ValueSlot(address: address, layout: contents)] }
            guard let inner = layout.element, layout.unretainedWriter == nil else { return [] }
            let memory = UnsafeMutableRawPointer.allocate(
                byteCount: max(inner.size, 1), alignment: max(inner.alignmentMask + 1, 16))
            do { try layout.shape.makeEncodedForm(address, memory) } catch {
                memory.deallocate()
                return []
            }
            copies.add {
                inner.destroy(memory)
                memory.deallocate()
            }
            return [ValueSlot(address: memory, layout: inner)]
        default: return []
        }
    }

    /// Whether values of a type may contain objects of a class with a plan.
    private mutating func mayHaveObjects(_ layout: LayoutReference) -> Bool {
        if let known = objectTypes[layout] { return known }
        var visited: Set<LayoutReference> = [layout]
        var open = [layout]
        while let next = open.popLast() {
            if next.kind != .union, next.isOfModel, next.withModel({ $0.isClass }) {
                objectTypes[layout] = true
                return true
            }
            let plan = next.table?.plan
            let parts =
                [next.element, next.contents].compactMap { $0 } + (plan?.fields.compactMap(\.layout) ?? [])
                + (plan?.fields.compactMap(\.element) ?? []) + (plan?.union?.cases.compactMap(\.layout) ?? [])
            for part in parts where visited.insert(part).inserted { open.append(part) }
        }
        objectTypes[layout] = false
        return false
    }
}

/// The copies of values whose parts are visited. The owner calls `free()`.
private struct Copies {
    private var frees: [() -> Void] = []

    mutating func add(_ free: @escaping () -> Void) { frees.append(free) }

    mutating func allocate(
        _ size: Int, _ alignment: Int, destroy: @escaping (UnsafeMutableRawPointer) -> Void
    ) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: max(alignment, 16))
        add {
            destroy(memory)
            memory.deallocate()
        }
        return memory
    }

    /// Destroys and frees the copies, the last one first.
    func free() { for free in frees.reversed() { free() } }
}

extension SubclassSearch {
    static func rejection(ofReplacing name: String) -> JSONIssue.Kind {
        .invalidValue(
            expected: "a change of an existing object",
            reason:
                "the new value would have no object of the subclass \(name): use nested: .merge, and arrays: .byIndex for arrays"
        )
    }

    /// Returns the reason why an object of a subclass cannot be changed: it would be changed as JSON, and made again as an object of the
    /// declared class.
    static func rejection(ofChanging name: String) -> JSONIssue.Kind {
        .invalidValue(
            expected: "a change of an existing object",
            reason:
                "an object of the subclass \(name), which has a flattened enum or a transform, cannot be changed")
    }
}

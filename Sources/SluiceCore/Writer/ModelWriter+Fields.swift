// Models, instruction by instruction. See EncodingProgram.swift for the instructions.

extension ModelWriter {
    /// Pushes a model whose fields are stored at `base`.
    @inline(__always)
    mutating func pushModel(
        _ layout: LayoutReference, _ base: UnsafeRawPointer, storage: UnsafeMutableRawPointer? = nil
    ) {
        let steps = steps(of: layout)
        stack.push(
            EncodingFrame(
                form: .model, base: base, layout: layout, steps: steps, next: steps, owned: storage))
    }

    /// Returns the instructions of a model, beside the pending tags.
    // Mutating, because the compiler copies the writer for a method that borrows it.
    @inline(__always)
    mutating func steps(of layout: LayoutReference) -> UnsafePointer<EncodingInstruction> {
        layout.keyTable.unretainedPlan.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            !tags.mayRepeat
                ? $0.writing.steps(of: $0, isSorted: isSorted)
                : $0.writing.steps(of: $0, isSorted: isSorted, without: tags.keys)
        }
    }

    /// Writes the model of the frame on top, its inner models, also those of arrays, and its outer models, until a frame of another form is
    /// on top.
    mutating func runModels() throws(JSONModelError) {
        var base = stack.top.base
        var next = stack.top.next.unsafelyUnwrapped
        // The position stays in registers, and is stored in the buffer before each call of a method that writes.
        var to = out.position
        while true {
            let step = next
            next += 1
            let address = base + step.pointee.offset
            var operation = step.pointee.operation
            if operation == .checked {
                let presence = step.pointee.layout.unsafelyUnwrapped.presence(address)
                if presence != .value {
                    if presence == .absent || presence == .missing && !writesNulls { continue }
                    out.prefix(step.pointee.prefix, step.pointee.prefixCount, at: &to)
                    to.null()
                    continue
                }
                operation = step.pointee.valueOperation
            }
            if operation.rawValue <= EncodingInstruction.Operation.value.rawValue {
                out.prefix(step.pointee.prefix, step.pointee.prefixCount, at: &to)
            }
            switch operation {
            case .string:
                out.string(at: address, at: &to)
                continue
            case .integer:
                to.integer(address.load(as: Int64.self))
                continue
            case .double:
                let value = address.load(as: Double.self)
                if value.isFinite {
                    to = to.after(value, out.isFoundationStyle)
                    continue
                }
            case .bool:
                to.bool(address.load(as: UInt8.self) & 1 != 0)
                continue
            case .leaves where !out.isPretty:
                let array = step.pointee.layout.unsafelyUnwrapped
                if isEmptyLeafArray(array, address), out.depth < deepest {
                    to.emptyArray()
                    continue
                }
                stack.top.next = next
                out.position = to
                try leafArray(array, address)
                to = out.position
                if stack.top.form == .model { continue }
                return
            case .array:
                let array = step.pointee.layout.unsafelyUnwrapped
                let element = array.element.unsafelyUnwrapped
                guard element.isPlainModel, element.nilTest == .never, tags.isEmpty else { break }
                stack.top.next = next
                out.position = to
                try openModels(array, element, address)
                (base, next, to) = (stack.top.base, stack.top.next.unsafelyUnwrapped, out.position)
                continue
            case .value, .leaves: break
            case .end:
                if stack.top.following > 0, out.nextObject(at: &to) {
                    let frame = stack.topAddress
                    frame.pointee.following &-= 1
                    base += frame.pointee.stride
                    frame.pointee.base = base
                    frame[-1].begunCount &+= 1
                    next = frame.pointee.steps.unsafelyUnwrapped
                    continue
                }
                out.close("}", at: &to)
                out.position = to
                if stack.top.owned == nil { stack.popUnowned() } else { endOwnedModel() }
                guard stack.count > 0 else { return }
                if stack.top.form == .elements, stack.top.begunCount == stack.top.count {
                    out.close("]")
                    stack.pop()
                    guard stack.count > 0 else { return }
                }
                guard stack.top.form == .model else { return }
                (base, next, to) = (stack.top.base, stack.top.next.unsafelyUnwrapped, out.position)
                continue
            case .structure, .checked:
                out.position = to
                stack.top.next = next
                try structure(step)
                guard stack.count > 0, stack.top.form == .model else { return }
                (base, next, to) = (stack.top.base, stack.top.next.unsafelyUnwrapped, out.position)
                continue
            }
            let value = step.pointee.layout.unsafelyUnwrapped
            stack.top.next = next
            if value.isPlainModel, tags.isEmpty {
                if out.depth >= deepest { throw tooDeep() }
                out.open("{", at: &to)
                pushModel(value, address)
                (base, next) = (address, stack.top.next.unsafelyUnwrapped)
                continue
            }
            out.position = to
            let height = stack.count
            if step.pointee.kind == .union { try union(value, address) } else { try self.value(value, address) }
            if stack.count != height {
                guard stack.top.form == .model else { return }
                (base, next) = (stack.top.base, stack.top.next.unsafelyUnwrapped)
            }
            to = out.position
        }
    }

    /// Writes null for a value that is nil, if the value is not left out.
    @inline(__always)
    private mutating func writeMissing(_ presence: Presence, _ step: UnsafePointer<EncodingInstruction>) {
        if presence == .absent || presence == .missing && !writesNulls { return }
        prefix(step)
        out.literal("null")
    }

    /// Ends a model in memory of its frame. The payload of an enum may have an object around the model. The next element of an array may use
    /// the frame and the memory.
    @inline(never)
    private mutating func endOwnedModel() {
        if let payload = stack.top.payload, payload.pointee.bracketCount > 1 { out.close("}") }
        if stack.top.stride > 0, out.sinkError == nil, stack.top.payload == nil ? nextObject() : nextPayload() {
            return
        }
        stack.pop()
    }

    /// Performs an instruction other than `value`, `checked` and `end`. May change the frame's next instruction, or end the frame.
    @inline(never)
    private mutating func structure(_ step: UnsafePointer<EncodingInstruction>) throws(JSONModelError) {
        let base = stack.top.base
        let steps = stack.top.steps.unsafelyUnwrapped
        let at = step - steps
        switch step.pointee.action {
        case .object, .array:
            guard isPresent(steps, from: at + 1, to: step.pointee.next, base) else {
                stack.top.step = step.pointee.next
                return
            }
            prefix(step)
            try open(step.pointee.action == .object ? "{" : "[")
        case .closeObject: out.close("}")
        case .closeArray: out.close("]")
        case .element:
            let hasValue = isPresent(steps, from: at + 1, to: step.pointee.next, base)
            guard hasValue || isPresent(steps, from: step.pointee.next, to: step.pointee.last, base) else {
                stack.top.step = step.pointee.last
                return
            }
            for _ in 0..<(hasValue ? step.pointee.gap : step.pointee.gap + 1) {
                prefix(step)
                out.literal("null")
            }
            if !hasValue { stack.top.step = step.pointee.next }
        case .elements, .members: try openStruct(step, at, steps, base)
        case .nextElement:
            let arrays = stack.structs[stack.structs.count - 1]
            arrays.index += 1
            if arrays.index < arrays.count {
                stack.top.step = step.pointee.next + 1
            } else {
                stack.structs.removeLast()
                out.close("]")
            }
        case .unwritable:
            let path = plan?.fields[step.pointee.field].writtenPath ?? JSONPath()
            throw failure(
                .notEncodable(
                    "'\(path)' collects values without the arrays that had them, and cannot be encoded: ignore the property for encoding"
                ))
        case .indirect:
            let (presence, address, layout) = source(of: step, base)
            guard presence == .value else { return writeMissing(presence, step) }
            prefix(step)
            try value(layout, address)
        case .flattenedEnum: try writeFlattenedEnums(from: step, base)
        case .extra: try pushExtra(step, base)
        case .extraPart: try writePart(step, base)
        case .endMembers: stack.pop()  // The object is that of the model below.
        case .value, .checked, .end: break
        }
    }

    /// Writes the prefix of an instruction, and reserves 64 bytes for a scalar.
    @inline(__always)
    mutating func prefix(_ step: UnsafePointer<EncodingInstruction>) {
        out.reserve(step.pointee.prefixCount &+ 96)
        out.prefix(step.pointee.prefix, step.pointee.prefixCount)
    }

    /// Returns the presence, address and layout of a value in a struct of arrays or in an optional flattened model.
    @inline(never)
    private mutating func source(
        of step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) -> (Presence, UnsafeRawPointer, LayoutReference) {
        let address = base + step.pointee.offset
        let layout = step.pointee.layout.unsafelyUnwrapped
        if isInNil(step, base) { return (.absent, address, layout) }
        guard step.pointee.slot >= 0, let arrays = stack.structs.last else {
            return (layout.presence(address), address, layout)
        }
        let elements = arrays.buffers[step.pointee.slot]
        guard arrays.index < elements.count, let start = elements.base, let element = layout.element else {
            return (.absent, address, layout)
        }
        let current = start + arrays.index * layout.elementStride
        // A nil element is written as null, so that later elements keep their index.
        return (element.presence(current) == .value ? .value : .null, current, element)
    }

    /// Whether a field belongs to a flattened model that is nil.
    @inline(__always)
    func isInNil(_ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer) -> Bool {
        guard step.pointee.group >= 0, let group = plan?.groups[step.pointee.group] else { return false }
        return group.isNil(in: base)
    }

    /// Whether a field belongs to a flattened model that is nil.
    func isInNil(_ field: FieldInfo, of plan: ResolvedPlan, _ base: UnsafeRawPointer) -> Bool {
        guard let group = field.group.map({ plan.groups[$0] }) else { return false }
        return group.isNil(in: base)
    }

    /// The plan of the model on top.
    @inline(__always)
    var plan: ResolvedPlan? {
        stack.top.layout?.table?.plan
    }

    /// Whether any instruction of a range writes a value.
    ///
    /// - Parameter isInStruct: Whether the range begins inside of a struct of arrays that is not open.
    private mutating func isPresent(
        _ steps: UnsafePointer<EncodingInstruction>, from: Int, to: Int, _ base: UnsafeRawPointer,
        isInStruct: Bool = false
    ) -> Bool {
        // An array may be inside of an object whose members are collected.
        var structCount = isInStruct ? 1 : 0
        for at in from..<max(from, to) {
            let step = steps + at
            switch step.pointee.action {
            case .value: return true
            case .elements, .members: structCount += 1
            case .nextElement: structCount -= 1
            case .extraPart: if !extraMembers(step, base).isEmpty { return true }
            case .checked, .indirect:
                let presence: Presence
                if step.pointee.action == .indirect, structCount == 0 {
                    presence = source(of: step, base).0
                } else {
                    let layout = step.pointee.layout.unsafelyUnwrapped
                    presence =
                        isInNil(step, base) ? .absent : layout.presence(base + step.pointee.offset)
                }
                switch presence {
                case .value, .null: return true
                case .missing: if writesNulls { return true }
                case .absent: break
                }
            default: break
            }
        }
        return false
    }

    /// Returns the keys of the model's own object that have been written: those of tags, and of the fields before an instruction.
    mutating func writtenKeys(before end: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer) -> Set<
        MemberName
    > {
        guard let plan, let steps = stack.top.steps else { return [] }
        var keys = Set(plan.writing.excludedKeys(from: steps, of: plan, isSorted: isSorted).map { MemberName($0) })
        for at in 0..<(end - steps) where steps[at].field >= 0 {
            guard case .key(let key)? = plan.fields[steps[at].field].writtenPath?.components.first else { continue }
            // Only an outer model has an open struct of arrays.
            let isInStruct = steps[at].slot >= 0
            if isPresent(steps, from: at, to: at + 1, base, isInStruct: isInStruct) { keys.insert(MemberName(key)) }
        }
        return keys
    }

    // MARK: Structs of arrays

    private mutating func openStruct(
        _ step: UnsafePointer<EncodingInstruction>, _ at: Int, _ steps: UnsafePointer<EncodingInstruction>,
        _ base: UnsafeRawPointer
    ) throws(JSONModelError) {
        guard isPresent(steps, from: at, to: step.pointee.next, base) else {
            stack.top.step = step.pointee.next
            return
        }
        if step.pointee.onlyLeaf > 0, !sortsSets, writeOnlyLeaf(step, at, steps, base) { return }
        let arrays = StructOfArrays()
        for leaf in at..<step.pointee.next where steps[leaf].slot >= 0 {
            let layout = steps[leaf].layout.unsafelyUnwrapped
            let address = base + steps[leaf].offset
            var elements = ElementBuffer(base: nil, count: 0, isOwned: false)
            if !isInNil(steps + leaf, base), layout.presence(address) == .value {
                guard layout.kind == .array else {
                    throw failure(
                        .notEncodable(
                            "only the elements of an array can be written into the elements of another array"))
                }
                elements = self.elements(of: layout, address)
                if sortsSets, !layout.shape.isOrdered { try sort(elements, of: layout) }
            }
            arrays.append(elements, layout)
        }
        if step.pointee.action == .members {
            guard arrays.count == 0 else { throw failure(unknownKeys(steps, from: at, to: step.pointee.next)) }
            prefix(step)
            try open("{")
            out.close("}")
            stack.top.step = step.pointee.next
            return
        }
        try checkOrder(of: arrays, steps, from: at, to: step.pointee.next)
        // An empty array means that no element of the original array had a value.
        if arrays.buffers.contains(where: { $0.count != 0 && $0.count != arrays.count }) {
            let counts = Set(arrays.buffers.map(\.count)).subtracting([0])
            let shown = counts.sorted().map(String.init).joined(separator: " and ")
            throw failure(
                .notEncodable(
                    "the arrays whose elements form one array have \(shown) elements, so that these cannot be paired"
                ))
        }
        prefix(step)
        try open("[")
        if arrays.count == 0 {
            out.close("]")
            stack.top.step = step.pointee.next
        } else {
            stack.structs.append(arrays)
        }
    }

    /// Writes an array whose elements contain one scalar of one field. Returns false for values that may be an error or have another
    /// format.
    private mutating func writeOnlyLeaf(
        _ step: UnsafePointer<EncodingInstruction>, _ at: Int, _ steps: UnsafePointer<EncodingInstruction>,
        _ base: UnsafeRawPointer
    ) -> Bool {
        let leaf = steps + step.pointee.onlyLeaf
        let layout = leaf.pointee.layout.unsafelyUnwrapped
        let address = base + leaf.pointee.offset
        let objectCount = step.pointee.onlyLeaf &- at &- 1
        guard out.isCompact, layout.presence(address) == .value, out.depth + 1 + objectCount <= deepest else {
            return false
        }
        let elements = elements(of: layout, address)
        let (kind, stride) = (layout.element.unsafelyUnwrapped.kind, layout.elementStride)
        prefix(step)
        out.byte(UInt8(ascii: "["))
        if var at = elements.base {
            for index in 0..<elements.count {
                out.reserve(step.pointee.elementTextCount &+ 96)
                if index > 0 { out.byte(UInt8(ascii: ",")) }
                out.planText(step.pointee.elementText, step.pointee.elementTextCount)
                _ = scalar(kind, at)
                at += stride
                if objectCount > 0 {
                    out.reserve(objectCount)
                    for _ in 0..<objectCount { out.byte(UInt8(ascii: "}")) }
                }
            }
        }
        out.reserve(1)
        out.byte(UInt8(ascii: "]"))
        if elements.isOwned { layout.withContainer { $0.free(elements) } }
        stack.top.step = step.pointee.next
        return true
    }

    /// Checks that the elements of the containers have an order, if they belong together by their indexes.
    private mutating func checkOrder(
        of arrays: StructOfArrays, _ steps: UnsafePointer<EncodingInstruction>, from: Int, to: Int
    ) throws(JSONModelError) {
        guard arrays.count > 1, arrays.buffers.count(where: { $0.count > 0 }) > 1 else { return }
        for leaf in from..<to where steps[leaf].slot >= 0 && arrays.buffers[steps[leaf].slot].count > 0 {
            guard let info = plan?.fields[steps[leaf].field], info.shape?.isOrdered == false else { continue }
            throw failure(
                .notEncodable(
                    "'\(info.name)' has no order, so its elements cannot be paired with those of other properties"
                ))
        }
    }

    /// Returns the issue for values collected from the members of an object, whose keys are unknown.
    private func unknownKeys(_ steps: UnsafePointer<EncodingInstruction>, from: Int, to: Int) -> JSONIssue.Kind {
        let field = (from..<to).first { steps[$0].field >= 0 }.map { steps[$0].field }
        let path = field.flatMap { plan?.fields[$0].writtenPath }
        return .notEncodable(
            "'\(path ?? JSONPath())' collects values without their keys, so the object cannot be encoded")
    }
}

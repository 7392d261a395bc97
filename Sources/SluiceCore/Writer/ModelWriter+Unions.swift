// Enums with associated values: the name of the case, as the plan's tagging requires, and the payload.

extension ModelWriter {
    mutating func union(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        guard let union = layout.union else { throw notEncodable(layout) }
        try checkTemporaryDepth()
        if layout.keyTable.pointer.pointee.encodingHooks != nil { try callHooks(layout, address) }
        let isDirect = tags.isEmpty && out.isCompact && out.depth &+ 2 <= deepest
        if isDirect, let projection = union.pointer.pointee.projection {
            let (one, memory) = borrowCase(union, projection, address)
            if writeDirectly(one, memory, isBorrowed: true) { return }
            stack.temporaries.release(memory)
        }
        guard let (index, memory) = readCase(union, address) else {
            throw failure(
                .notEncodable("no case of its plan describes this value of \(layout.shape.typeName)"))
        }
        if isDirect, writeDirectly(union.pointer.pointee.cases + index, memory, isBorrowed: false) { return }
        guard let payload = union.cases[index].layout else {
            stack.temporaries.release(memory)
            return try plain(union.name(of: index), union.resolved)
        }
        if !union.cases[index].hasName { return try fallback(union, payload, memory) }
        try tagged(index, union, payload, memory)
    }

    /// Writes the known text of a case, and a payload that is a scalar. For a payload with members, pushes a frame. Returns false for
    /// other payloads, and for a value that may be an error or has another format.
    ///
    /// - Parameters:
    ///   - memory: The temporary memory with the payload, which is released with it unless the result is false.
    ///   - isBorrowed: Whether the payload is not destroyed.
    @inline(__always)
    private mutating func writeDirectly(
        _ one: CaseReference, _ memory: UnsafeMutableRawPointer, isBorrowed: Bool
    ) -> Bool {
        guard Self.isKnown(one, memory) else { return false }
        writeOpening(of: one, memory)
        if one.pointee.writing == .members {
            pushModel(one.pointee.layout.unsafelyUnwrapped, UnsafeRawPointer(memory), storage: memory)
            stack.top.payload = one
            stack.top.isBorrowed = isBorrowed
            return true
        }
        if one.pointee.writing == .scalar, !isBorrowed {
            one.pointee.functions._withUnsafeGuaranteedRef { $0.destroy(memory) }
        }
        stack.temporaries.release(memory)
        return true
    }

    /// Whether the text before a payload is known, and the payload is a model or a scalar that cannot be an error.
    @inline(__always)
    private static func isKnown(_ one: CaseReference, _ memory: UnsafeMutableRawPointer) -> Bool {
        switch one.pointee.writing {
        case .inSteps: false
        case .scalar:
            one.pointee.layout.unsafelyUnwrapped.kind != .double || memory.load(as: Double.self).isFinite
        case .members, .alone: true
        }
    }

    /// Writes the known text of a case, and a payload that is a scalar.
    @inline(__always)
    private mutating func writeOpening(of one: CaseReference, _ memory: UnsafeMutableRawPointer) {
        out.reserve(one.pointee.openingCount &+ 96)
        out.planText(one.pointee.opening, one.pointee.openingCount)
        out.firstByteCount = one.pointee.firstByteCount
        switch one.pointee.writing {
        case .members: out.depth &+= one.pointee.bracketCount
        case .scalar:
            _ = scalar(one.pointee.layout.unsafelyUnwrapped.pointer.pointee.kind, memory)
            if one.pointee.bracketCount > 0 {
                out.reserve(1)
                out.byte(UInt8(ascii: "}"))
            }
        case .alone, .inSteps: break
        }
    }

    /// Writes the next elements of the array below up to one whose payload is a model, and begins that payload in the frame and the memory of
    /// one that is written. Returns false without such an element, and before an element that is written in steps.
    mutating func nextPayload() -> Bool {
        let frame = stack.topAddress
        let array = frame - 1
        let union = array.pointee.layout.unsafelyUnwrapped.element.unsafelyUnwrapped.union.unsafelyUnwrapped
        let projection = union.pointer.pointee.projection.unsafelyUnwrapped
        let memory = frame.pointee.owned.unsafelyUnwrapped
        while array.pointee.begunCount < array.pointee.count {
            let one = project(union, projection, array.pointee.base, to: memory)
            guard Self.isKnown(one, memory) else { return false }
            array.pointee.begunCount &+= 1
            array.pointee.base += frame.pointee.stride
            out.reserve(96)
            out.comma()
            writeOpening(of: one, memory)
            guard one.pointee.writing == .members else { continue }
            if frame.pointee.payload != one {
                frame.pointee.payload = one
                let payload = one.pointee.layout.unsafelyUnwrapped
                frame.pointee.layout = payload
                frame.pointee.steps = steps(of: payload)
            }
            frame.pointee.next = frame.pointee.steps
            return true
        }
        return false
    }

    /// Returns the case of a value, and temporary memory with the bytes of its payload. The value owns the payload.
    @inline(__always)
    private mutating func borrowCase(
        _ union: UnionReference, _ projection: Unmanaged<EnumProjection>, _ address: UnsafeRawPointer
    ) -> (CaseReference, UnsafeMutableRawPointer) {
        let memory = stack.temporaries.allocate(
            union.pointer.pointee.size &- ResolvedUnion.payloadOffset,
            alignmentMask: union.pointer.pointee.payloadAlignmentMask)
        return (project(union, projection, address, to: memory), memory)
    }

    /// Copies the bytes of a value's payload. Returns the case of the value.
    @inline(__always)
    private mutating func project(
        _ union: UnionReference, _ projection: Unmanaged<EnumProjection>, _ address: UnsafeRawPointer,
        to memory: UnsafeMutableRawPointer
    ) -> CaseReference {
        let size = union.pointer.pointee.valueSize
        let copy = stack.temporaries.allocate(size, alignmentMask: union.pointer.pointee.valueAlignmentMask)
        copy.copyMemory(from: address, byteCount: size)
        let index = projection._withUnsafeGuaranteedRef { $0.project(copy, memory) }
        stack.temporaries.release(copy)
        return union.pointer.pointee.cases + index
    }

    /// Returns the case of a value, and temporary memory with a copy of its payload; nil if the plan does not have the case.
    private mutating func readCase(
        _ union: UnionReference, _ address: UnsafeRawPointer
    ) -> (index: Int, payload: UnsafeMutableRawPointer)? {
        let memory = stack.temporaries.allocate(
            union.pointer.pointee.size &- ResolvedUnion.payloadOffset,
            alignmentMask: union.pointer.pointee.payloadAlignmentMask)
        guard let index = union.read(address, memory) else {
            stack.temporaries.release(memory)
            return nil
        }
        return (index, memory)
    }

    /// Writes a case without a payload.
    private mutating func plain(_ name: String, _ union: ResolvedUnion) throws(JSONModelError) {
        switch union.tagging {
        case .external where !tags.isEmpty:
            // Beside a tag, the name is the key of a member.
            if tags.tag(for: name) != nil { throw failureOfTag(name) }
            try open("{")
            out.key(name)
            out.literal("null")
            out.close("}")
        case .external, .untagged:
            guard tags.isEmpty else {
                throw failure(.notEncodable("its value is a string, which cannot contain the tag"))
            }
            out.string(name)
        case .internal(let tag), .adjacent(let tag, _): try tagAlone(tag, name)
        }
    }

    private mutating func tagAlone(_ tag: String, _ name: String) throws(JSONModelError) {
        try add(PendingTag(key: tag, name: name))
        try open("{")
        out.close("}")
    }

    /// Adds the tag of an enum, which may be the payload of an enum with the same tag. The object then has the tag once.
    private mutating func add(_ tag: PendingTag) throws(JSONModelError) {
        guard let other = tags.tag(for: tag.key) else { return tags.append(tag) }
        if !other.name.hasSameCodeUnits(as: tag.name) { throw failureOfTag(tag.key) }
    }

    /// Writes the fallback case: an unknown name, or a value that is of no other case.
    private mutating func fallback(
        _ union: UnionReference, _ payload: LayoutReference, _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        if union.fallbackValue == .whole {
            // Ends with the frame of the payload.
            fallbacks.append(
                OpenFallback(union: union, height: stack.count + 1, start: out.count, wasHeld: out.isHeld))
            out.isHeld = true
            return try writeWhole(payload, memory)
        }
        let name =
            payload.presence(memory) == .value ? memory.assumingMemoryBound(to: String.self).pointee : nil
        payload.destroy(memory)
        stack.temporaries.release(memory)
        guard let name else { throw failure(.notEncodable("its fallback has no name, because the value is nil")) }
        if union.find(name) != nil { throw failureOfFallback(name) }
        try plain(name, union.resolved)
    }

    private mutating func tagged(
        _ index: Int, _ union: UnionReference, _ payload: LayoutReference, _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        switch union.tagging {
        case .untagged: try writeWhole(payload, memory)
        case .internal:
            do throws(JSONModelError) { try add(union.tag(of: index)) } catch {
                payload.destroy(memory)
                stack.temporaries.release(memory)
                throw error
            }
            try writeTemporary(payload, memory)
        case .external: try braced(union.cases + index, union.name(of: index), nil, payload, memory)
        case .adjacent: try braced(union.cases + index, union.contentKey, union.tag(of: index), payload, memory)
        }
    }

    /// Writes an object whose only value, besides the tag, is a payload.
    private mutating func braced(
        _ one: CaseReference, _ key: String, _ tag: PendingTag?, _ payload: LayoutReference,
        _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        do throws(JSONModelError) {
            if let tag { try add(tag) }
            if tags.tag(for: key) != nil { throw failureOfTag(key) }
            try open("{")
        } catch {
            payload.destroy(memory)
            stack.temporaries.release(memory)
            throw error
        }
        out.key(key)
        // Closes the object after the payload.
        stack.push(EncodingFrame(form: .brace, base: UnsafeRawPointer(memory), payload: one))
        try writeTemporary(payload, memory)
    }

    /// Writes a payload that is decoded from the whole object, which has the tags of the enums around this one as members, too.
    private mutating func writeWhole(
        _ payload: LayoutReference, _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        tags.allowMembers()
        try writeTemporary(payload, memory)
    }

    // MARK: Flattened

    /// Writes the members of flattened enums into the open object: of the enum of an instruction, and of those that follow. Members
    /// whose keys have been written by the model's other fields, or by an enum before, are omitted.
    mutating func writeFlattenedEnums(
        from first: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) throws(JSONModelError) {
        if try pushFlattenedEnum(first, base) { return }
        var keys = writtenKeys(before: first, base)
        var step = first
        while step.pointee.action == .flattenedEnum {
            try writeFlattenedEnum(step, base, &keys)
            step += 1
        }
        stack.top.step += step - first - 1
    }

    /// Writes the members of an internally tagged enum whose keys no other field writes, without text in between. Returns false if the
    /// enum must be written on its own.
    private mutating func pushFlattenedEnum(
        _ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) throws(JSONModelError) -> Bool {
        guard step.pointee.isDistinctEnum else { return false }
        let layout = step.pointee.layout.unsafelyUnwrapped
        let address = base + step.pointee.offset
        guard layout.presence(address) == .value else { return true }
        guard let union = layout.union else { return false }
        let (one, memory): (CaseReference, UnsafeMutableRawPointer)
        let projection = union.pointer.pointee.projection
        if let projection {
            (one, memory) = borrowCase(union, projection, address)
        } else {
            guard let (index, payload) = readCase(union, address) else { return false }
            (one, memory) = (union.pointer.pointee.cases + index, payload)
        }
        if one.pointee.writing == .inSteps {
            if projection == nil { one.pointee.functions._withUnsafeGuaranteedRef { $0.destroy(memory) } }
            stack.temporaries.release(memory)
            return false
        }
        if out.isCompact {
            out.reserve(one.pointee.tagMemberCount &+ 96)
            out.prefix(one.pointee.tagMember, one.pointee.tagMemberCount)
        } else {
            let tag = union.tag(of: one - union.pointer.pointee.cases)
            out.key(tag.key)
            out.string(tag.name)
        }
        guard let payload = one.pointee.layout else {
            stack.temporaries.release(memory)
            return true
        }
        let steps = payload.keyTable.unretainedPlan.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            $0.writing.memberSteps(of: $0)
        }
        stack.push(
            EncodingFrame(
                form: .model, isBorrowed: projection != nil, base: UnsafeRawPointer(memory), layout: payload,
                steps: steps, next: steps, owned: memory, payload: one))
        return true
    }

    private mutating func writeFlattenedEnum(
        _ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer, _ keys: inout Set<MemberName>
    ) throws(JSONModelError) {
        let layout = step.pointee.layout.unsafelyUnwrapped
        let address = base + step.pointee.offset
        guard layout.presence(address) == .value else { return }
        var writer = ModelWriter(options)
        // The members have the depth of the open object.
        writer.out.depth = out.depth - 1
        do throws(JSONModelError) { try writer.write(layout, address) } catch {
            throw thrown(PartFailure(error))
        }
        let object = Recording(written: writer.out.written)
        if let name = object.string, layout.resolvedUnion?.tagging == .external, !keys.contains(MemberName(name)) {
            // A name alone is a member without a value.
            out.key(name)
            out.literal("null")
            keys.insert(MemberName(name))
            return
        }
        guard object.isObject else {
            throw failure(.notEncodable("a case that is encoded as \(object.typeName) cannot be part of an object"))
        }
        let earlier = keys
        object.forEachMember { name, value in
            if earlier.contains(MemberName(name)) { return }
            keys.insert(MemberName(name))
            out.key(name)
            object.storage.withText(ofValue: value) { out.verbatim($0) }
        }
    }
}

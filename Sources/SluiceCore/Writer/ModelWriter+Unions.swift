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
        if !union.cases[index].hasName { return try fallback(union.resolved, payload, memory) }
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
        let writing = one.pointee.writing
        if writing == .inSteps { return false }
        if writing == .scalar, one.pointee.layout.unsafelyUnwrapped.kind == .double,
            !memory.load(as: Double.self).isFinite
        {
            return false
        }
        out.reserve(one.pointee.openingCount &+ 96)
        out.planText(one.pointee.opening, one.pointee.openingCount)
        out.firstByteCount = one.pointee.firstByteCount
        if writing == .members {
            out.depth &+= one.pointee.bracketCount
            let payload = one.pointee.layout.unsafelyUnwrapped
            pushModel(payload, UnsafeRawPointer(memory), storage: memory)
            stack.top.payload = one
            stack.top.isBorrowed = isBorrowed
            return true
        }
        if writing == .scalar {
            _ = scalar(one.pointee.layout.unsafelyUnwrapped.pointer.pointee.kind, memory)
            if one.pointee.bracketCount > 0 {
                out.reserve(1)
                out.byte(UInt8(ascii: "}"))
            }
            if !isBorrowed { one.pointee.functions._withUnsafeGuaranteedRef { $0.destroy(memory) } }
        }
        stack.temporaries.release(memory)
        return true
    }

    /// Returns the case of a value, and temporary memory with the bytes of its payload. The value owns the payload.
    @inline(__always)
    private mutating func borrowCase(
        _ union: UnionReference, _ projection: Unmanaged<EnumProjection>, _ address: UnsafeRawPointer
    ) -> (CaseReference, UnsafeMutableRawPointer) {
        let memory = stack.temporaries.allocate(
            union.pointer.pointee.size &- ResolvedUnion.payloadOffset,
            alignmentMask: union.pointer.pointee.payloadAlignmentMask)
        let size = union.pointer.pointee.valueSize
        let copy = stack.temporaries.allocate(size, alignmentMask: union.pointer.pointee.valueAlignmentMask)
        copy.copyMemory(from: address, byteCount: size)
        let index = projection._withUnsafeGuaranteedRef { $0.project(copy, memory) }
        stack.temporaries.release(copy)
        return (union.pointer.pointee.cases + index, memory)
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
        _ union: ResolvedUnion, _ payload: LayoutReference, _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        let isPresent = payload.presence(memory) == .value
        let known = try isPresent ? knownName(in: payload, memory, NameSearch(of: union)) : nil
        if union.fallbackValue == .whole, known == nil { return try writeWhole(payload, memory) }
        let name =
            isPresent && union.fallbackValue == .tag ? memory.assumingMemoryBound(to: String.self).pointee : nil
        payload.destroy(memory)
        stack.temporaries.release(memory)
        if let known {
            throw failure(
                .notEncodable("its fallback has the name of another case, \"\(known)\", which would be decoded"))
        }
        guard let name else { throw failure(.notEncodable("its fallback has no name, because the value is nil")) }
        try plain(name, union)
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
        if !tags.isEmpty, payload.kind != .string, payload.presence(memory) == .value {
            let fields = payload.table?.plan?.fields ?? []
            for tag in tags.all {
                // The tag is written in the place of a property.
                if fields.contains(where: { $0.writtenPath?.components.first == .key(tag.key) }) { continue }
                if try knownName(in: payload, memory, NameSearch(of: tag)) != nil { tags.remove(tag.key) }
            }
        }
        try writeTemporary(payload, memory)
    }

    /// Returns the name that a value has: the value of its tag, or one of its keys if there is no tag. Returns nil if the name is not known.
    private mutating func knownName(
        in layout: LayoutReference, _ address: UnsafeRawPointer, _ search: NameSearch
    ) throws(JSONModelError) -> String? {
        let tag = search.tag
        func known(_ name: String) -> String? { search.isKnown(name) ? name : nil }
        func known(in value: JSONValue) -> String? {
            if case .string(let name) = value { known(name) } else { nil }
        }
        switch layout.kind {
        case .string: return known(address.assumingMemoryBound(to: String.self).pointee)
        case .value:
            let value = address.assumingMemoryBound(to: JSONValue.self).pointee
            guard case .object(let members) = value else { return tag == nil ? known(in: value) : nil }
            if let tag { return members[tag].flatMap(known(in:)) }
            return members.keys.lazy.compactMap(known).first
        case .raw:
            let bytes = address.assumingMemoryBound(to: JSONRaw.self).pointee.bytes
            let recording = Recording(written: bytes)
            if let tag { return recording.members(first: tag)?.firstString.flatMap(known) }
            return recording.isObject
                ? recording.keys.lazy.compactMap(known).first : recording.string.flatMap(known)
        case .dictionary:
            guard let element = layout.element else { return nil }
            return try withPairs(layout, address) { pairs throws(JSONModelError) in
                guard let base = pairs.base else { return nil }
                for index in 0..<pairs.count {
                    let pair = base + index * layout.elementStride
                    let key = layout.keyText(of: pair)
                    guard let tag else {
                        if let name = known(key) { return name }
                        continue
                    }
                    let value = pair + layout.valueOffset
                    guard key.hasSameCodeUnits(as: tag), element.presence(value) == .value else { continue }
                    switch element.kind {
                    case .string: return known(value.assumingMemoryBound(to: String.self).pointee)
                    case .value: return known(in: value.assumingMemoryBound(to: JSONValue.self).pointee)
                    default: return nil
                    }
                }
                return nil
            }
        case .model, .composite:
            guard let plan = layout.table?.plan else { return nil }
            return try layout.hasStorage
                ? nameInStorage(of: layout, address, search)
                : nameInModel(of: plan, address, search)
        case .converted where layout.contents == nil && layout.unretainedWriter == nil, .scalar:
            guard let (inner, memory) = encodedForm(of: layout, address) else { return nil }
            defer {
                inner.destroy(memory)
                memory.deallocate()
            }
            // A string has no tag.
            guard inner.presence(memory) == .value, inner.kind != .string || tag == nil else { return nil }
            return try knownName(in: inner, memory, search)
        default: return nil
        }
    }

    /// Returns the value that is written instead of another one, in memory of its own. Returns nil for a value that cannot be converted: the
    /// error is thrown when the value is written.
    private func encodedForm(
        of layout: LayoutReference, _ address: UnsafeRawPointer
    ) -> (layout: LayoutReference, memory: UnsafeMutableRawPointer)? {
        guard let inner = layout.element else { return nil }
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(inner.size, 1), alignment: inner.alignmentMask + 1)
        do { try layout.shape.makeEncodedForm(address, memory) } catch {
            memory.deallocate()
            return nil
        }
        return (inner, memory)
    }

    /// Returns the string as which a value is written; nil if the value is written as other JSON, or is an error when it is written.
    ///
    /// The members of an object are not written: they may have values that are examined, too.
    private mutating func writtenString(of layout: LayoutReference, _ address: UnsafeRawPointer) -> String? {
        guard layout.presence(address) == .value, !ThreadStack.isUsedUp else { return nil }
        switch layout.kind {
        case .string: return address.assumingMemoryBound(to: String.self).pointee
        case .array, .dictionary: return nil
        case .model, .composite:
            // A transform may be registered for the class.
            guard layout.hasStorage, let own = ownLayout(ofObjectAt: address, layout), !own.isOfModel else {
                return nil
            }
            return writtenString(of: own, address)
        case .union:
            guard let union = layout.union, let (index, memory) = readCase(union, address) else { return nil }
            defer { stack.temporaries.release(memory) }
            let isName = union.tagging == .external || union.tagging == .untagged
            guard let payload = union.cases[index].layout else { return isName ? union.name(of: index) : nil }
            defer { payload.destroy(memory) }
            let isWhole =
                union.cases[index].hasName
                ? union.tagging == .untagged : union.fallbackValue == .whole || isName
            return isWhole ? writtenString(of: payload, memory) : nil
        case .converted where layout.contents == nil && layout.unretainedWriter == nil:
            guard let (inner, memory) = encodedForm(of: layout, address) else { return nil }
            defer {
                inner.destroy(memory)
                memory.deallocate()
            }
            return writtenString(of: inner, memory)
        default:
            return try? Self.withText(address, layout, options, isProbe: true) {
                Recording(written: $0).string
            }
        }
    }

    /// Returns the layout of an object's own class; nil if that is the declared class, or has no plan, which is an error when the object is
    /// written.
    private func ownLayout(ofObjectAt address: UnsafeRawPointer, _ layout: LayoutReference) -> LayoutReference? {
        if layout.isOfDeclaredClass(address) { return nil }
        return try? planCache.layout(ofObjectAt: address, declaredAs: layout)
    }

    /// Returns the known name in an object, or in another model that is filled through a storage.
    private mutating func nameInStorage(
        of layout: LayoutReference, _ address: UnsafeRawPointer, _ search: NameSearch
    ) throws(JSONModelError) -> String? {
        var layout = layout
        if let own = ownLayout(ofObjectAt: address, layout) {
            layout = own
            // A transform may be registered for the class.
            guard layout.isOfModel else { return try knownName(in: layout, address, search) }
        }
        guard let plan = layout.table?.plan, let functions = plan.erasedPlan.storage, let read = functions.read
        else { return nil }
        let table = layout.keyTable
        let storage = stack.temporaries.allocate(
            table.pointer.pointee.size, alignmentMask: table.pointer.pointee.alignmentMask)
        read(address, storage)
        defer {
            functions.destroy(storage)
            stack.temporaries.release(storage)
        }
        return try nameInModel(of: plan, UnsafeRawPointer(storage), search)
    }

    /// Returns the known name among the fields of a model: the value of its tag, or one of its keys if there is no tag.
    ///
    /// - Parameter address: The memory of the fields: that of the model, or its storage.
    private mutating func nameInModel(
        of plan: ResolvedPlan, _ address: UnsafeRawPointer, _ search: NameSearch
    ) throws(JSONModelError) -> String? {
        for field in plan.fields where !isInNil(field, of: plan, address) {
            guard let value = field.layout else { continue }
            let presence = value.presence(address + field.offset)
            if case .extra = field.declared.role {
                guard field.declared.isEncoded, presence == .value else { continue }
                guard let name = try knownName(in: value, address + field.offset, search) else { continue }
                // A pair with the key of a property is not written.
                let key = JSONPath.Component.key(search.tag ?? name)
                let isWritten = plan.fields.allSatisfy { $0.writtenPath?.components.first != key }
                if isWritten { return name }
                continue
            }
            guard let path = field.writtenPath, case .key(let key)? = path.components.first else { continue }
            guard let tag = search.tag else {
                let isWritten = presence == .missing ? writesNulls : presence != .absent
                if isWritten, search.isKnown(key) { return key }
                continue
            }
            guard presence == .value, path.components.count == 1, key.hasSameCodeUnits(as: tag) else { continue }
            return writtenString(of: value, address + field.offset).flatMap { search.isKnown($0) ? $0 : nil }
        }
        return nil
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
        guard step.pointee.isDistinctEnum, !isProbe else { return false }
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
        var writer = ModelWriter(options, isProbe: isProbe)
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

/// A search for the name that a written value has.
private struct NameSearch {
    /// The tag whose value is the name; nil if the name is a key.
    let tag: String?
    /// The only name that is known; nil for the names of `cases`.
    private let name: String?
    private let cases: ResolvedUnion?

    /// A search for the name of any case of an enum.
    init(of union: ResolvedUnion) { (tag, name, cases) = (union.tagKey, nil, union) }

    /// A search for the value of a pending tag.
    init(of pending: PendingTag) { (tag, name, cases) = (pending.key, pending.name, nil) }

    func isKnown(_ other: String) -> Bool { name?.hasSameCodeUnits(as: other) ?? (cases?.find(other) != nil) }
}

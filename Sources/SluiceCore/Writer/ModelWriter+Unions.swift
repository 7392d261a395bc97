// Enums with associated values: the name of the case, as the plan's tagging requires, and the payload.

extension ModelWriter {
    mutating func union(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        guard let union = layout.resolvedUnion else { throw notEncodable(layout) }
        try checkTemporaryDepth()
        try callHooks(layout, address)
        for (index, one) in union.cases.enumerated() {
            let size = max(one.layout?.size ?? 0, 1)
            let alignment = (one.layout?.alignmentMask ?? 0) + 1
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
            guard one.declared.read(address, memory) else {
                memory.deallocate()
                continue
            }
            guard let payload = one.layout else {
                memory.deallocate()
                return try plain(one.names[0], union)
            }
            if !union.declared.hasName(index) { return try fallback(union, payload, memory) }
            return try tagged(one.names[0], union, payload, memory)
        }
        throw failure(
            .notEncodable("no case of its plan describes this value of \(layout.shape.typeName)"))
    }

    /// Writes a case without a payload.
    private mutating func plain(_ name: String, _ union: ResolvedUnion) throws(JSONModelError) {
        switch union.tagging {
        case .external, .untagged:
            guard tags.isEmpty else {
                throw failure(.notEncodable("its value is a string, which cannot contain the tag"))
            }
            out.string(name)
        case .internal(let tag), .adjacent(let tag, _): try tagAlone(tag, name)
        }
    }

    private mutating func tagAlone(_ tag: String, _ name: String) throws(JSONModelError) {
        tags.append((tag, name))
        try open("{")
        out.close("}")
    }

    /// Writes the fallback case: an unknown name, or a value that is of no other case.
    private mutating func fallback(
        _ union: ResolvedUnion, _ payload: LayoutReference, _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        let isPresent = payload.presence(memory) == .value
        let known = try isPresent ? knownName(in: payload, memory, union) : nil
        if union.fallbackValue == .whole, known == nil { return try writeTemporary(payload, memory) }
        let name =
            isPresent && union.fallbackValue == .tag ? memory.assumingMemoryBound(to: String.self).pointee : nil
        payload.destroy(memory)
        memory.deallocate()
        if let known {
            throw failure(
                .notEncodable("its fallback has the name of another case, \"\(known)\", which would be decoded"))
        }
        guard let name else { throw failure(.notEncodable("its fallback has no name, because the value is nil")) }
        try plain(name, union)
    }

    private mutating func tagged(
        _ name: String, _ union: ResolvedUnion, _ payload: LayoutReference,
        _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        switch union.tagging {
        case .untagged: try writeTemporary(payload, memory)
        case .internal(let tag):
            tags.append((tag, name))
            try writeTemporary(payload, memory)
        case .external: try braced(name, nil, payload, memory)
        case .adjacent(let tag, let content): try braced(content, (tag, name), payload, memory)
        }
    }

    /// Writes an object whose only value, besides the tag, is a payload.
    private mutating func braced(
        _ key: String, _ tag: (key: String, name: String)?, _ payload: LayoutReference,
        _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        if let tag { tags.append(tag) }
        do throws(JSONModelError) { try open("{") } catch {
            payload.destroy(memory)
            memory.deallocate()
            throw error
        }
        out.key(key)
        // Closes the object after the payload.
        stack.push(EncodingFrame(form: .brace, base: UnsafeRawPointer(memory)))
        try writeTemporary(payload, memory)
    }

    /// Returns the name of another case that decoding would find in the value of a fallback; nil if the value has no such name.
    private func knownName(
        in layout: LayoutReference, _ address: UnsafeRawPointer, _ union: ResolvedUnion
    ) throws(JSONModelError) -> String? {
        func known(_ name: String) -> String? { union.find(name) == nil ? nil : name }
        func known(in value: JSONValue) -> String? {
            if case .string(let name) = value { known(name) } else { nil }
        }
        let tag = union.tagKey
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
        default: return nil
        }
    }

    // MARK: Flattened

    /// Writes the members of flattened enums into the open object: of the enum of an instruction, and of those that follow. Members
    /// whose keys have been written by the model's other fields, or by an enum before, are omitted.
    mutating func writeFlattenedEnums(
        from first: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) throws(JSONModelError) {
        var keys = writtenKeys(before: first, base)
        var step = first
        while step.pointee.action == .flattenedEnum {
            try writeFlattenedEnum(step, base, &keys)
            step += 1
        }
        stack.top.step += step - first - 1
    }

    private mutating func writeFlattenedEnum(
        _ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer, _ keys: inout Set<MemberName>
    ) throws(JSONModelError) {
        let layout = step.pointee.layout.unsafelyUnwrapped
        let address = base + step.pointee.offset
        guard layout.presence(address) == .value else { return }
        var writer = ModelWriter(options, search: search)
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

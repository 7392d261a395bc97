// Enums with associated values: the name of the case, as the plan's tagging requires, and the payload.

extension ModelWriter {
    mutating func union(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        let table = layout.keyTable
        let plan = table.plan!
        guard let union = plan.union else {
            throw notEncodable(layout)
        }
        try checkMade()
        do { for hooks in plan.erasedPlan.hooks { try hooks.beforeEncoding(address) } } catch {
            throw thrown(error)
        }
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
            if index == union.fallback, let done = try fallback(union, payload, memory) { return done }
            return try tagged(one.names[0], union, payload, memory)
        }
        throw failure(
            .notEncodable("the value of \(layout.shape.typeName) is of no case"))
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

    /// Writes the fallback case if its payload preserves the unknown case; returns nil otherwise.
    private mutating func fallback(
        _ union: ResolvedUnion, _ payload: LayoutReference, _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) -> Void? {
        switch union.fallbackValue {
        case .nothing: return nil
        case .whole: return try made(payload, memory)
        case .tag:
            if payload.nilTest != .never, payload.presence(memory) != .value { return nil }
            let name = memory.assumingMemoryBound(to: String.self).pointee
            payload.destroy(memory)
            memory.deallocate()
            return try plain(name, union)
        }
    }

    private mutating func tagged(
        _ name: String, _ union: ResolvedUnion, _ payload: LayoutReference,
        _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        switch union.tagging {
        case .untagged: try made(payload, memory)
        case .internal(let tag):
            tags.append((tag, name))
            try made(payload, memory)
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
        stack.push(
            EncodingFrame(
                form: .brace, base: UnsafeRawPointer(memory), spreads: stack.spreads.count))
        try made(payload, memory)
    }

    // MARK: Flattened

    /// Writes the members of an enum into the open object. Members with keys of the model's other fields are omitted.
    mutating func writeFlattenedEnum(
        _ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) throws(JSONModelError) {
        let layout = step.pointee.layout.unsafelyUnwrapped
        let address = base + step.pointee.offset
        guard layout.presence(address) == .value else { return }
        var writer = ModelWriter(options)
        // The members have the depth of the open object.
        writer.out.depth = out.depth - 1
        do throws(JSONModelError) { try writer.write(layout, address) } catch {
            throw thrown(NestedFailure(error: error))
        }
        let object = Recording(RecordingStorage(Array(writer.out.written), origin: .none))
        guard object.isObject else {
            throw failure(.notEncodable("a case that is encoded as \(object.typeName) cannot be part of an object"))
        }
        let ownKeys = plan.map { $0.writing.plan(of: $0, isSorted: isSorted).keys } ?? []
        var members = object.members.cursor
        while let key = members.next(), key.kind == .key {
            let name = object.storage.string(key)
            let start = members.position
            members.skipValue()
            if ownKeys.contains(name) { continue }
            out.key(name)
            out.verbatim(object.storage.value(from: start, to: members.position))
        }
    }
}

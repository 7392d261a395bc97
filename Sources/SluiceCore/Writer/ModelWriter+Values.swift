// One value: common scalars in inlined code, all others by kind.

extension ModelWriter {
    /// Writes a common scalar. Returns false for other kinds. Requires 48 reserved bytes and no pending tag.
    @inline(__always)
    mutating func scalar(_ kind: ValueKind, _ address: UnsafeRawPointer) -> Bool {
        switch kind {
        case .string: out.string(at: address)
        case .int, .int64: out.integer(address.load(as: Int64.self))
        case .double:
            let value = address.load(as: Double.self)
            if !value.isFinite { return false }
            out.double(value)
        case .bool: out.bool(address.load(as: UInt8.self) & 1 != 0)
        default: return false
        }
        return true
    }

    /// Writes any value that is present. Pushes a frame for a value with parts.
    @inline(never)
    mutating func value(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        out.reserve(96)
        let kind = layout.kind
        if !tags.isEmpty { try checkTag(layout, address) }
        switch kind {
        case .model, .composite: try model(layout, address)
        case .array:
            // Elements with a transform have another kind.
            try layout.isInlineArray && !out.isPretty ? leafArray(layout, address) : pushElements(layout, address)
        case .dictionary: try pushPairs(layout, address)
        case .value: try json(layout, address.assumingMemoryBound(to: JSONValue.self))
        case .union: try union(layout, address)
        case .converted, .scalar: try makeEncodedForm(layout, address)
        case .raw:
            let bytes = address.assumingMemoryBound(to: JSONRaw.self).pointee.bytes
            if !tags.isEmpty {
                let object = Recording(written: bytes)
                try removeTags(of: object)
                if !tags.isEmpty { return try writeMembers(of: object) }
            }
            bytes.withUnsafeBufferPointer { out.verbatim($0) }
        case .double: if !scalar(kind, address) { try nonFinite(address.load(as: Double.self)) }
        case .float:
            let value = address.load(as: Float.self)
            value.isFinite ? out.float(value) : try nonFinite(Double(value))
        #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        case .half:
            let value = address.load(as: Float16.self)
            value.isFinite ? out.half(value) : try nonFinite(Double(value))
        #endif
        case .int8: out.integer(address.load(as: Int8.self))
        case .int16: out.integer(address.load(as: Int16.self))
        case .int32: out.integer(address.load(as: Int32.self))
        case .int128: out.integer(address.load(as: Int128.self))
        case .uint, .uint64: out.integer(address.load(as: UInt64.self))
        case .uint8: out.integer(address.load(as: UInt8.self))
        case .uint16: out.integer(address.load(as: UInt16.self))
        case .uint32: out.integer(address.load(as: UInt32.self))
        case .uint128: out.integer(address.load(as: UInt128.self))
        case .string, .int, .int64, .bool: _ = scalar(kind, address)
        default: throw notEncodable(layout)
        }
    }

    /// Checks that a value with a pending tag can be an object. A tag that the object has itself is not written again.
    private mutating func checkTag(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        switch layout.kind {
        case .model, .composite, .dictionary, .union, .converted, .scalar, .raw: return
        case .value:
            if case .object(let members) = address.assumingMemoryBound(to: JSONValue.self).pointee {
                for tag in tags.all {
                    guard case .string(let name)? = members[tag.key] else { continue }
                    if name.hasSameCodeUnits(as: tag.name) { tags.remove(tag.key) }
                }
                return
            }
        default: break
        }
        throw noObject()
    }

    private func noObject() -> JSONModelError {
        failure(.notEncodable("its value is not an object, which could contain the tag"))
    }

    private mutating func nonFinite(_ value: Double) throws(JSONModelError) {
        switch options.nonConformingFloats {
        case .throw:
            var error = failure(.notEncodable("\(value) is not a JSON number"))
            error.issues[0].hint = "set nonConformingFloatStrategy to allow it"
            throw error
        case .null: out.literal("null")
        case .write(let infinity, let negativeInfinity, let nan):
            out.string(value.isNaN ? nan : value < 0 ? negativeInfinity : infinity)
        }
    }

    // MARK: Models

    private mutating func model(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        var layout = layout
        if layout.hasStorage, !layout.isOfDeclaredClass(address),
            let dynamic = try layoutOfDynamicClass(address, layout)
        {
            layout = dynamic
            tags.reportSubclass()
            // A transform may be registered for the class.
            guard layout.isOfModel else { return try value(layout, address) }
        }
        let table = layout.keyTable
        let hasHooks = table.pointer.pointee.encodingHooks != nil
        if hasHooks { try callHooks(layout, address) }
        guard layout.hasStorage else {
            if hasHooks { try callFlattenedHooks(layout, address) }
            pushModel(layout, address)
            if tags.mayRepeat { try checkExtraKeys() }
            return try open("{")
        }
        let storage = stack.temporaries.allocate(
            table.pointer.pointee.size, alignmentMask: table.pointer.pointee.alignmentMask)
        let isRead = table.storageFunctions.unsafelyUnwrapped._withUnsafeGuaranteedRef { functions in
            // A constant with the closure would retain it.
            if functions.read == nil { return false }
            functions.read!(address, storage)
            return true
        }
        guard isRead else {
            stack.temporaries.release(storage)
            throw failure(
                .notEncodable(
                    "\(table.plan!.erasedPlan.modelName) is filled through a storage, and its plan has no read: for it"
                ))
        }
        if hasHooks {
            do throws(JSONModelError) { try callFlattenedHooks(layout, storage) } catch {
                table.storageFunctions?._withUnsafeGuaranteedRef { $0.destroy(storage) }
                stack.temporaries.release(storage)
                throw error
            }
        }
        pushModel(layout, UnsafeRawPointer(storage), storage: storage)
        if !tags.isEmpty { try checkExtraKeys() }
        try open("{")
    }

    /// Returns the layout of an object's dynamic class; nil if that is the declared class.
    private mutating func layoutOfDynamicClass(
        _ address: UnsafeRawPointer, _ layout: LayoutReference
    ) throws(JSONModelError) -> LayoutReference? {
        do {
            return try planCache.layout(ofObjectAt: address, declaredAs: layout)
        } catch {
            var issue = failure(error.issues[0].kind).issues[0]
            issue.model = error.issues[0].model
            throw JSONModelError(issues: [issue])
        }
    }

    /// Calls a closure that may call a hook or a transform, which then finds the user info.
    private func withUserInfo<R>(_ body: () throws -> R) rethrows -> R {
        options.userInfo.isEmpty
            ? try body() : try JSONUserInfo.$current.withValue(options.userInfo, operation: body)
    }

    /// Calls the hooks of a model or an enum.
    mutating func callHooks(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        guard let hooks = layout.keyTable.encodingHooks else { return }
        do { try withUserInfo { try hooks._withUnsafeGuaranteedRef { try $0.own?(address) } } } catch {
            throw thrown(error)
        }
    }

    /// Calls the hooks of flattened models.
    ///
    /// - Parameter base: The memory of the fields: that of the model, or its storage.
    private mutating func callFlattenedHooks(
        _ layout: LayoutReference, _ base: UnsafeRawPointer
    ) throws(JSONModelError) {
        guard let hooks = layout.keyTable.encodingHooks else { return }
        do { try withUserInfo { try hooks._withUnsafeGuaranteedRef { try $0.flattened?(base) } } } catch {
            throw thrown(error)
        }
    }

    // MARK: Values written as other values

    private mutating func makeEncodedForm(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        if let texts = layout.pointer.pointee.texts, writeText(of: address, texts) { return }
        try checkTemporaryDepth()
        guard let inner = layout.element else { throw notEncodable(layout) }
        if let contents = layout.pointer.pointee.contents {
            if !tags.isEmpty { throw noObject() }
            return try writeString(of: contents, address)
        }
        // A scalar may be written as an object, which contains a pending tag.
        let isConverted = layout.pointer.pointee.kind == .converted
        if isConverted || tags.isEmpty, let writer = layout.pointer.pointee.unretainedWriter {
            // Of the converted values, only those that are encoded by their conformance to `Encodable` have a writer.
            if !tags.isEmpty { return try writeTagged(layout, address) }
            // Types without a plan keep the context of the first value in the engine.
            return try write(address, by: writer, needsContext: isConverted && engine == nil)
        }
        let shape = layout.shape
        let memory = stack.temporaries.allocate(inner.size, alignmentMask: inner.alignmentMask)
        do {
            try withUserInfo { try shape.makeEncodedForm(address, memory) }
        } catch {
            stack.temporaries.release(memory)
            throw thrown(error)
        }
        try writeTemporary(inner, memory)
    }

    /// Writes a value that is encoded by its conformance to `Encodable`, with the pending tags before the members of its object.
    @inline(never)
    private mutating func writeTagged(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        var writer = ModelWriter(options)
        writer.out.depth = out.depth
        do throws(JSONModelError) { try writer.write(layout, address) } catch {
            throw thrown(PartFailure(error))
        }
        let object = Recording(written: writer.out.written)
        try removeTags(of: object)
        try writeMembers(of: object)
    }

    /// Removes the pending tags that an object has itself.
    private mutating func removeTags(of object: Recording) throws(JSONModelError) {
        guard object.isObject else { throw noObject() }
        for tag in tags.all {
            guard let name = object.members(first: tag.key)?.firstString else { continue }
            if name.hasSameCodeUnits(as: tag.name) { tags.remove(tag.key) }
        }
    }

    /// Writes the members of an object behind the pending tags.
    private mutating func writeMembers(of object: Recording) throws(JSONModelError) {
        try checkMemberKeys(object.keys)
        try open("{")
        object.forEachMember { name, value in
            out.key(name)
            object.storage.withText(ofValue: value) { out.verbatim($0) }
        }
        out.close("}")
    }

    /// Writes the known text of a value. Returns false if the text is not known, or is not that of the options.
    @inline(__always)
    private mutating func writeText(
        of address: UnsafeRawPointer, _ texts: UnsafePointer<ByteTexts.Text>
    ) -> Bool {
        let text = texts[Int(address.load(as: UInt8.self))]
        guard text.count > 0, out.isCompact, tags.isEmpty else { return false }
        out.reserve(text.count &+ 96)
        out.planText(text.start, text.count)
        return true
    }

    /// Writes a value as JSON in a string.
    @inline(never)
    private mutating func writeString(
        of contents: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        let inner = inner ?? InnerWriter(options)
        // A writer that has failed is not used again.
        self.inner = nil
        do throws(JSONModelError) {
            try inner.writer.write(contents, address)
            if options.isCanonical {
                let text = try CanonicalText.bytes(of: inner.writer.out.written)
                text.withUnsafeBytes { out.string(json: $0) }
            } else {
                out.string(json: inner.writer.out.written)
            }
        } catch {
            throw thrown(PartFailure(error))
        }
        inner.writer.out.restart()
        self.inner = inner
    }

    /// - Parameter needsContext: Whether the closure may use its context, which copies the options.
    private mutating func write(
        _ address: UnsafeRawPointer, by writer: Unmanaged<DirectWriter>, needsContext: Bool
    ) throws(JSONModelError) {
        let wasHeld = out.isHeld
        out.isHeld = true
        defer { out.isHeld = wasHeld }
        do {
            if needsContext { return try writeWithContext(address, by: writer) }
            try writer._withUnsafeGuaranteedRef {
                try $0.write(address, &out, &engine) { preconditionFailure("The value needs no context.") }
            }
        } catch {
            throw thrown(error)
        }
    }

    @inline(never)
    private mutating func writeWithContext(
        _ address: UnsafeRawPointer, by writer: Unmanaged<DirectWriter>
    ) throws {
        let options = options
        try writer._withUnsafeGuaranteedRef { try $0.write(address, &out, &engine) { options } }
    }

    /// Writes a temporary value, which is then destroyed.
    ///
    /// A value that may have a temporary value of its own is written later, by the loop of the writer: such values nest as deeply as the
    /// data.
    mutating func writeTemporary(
        _ layout: LayoutReference, _ memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        stack.push(
            EncodingFrame(
                form: .temporary, base: UnsafeRawPointer(memory), layout: layout,
                owned: memory))
        switch layout.kind {
        case .union, .converted, .scalar: return
        default: try runTemporary()
        }
    }

    /// Writes the temporary value of the frame on top, or removes the frame if the value is written.
    mutating func runTemporary() throws(JSONModelError) {
        let height = stack.count
        if stack.top.hasBegun { return try endTemporary() }
        stack.top.hasBegun = true
        let (layout, memory) = (stack.top.layout.unsafelyUnwrapped, stack.top.base)
        if layout.presence(memory) == .value {
            try value(layout, memory)
        } else if tags.isEmpty {
            out.literal("null")
        } else {
            throw failure(.notEncodable("its value is null, which cannot contain the tag"))
        }
        if stack.count == height { try endTemporary() }
    }

    private mutating func endTemporary() throws(JSONModelError) {
        if fallbacks.last?.height == stack.count { try endFallback() }
        stack.pop()
    }
}

/// The writer of the values that are JSON in a string, which is kept for the next such value.
final class InnerWriter {
    // Only one writer uses the object, and no access calls back.
    @exclusivity(unchecked) var writer: ModelWriter

    init(_ options: EncodingOptions) { writer = ModelWriter(options) }
}

extension EncodingOptions: EncodingContext {}

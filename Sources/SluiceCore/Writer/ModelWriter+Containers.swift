// Arrays, sets and dictionaries.

extension ModelWriter {
    /// Returns the elements of a container, or its pairs.
    func elements(of layout: LayoutReference, _ address: UnsafeRawPointer) -> ElementBuffer {
        layout.withContainer { $0.elements(address) }
    }

    mutating func pushElements(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        if sortsSets, !layout.shape.isOrdered { return try writeSet(layout, address) }
        guard layout.hasScalarsInPlace else { return try pushElements(layout, elements(of: layout, address)) }
        try open("[")
        guard let count = scalarsInPlace(of: layout, address) else { return out.close("]") }
        pushMembers(.elements, layout, elements(of: layout, address))
        stack.top.begunCount = count
        stack.top.base += count * layout.elementStride
    }

    mutating func pushElements(_ layout: LayoutReference, _ elements: ElementBuffer) throws(JSONModelError) {
        pushMembers(.elements, layout, elements)
        try open("[")
    }

    /// Writes an array of numbers or strings in one loop, without a frame.
    ///
    /// A number that is not finite may be an error, whose path has the number's index. Such a number and the rest of the array
    /// are written with a frame, which knows the index.
    mutating func leafArray(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        try open("[")
        switch layout.inlineElementKind {
        case .double:
            let array = ElementBuffer(borrowing: address.assumingMemoryBound(to: [Double].self))
            let written = out.doubles(array.elements())
            guard written == array.count else {
                pushMembers(.elements, layout, array)
                stack.top.begunCount = written
                stack.top.base += written * MemoryLayout<Double>.stride
                return
            }
        case .int:
            out.integers(
                ElementBuffer(borrowing: address.assumingMemoryBound(to: [Int].self)).elements(of: Int.self))
        default:
            out.strings(
                ElementBuffer(borrowing: address.assumingMemoryBound(to: [String].self)).elements(of: String.self))
        }
        out.close("]")
    }

    /// Whether an array of numbers or strings has no elements.
    @inline(__always)
    func isEmptyLeafArray(_ layout: LayoutReference, _ address: UnsafeRawPointer) -> Bool {
        switch layout.inlineElementKind {
        case .double: address.assumingMemoryBound(to: [Double].self).pointee.isEmpty
        case .int: address.assumingMemoryBound(to: [Int].self).pointee.isEmpty
        default: address.assumingMemoryBound(to: [String].self).pointee.isEmpty
        }
    }

    /// Begins an array of models that are written by their fields alone: pushes the frames of the array and of its first model. An array
    /// without elements is complete.
    @inline(never)
    mutating func openModels(
        _ layout: LayoutReference, _ element: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        if sortsSets, !layout.shape.isOrdered { return try writeSet(layout, address) }
        try pushElements(layout, elements(of: layout, address))
        let (count, first) = (stack.top.count, stack.top.base)
        guard count > 0 else {
            out.close("]")
            return stack.pop()
        }
        stack.top.begunCount = 1
        out.comma()
        try openModel(element, first, following: count &- 1, stride: layout.elementStride)
    }

    /// Begins an element that is a model.
    ///
    /// - Parameters:
    ///   - following: The number of elements after this one that use the same frame.
    ///   - stride: The distance between these elements.
    @inline(__always)
    private mutating func openModel(
        _ layout: LayoutReference, _ address: UnsafeRawPointer, following: Int, stride: Int
    ) throws(JSONModelError) {
        try open("{")
        pushModel(layout, address)
        stack.top.following = following
        stack.top.stride = stride
    }

    /// Pushes the frame of elements or pairs.
    ///
    /// - Parameter layout: The layout of the container; nil for the elements and members of a `JSONValue`.
    mutating func pushMembers(
        _ form: EncodingFrame.Form, _ layout: LayoutReference?, _ elements: ElementBuffer
    ) {
        // Without elements, the address is not read.
        let base = elements.base ?? UnsafeRawPointer(out.start)
        stack.push(
            EncodingFrame(
                form: form, base: base, layout: layout,
                owned: elements.isOwned ? UnsafeMutableRawPointer(mutating: base) : nil, count: elements.count))
    }

    /// Writes the elements of the frame on top, until another frame is pushed or no element is left.
    mutating func runElements() throws(JSONModelError) {
        let frame = stack.top
        let container = frame.layout.unsafelyUnwrapped
        let element = container.element.unsafelyUnwrapped
        let kind = element.kind
        let isAlwaysPresent = element.nilTest == .never
        let stride = container.elementStride
        let height = stack.count
        let total = frame.count
        var left = total - frame.begunCount
        var at = frame.base
        while left > 0 {
            out.reserve(96)
            out.comma()
            left &-= 1
            let address = at
            at += stride
            if !isAlwaysPresent, element.presence(address) != .value {
                out.literal("null")
                continue
            }
            if scalar(kind, address) { continue }
            stack.top.base = at
            stack.top.begunCount = total - left
            if tags.isEmpty, element.isPlainModel {
                try openModel(element, address, following: isAlwaysPresent ? left : 0, stride: stride)
                return try runModels()
            }
            if kind == .union { try union(element, address) } else { try value(element, address) }
            guard stack.count != height else { continue }
            guard stack.top.form == .model else { return }
            if isAlwaysPresent, stack.count == height &+ 1, element.mayReuseFrame(after: address) {
                stack.top.stride = stride
                return try runModels()
            }
            try runModels()
            // After the last element, the model has ended the array.
            if left == 0 || stack.count != height || out.sinkError != nil { return }
        }
        out.close("]")
        stack.pop()
    }

    /// Begins the next element of the array below in the frame and the memory of an object that is written. Returns false without such an
    /// element.
    mutating func nextObject() -> Bool {
        let frame = stack.topAddress
        let array = frame - 1
        let (element, address) = (
            array.pointee.layout.unsafelyUnwrapped.element.unsafelyUnwrapped, array.pointee.base
        )
        guard array.pointee.begunCount < array.pointee.count, element.isOfDeclaredClass(address) else {
            return false
        }
        array.pointee.begunCount &+= 1
        array.pointee.base += frame.pointee.stride
        stack.destroyTop()
        let storage = frame.pointee.owned.unsafelyUnwrapped
        element.keyTable.storageFunctions.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.read!(address, storage) }
        out.reserve(96)
        out.comma()
        out.open("{")
        frame.pointee.next = frame.pointee.steps
        return true
    }

    /// Whether the elements of the frame on top are arrays of numbers that are written in a loop of their own.
    @inline(__always)
    var hasArraysOfDoubles: Bool {
        let element = stack.top.layout.unsafelyUnwrapped.element.unsafelyUnwrapped
        return element.kind == .array && element.collectsDoubles && element.nilTest == .never && !out.isPretty
            && tags.isEmpty && out.depth < deepest
    }

    /// Writes the elements of the frame on top, which are arrays of numbers, until another frame is pushed or no element is left.
    @inline(never)
    mutating func runArraysOfDoubles() throws(JSONModelError) {
        let (frame, height) = (stack.top, stack.count)
        let element = frame.layout.unsafelyUnwrapped.element.unsafelyUnwrapped
        let first = frame.base.assumingMemoryBound(to: [Double].self) - frame.begunCount
        var next = frame.begunCount
        while true {
            next += shortArrays(first + next, frame.count - next)
            if next == frame.count { break }
            out.reserve(96)
            out.comma()
            let array = first + next
            next += 1
            (stack.top.base, stack.top.begunCount) = (UnsafeRawPointer(array + 1), next)
            try value(element, array)
            if stack.count != height { return }
        }
        out.close("]")
        stack.pop()
    }

    /// Writes arrays of numbers, such as coordinates, up to the first that is long or has a number that is not finite.
    ///
    /// - Returns: The number of written arrays.
    private mutating func shortArrays(_ arrays: UnsafePointer<[Double]>, _ count: Int) -> Int {
        withUnsafeTemporaryAllocation(of: ShortestDecimal.self, capacity: OutputBuffer.batchCount) { memory in
            let decimals = memory.baseAddress.unsafelyUnwrapped
            var index = 0
            while index < count {
                var (next, converted) = (index, 0)
                while next < min(count, index &+ OutputBuffer.batchCount) {
                    let values = ElementBuffer(borrowing: arrays + next).elements(of: Double.self)
                    if values.count > OutputBuffer.batchCount &- converted { break }
                    values.convert(to: decimals + converted)
                    converted &+= values.count
                    next &+= 1
                }
                if next == index { break }
                out.reserve((next &- index &+ converted) &* 64)
                var (to, written) = (out.position, 0)
                while index < next {
                    let (values, start) = (ElementBuffer(borrowing: arrays + index).elements(of: Double.self), to)
                    to.comma()
                    to.byte(UInt8(ascii: "["))
                    to.firstByteCount = 1
                    guard to.doubles(values, decimals + written, out.isFoundationStyle) == values.count else {
                        out.position = start
                        return index
                    }
                    to.byte(UInt8(ascii: "]"))
                    to.firstByteCount = 0
                    written &+= values.count
                    index &+= 1
                }
                out.position = to
            }
            return index
        }
    }

    // MARK: Scalars in place

    // The elements of a container that does not lend them are copied if they need frames, because a frame has an address.

    /// Writes the elements of a container, or its pairs, up to the first whose value is not a common scalar. No element is copied, and no
    /// frame is pushed.
    ///
    /// - Parameter others: The keys whose pairs are left out.
    /// - Returns: The number of elements before that one; nil if all elements are written.
    private mutating func scalarsInPlace(
        of layout: LayoutReference, _ address: UnsafeRawPointer, without others: OtherKeys? = nil
    ) -> Int? {
        let (kind, hasKeys, offset) = (
            layout.element.unsafelyUnwrapped.kind, layout.hasTextKeys, layout.valueOffset
        )
        var isComplete = true
        let count = layout.withContainer { witness in
            witness.visit!(address) { element in
                if let others, others.omits(element, layout) { return true }
                let value = element + offset
                guard Self.isScalar(kind, value) else {
                    isComplete = false
                    return false
                }
                out.reserve(96)
                out.comma()
                if hasKeys {
                    out.string(at: element)
                    out.reserve(96)
                    out.colon()
                }
                _ = kind == .value ? jsonScalar(value.assumingMemoryBound(to: JSONValue.self)) : scalar(kind, value)
                return true
            }
        }
        return isComplete ? nil : count
    }

    /// Whether a value of a kind that is written in place has no parts, and is a JSON number if it is a number.
    @inline(__always)
    private static func isScalar(_ kind: ValueKind, _ address: UnsafeRawPointer) -> Bool {
        switch kind {
        case .double: address.load(as: Double.self).isFinite
        case .value:
            switch address.assumingMemoryBound(to: JSONValue.self).pointee {
            case .array, .object: false
            default: true
            }
        default: true
        }
    }

    // MARK: Sets

    /// Writes a set whose elements are sorted by their text.
    private mutating func writeSet(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        if ThreadStack.isUsedUp { throw .stackUsedUp(options.limits) }
        pushMembers(.sorted, layout, elements(of: layout, address))
        let (height, count, element) = (stack.count, stack.top.count, layout.element.unsafelyUnwrapped)
        let wasHeld = out.isHeld
        // The text of the elements changes its place.
        out.isHeld = true
        defer { out.isHeld = wasHeld }
        try open("[")
        var texts: [Range<Int>] = []
        for index in 0..<count {
            out.comma()
            stack.top.begunCount = index + 1
            let (start, address) = (out.count, stack.top.base + index * layout.elementStride)
            if element.presence(address) == .value {
                try value(element, address)
                try run(above: height)
                if out.sinkError != nil { return }
            } else {
                out.reserve(96)
                out.literal("null")
            }
            texts.append(start..<out.count)
        }
        out.sortElements(texts, isCanonical: options.isCanonical)
        if let first = texts.first { fallbacks.forgetParts(from: first.lowerBound) }
        out.close("]")
        stack.pop()
    }

    /// Sorts the elements of a set in their memory by their text.
    mutating func sort(_ elements: ElementBuffer, of layout: LayoutReference) throws(JSONModelError) {
        guard elements.count > 1, elements.isOwned, let base = elements.base else { return }
        let (stride, element) = (layout.elementStride, layout.element.unsafelyUnwrapped)
        var texts: [[UInt8]] = []
        do throws(JSONModelError) {
            for index in 0..<elements.count {
                texts.append(
                    try Self.withText(base + index * stride, element, options) { Array($0) })
            }
        } catch {
            layout.withContainer { $0.free(elements) }
            throw thrown(PartFailure(error))
        }
        let sorted = UnsafeMutableRawPointer.allocate(
            byteCount: elements.count * stride, alignment: element.alignmentMask + 1)
        defer { sorted.deallocate() }
        let order = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
        for (to, from) in order.enumerated() {
            (sorted + to * stride).copyMemory(from: base + from * stride, byteCount: stride)
        }
        UnsafeMutableRawPointer(mutating: base).copyMemory(from: sorted, byteCount: elements.count * stride)
    }

    // MARK: Pairs

    mutating func pushPairs(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        guard tags.isEmpty, !isSorted, layout.hasTextKeys, layout.hasScalarsInPlace else {
            return try pushPairs(layout, elements(of: layout, address))
        }
        try open("{")
        guard let count = scalarsInPlace(of: layout, address) else { return out.close("}") }
        pushMembers(.pairs, layout, elements(of: layout, address))
        stack.top.begunCount = count
    }

    mutating func pushPairs(_ layout: LayoutReference, _ elements: ElementBuffer) throws(JSONModelError) {
        pushMembers(.pairs, layout, elements)
        if !tags.isEmpty { try checkKeys(of: elements, layout) }
        if layout.mayRepeatTexts { try checkTexts() }
        sortPairs()
        try open("{")
    }

    /// Checks that no key of a dictionary equals the key of a pending tag. A payload that is decoded from the whole object may have the tag,
    /// which is not written again.
    ///
    /// - Parameter plan: The plan of the model of which the pairs are the extra keys.
    private mutating func checkKeys(
        of pairs: ElementBuffer, _ layout: LayoutReference, in plan: ResolvedPlan? = nil
    ) throws(JSONModelError) {
        guard let base = pairs.base, let element = layout.element else { return }
        for index in 0..<pairs.count {
            let pair = base + index * layout.elementStride
            let key = layout.keyText(of: pair)
            guard let tag = tags.tag(for: key) else { continue }
            // A pair with the key of a property is not written.
            let isWritten = plan?.fields.allSatisfy { $0.writtenPath?.components.first != .key(key) } ?? true
            guard tag.mayBeMember, isWritten, let name = string(pair + layout.valueOffset, element),
                name.hasSameCodeUnits(as: tag.name)
            else { throw failureOfTag(key) }
            tags.remove(key)
        }
    }

    /// Returns a value that is a string in all documents; nil for other values.
    private func string(_ address: UnsafeRawPointer, _ layout: LayoutReference) -> String? {
        guard layout.presence(address) == .value else { return nil }
        if layout.kind == .string { return address.assumingMemoryBound(to: String.self).pointee }
        guard layout.kind == .value else { return nil }
        return address.assumingMemoryBound(to: JSONValue.self).pointee.string
    }

    /// Checks that the keys of the dictionary on top have different texts, and that the texts of numbers are numbers.
    @inline(never)
    private func checkTexts() throws(JSONModelError) {
        let frame = stack.top
        guard let layout = frame.layout else { return }
        let keys = layout.withDictionary { $0.keys }
        var texts: Set<MemberName> = []
        for index in 0..<frame.count {
            let key = text(frame.base + index * layout.elementStride, layout)
            guard texts.insert(MemberName(key)).inserted else {
                throw failure(.notEncodable("two of its keys are written as \"\(key)\""))
            }
            // The texts of numbers, and of dates, that are not finite.
            if key == "inf" || key == "-inf" || key == "nan", !keys.accepts(key) {
                throw failure(.notEncodable("its key \(key) is not a JSON number"))
            }
        }
    }

    /// Checks the extra keys of the model on top like those of a dictionary.
    mutating func checkExtraKeys() throws(JSONModelError) {
        guard let plan else { return }
        let base = stack.top.base
        for info in plan.fields {
            guard case .extra = info.declared.role, info.declared.isEncoded, let layout = info.layout,
                !isInNil(info, of: plan, base), layout.presence(base + info.offset) == .value
            else { continue }
            let pairs = elements(of: layout, base + info.offset)
            defer { layout.withContainer { $0.free(pairs) } }
            try checkKeys(of: pairs, layout, in: plan)
        }
    }

    /// Throws if a member's key is that of a pending tag.
    func checkMemberKeys(_ keys: [String]) throws(JSONModelError) {
        for key in keys where tags.tag(for: key) != nil { throw failureOfTag(key) }
    }

    func failureOfTag(_ key: String) -> JSONModelError {
        failure(.notEncodable("its key \"\(key)\" is that of the enum's tag"))
    }

    /// Pushes the pairs of a dictionary that is written into its model's object. Pairs with the key of a property are omitted.
    mutating func pushExtra(
        _ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) throws(JSONModelError) {
        let layout = step.pointee.layout.unsafelyUnwrapped
        let address = base + step.pointee.offset
        guard !isInNil(step, base), layout.presence(address) == .value else { return }
        let names = plan.map { enumNames(in: $0, base) } ?? []
        var begunCount = 0
        if !isSorted, names.isEmpty, layout.hasTextKeys, layout.hasScalarsInPlace {
            guard let count = scalarsInPlace(of: layout, address, without: keysOfOthers(in: stack.top)) else {
                return
            }
            begunCount = count
        }
        pushMembers(.innerPairs, layout, elements(of: layout, address))
        stack.top.begunCount = begunCount
        sortPairs()
        if !names.isEmpty { omitPairs { names.contains(MemberName($0)) } }
    }

    /// Returns the keys of the flattened enums of a model.
    private func enumNames(in plan: ResolvedPlan, _ base: UnsafeRawPointer) -> Set<MemberName> {
        var members = MemberNames()
        for flattened in plan.flattenedEnums {
            members.add(flattened.entry.layout, at: base + flattened.entry.offset)
        }
        return members.names
    }

    /// Leaves out the pairs with some keys: they come first in the order, and have been begun.
    private mutating func omitPairs(where isOmitted: (String) -> Bool) {
        let frame = stack.top
        let layout = frame.layout.unsafelyUnwrapped
        let order = (0..<frame.count).map { frame.order?[$0] ?? $0 }
        let omitted = order.map { isOmitted(text(frame.base + $0 * layout.elementStride, layout)) }
        guard omitted.contains(true) else { return }
        let pairs = zip(order, omitted)
        let memory = frame.order ?? .allocate(capacity: frame.count)
        memory.initialize(from: pairs.filter(\.1).map(\.0) + pairs.filter { !$0.1 }.map(\.0), count: frame.count)
        (stack.top.order, stack.top.begunCount) = (memory, omitted.count { $0 })
    }

    /// Returns the extra pairs of an object on a path.
    func extraMembers(
        _ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) -> [(key: String, value: JSONValue)] {
        let address = base + step.pointee.offset
        guard !isInNil(step, base), step.pointee.layout?.presence(address) == .value, let part = step.pointee.part
        else {
            return []
        }
        return part._withUnsafeGuaranteedRef { $0.members(address) }
    }

    /// Writes the extra pairs of an object on a path, which is open.
    mutating func writePart(
        _ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) throws(JSONModelError) {
        var members = extraMembers(step, base)
        if isSorted { members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
        guard let layout = step.pointee.layout?.element else { return }
        for (key, value) in members {
            var writer = ModelWriter(options)
            writer.out.depth = out.depth
            try withUnsafePointer(to: value) { value throws(JSONModelError) in try writer.write(layout, value) }
            out.key(key)
            Array(writer.out.written).withUnsafeBufferPointer { out.verbatim($0) }
        }
    }

    /// Sorts the pairs by the bytes of their keys, if the encoder's key order requires this.
    private mutating func sortPairs() {
        let frame = stack.top
        guard isSorted, frame.count > 1 else { return }
        let layout = frame.layout.unsafelyUnwrapped
        let keys = (0..<frame.count).map {
            text(frame.base + $0 * layout.elementStride, layout)
        }
        let order = keys.indices.sorted { keys[$0].utf8.lexicographicallyPrecedes(keys[$1].utf8) }
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: order.count)
        memory.initialize(from: order, count: order.count)
        stack.top.order = memory
    }

    /// Returns the key of a pair.
    func text(_ pair: UnsafeRawPointer, _ layout: LayoutReference) -> String {
        layout.keyText(of: pair)
    }

    /// Returns the pair at a position in writing order.
    func pair(_ frame: EncodingFrame, _ index: Int) -> UnsafeRawPointer {
        frame.base + (frame.order?[index] ?? index) * frame.layout.unsafelyUnwrapped.elementStride
    }

    /// Writes the pairs of the frame on top, until another frame is pushed or no pair is left.
    mutating func runPairs() throws(JSONModelError) {
        let height = stack.count
        let layout = stack[height - 1].layout.unsafelyUnwrapped
        let element = layout.element.unsafelyUnwrapped
        let isInner = stack[height - 1].form == .innerPairs
        let others = isInner ? keysOfOthers(in: stack[height - 2]) : nil
        let (stride, valueOffset) = (layout.elementStride, layout.valueOffset)
        let hasTextKeys = layout.hasTextKeys
        let kind = element.kind
        let isAlwaysPresent = element.nilTest == .never
        let (base, order, count) = (stack.top.base, stack.top.order, stack.top.count)
        var next = stack.top.begunCount
        while next < count {
            let pair = base + (order?[next] ?? next) * stride
            next &+= 1
            if let others, others.omits(pair, layout) { continue }
            out.reserve(96)
            out.comma()
            if hasTextKeys { out.string(at: pair) } else { out.string(text(pair, layout)) }
            out.reserve(96)
            out.colon()
            let address = pair + valueOffset
            if !isAlwaysPresent, element.presence(address) != .value {
                out.literal("null")
                continue
            }
            if scalar(kind, address) { continue }
            stack.top.begunCount = next
            if kind == .value, tags.isEmpty, !isSorted {
                try json(address.assumingMemoryBound(to: JSONValue.self))
            } else {
                try value(element, address)
            }
            if stack.count != height { return }
        }
        if !isInner { out.close("}") }
        stack.pop()
    }

    /// Returns the keys that the extra pairs of a model may not have.
    private mutating func keysOfOthers(in model: EncodingFrame) -> OtherKeys? {
        model.layout?.table?.unretainedPlan?._withUnsafeGuaranteedRef { [isSorted] plan in
            plan.writing.withProgram(of: plan, isSorted: isSorted) {
                OtherKeys(reserved: $0.reservedKeys, filter: plan.filter == nil ? nil : .passUnretained(plan))
            }
        }
    }
}

/// The keys that are not those of extra pairs. Plain data.
private struct OtherKeys {
    /// The keys of other fields.
    let reserved: TableReference
    /// The plan, if its filter selects some of the extra keys.
    let filter: Unmanaged<ResolvedPlan>?

    /// Whether a pair is not written.
    @inline(__always)
    func omits(_ pair: UnsafeRawPointer, _ layout: LayoutReference) -> Bool {
        if filter == nil, layout.hasTextKeys, StringBytes.isKnown {
            let string = StringBytes(at: pair)
            if let count = string.smallCount {
                let count = Int(truncatingIfNeeded: count)
                let head = string.low & (count >= 8 ? ~0 : ~(~0 &<< UInt64(truncatingIfNeeded: count &* 8)))
                return reserved.find(Key(pair.assumingMemoryBound(to: UInt8.self), count, head: head)) != nil
            }
        }
        return omits(layout.keyText(of: pair))
    }

    @inline(never)
    private func omits(_ key: String) -> Bool {
        if reserved.find(key) != nil { return true }
        let known = filter?._withUnsafeGuaranteedRef { $0.filter?.below(JSONPath([.key(key)])) }
        if case .nothing? = known { return true }
        return false
    }
}

extension LayoutReference {
    /// Whether the elements of a container are mostly scalars, and are visited in place.
    fileprivate var hasScalarsInPlace: Bool {
        let element = self.element.unsafelyUnwrapped
        switch element.kind {
        case .string, .int, .int64, .double, .bool, .value:
            return element.nilTest == .never && withContainer { $0.visit != nil }
        default: return false
        }
    }

    /// Returns the key of a dictionary's pair.
    func keyText(of pair: UnsafeRawPointer) -> String {
        if self.hasTextKeys { return pair.assumingMemoryBound(to: String.self).pointee }
        return self.withDictionary { $0.keys.text(pair) }
    }
}

extension OutputBuffer {
    /// Sorts texts of elements, between which the bytes stay.
    ///
    /// - Parameter isCanonical: Whether the order is that of the canonical form of the texts.
    package mutating func sortElements(_ texts: [Range<Int>], isCanonical: Bool) {
        guard let first = texts.first, texts.count > 1 else { return }
        let old = texts.map { Array(bytes($0)) }
        let keys = isCanonical ? old.map { Self.canonical($0) } : old
        let order = old.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
        var new: [UInt8] = []
        for (index, range) in texts.enumerated() {
            if index > 0 { new += bytes(texts[index - 1].upperBound..<range.lowerBound) }
            new += old[order[index]]
        }
        (start + first.lowerBound).update(from: new, count: new.count)
    }

    /// Returns the canonical form of elements, as an array; the text itself if that has no such form, which is an error later.
    private static func canonical(_ text: [UInt8]) -> [UInt8] {
        let array = [UInt8(ascii: "[")] + text + [UInt8(ascii: "]")]
        return array.withUnsafeBytes { try? CanonicalText.bytes(of: $0) } ?? text
    }
}

extension LayoutReference {
    /// Whether the frame of an element that is a model in memory of the writer may have the next element: the payload of an enum that is
    /// projected, or an object without hooks.
    fileprivate func mayReuseFrame(after address: UnsafeRawPointer) -> Bool {
        guard keyTable.pointer.pointee.encodingHooks == nil else { return false }
        return pointer.pointee.kind == .union
            ? union?.pointer.pointee.projection != nil : isOfDeclaredClass(address)
    }
}

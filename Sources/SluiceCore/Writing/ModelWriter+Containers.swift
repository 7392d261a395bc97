// Arrays, sets and dictionaries.

extension ModelWriter {
    /// Returns the elements of a container, or its pairs.
    func gather(_ layout: UnsafePointer<TypeLayout>, _ address: UnsafeRawPointer) -> ElementBuffer {
        layout.withContainer { $0.gather(address) }
    }

    mutating func pushRun(
        _ layout: UnsafePointer<TypeLayout>, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        try pushRun(layout, gather(layout, address))
    }

    mutating func pushRun(_ layout: UnsafePointer<TypeLayout>, _ run: ElementBuffer) throws(JSONModelError) {
        pushGathered(.run, layout, run)
        try open("[")
    }

    private mutating func pushGathered(
        _ form: EncodingFrame.Form, _ layout: UnsafePointer<TypeLayout>, _ run: ElementBuffer
    ) {
        let base = run.base ?? UnsafeRawPointer(layout)
        push(
            EncodingFrame(
                form: form, base: base, layout: layout,
                owned: run.isOwned ? UnsafeMutableRawPointer(mutating: base) : nil, count: run.count,
                spreads: spreads.count))
    }

    /// Continues with the elements on top, until a frame is pushed above them or they end.
    mutating func runElements() throws(JSONModelError) {
        let frame = frames + (count - 1)
        let container = frame.pointee.layout.unsafelyUnwrapped
        let element = container.pointee.element.unsafelyUnwrapped
        let kind = element.pointee.kind
        let isAlwaysPresent = element.pointee.nilTest == .never
        let stride = container.pointee.runStride
        let height = count
        let total = frame.pointee.count
        var left = total - frame.pointee.place
        var at = frame.pointee.base
        while left > 0 {
            out.reserve(96)
            out.comma()
            left &-= 1
            let address = at
            at += stride
            if !isAlwaysPresent, element.pointee.presence(address) != .value {
                out.literal("null")
                continue
            }
            if scalar(kind, address) { continue }
            frames[height - 1].base = at
            frames[height - 1].place = total - left
            if kind == .model, !element.pointee.hasStorage, tags.isEmpty,
                !element.pointee.table.unsafelyUnwrapped.pointee.isSpecial
            {
                try open("{")
                pushModel(element, address)
                return
            }
            try value(element, address)
            if count != height { return }
        }
        out.close("]")
        pop()
    }

    // MARK: Pairs

    mutating func pushPairs(
        _ layout: UnsafePointer<TypeLayout>, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        try pushPairs(layout, gather(layout, address))
    }

    mutating func pushPairs(_ layout: UnsafePointer<TypeLayout>, _ run: ElementBuffer) throws(JSONModelError) {
        pushGathered(.pairs, layout, run)
        if !tags.isEmpty { try checkKeys() }
        sortPairs()
        try open("{")
    }

    /// Checks that no key of a dictionary equals the key of a pending tag.
    private func checkKeys() throws(JSONModelError) {
        let frame = frames[count - 1]
        guard let layout = frame.layout else { return }
        for place in 0..<frame.count {
            let key = text(frame.base + place * layout.pointee.runStride, layout)
            if tags.contains(where: { $0.key == key }) {
                throw failure(.notEncodable("its key \"\(key)\" is that of the enum's tag"))
            }
        }
    }

    /// Pushes the pairs of a dictionary that is written into its model's object. Pairs with the key of a property are omitted.
    mutating func pushExtra(
        _ step: UnsafePointer<EncodingInstruction>, _ base: UnsafeRawPointer
    ) throws(JSONModelError) {
        let layout = step.pointee.layout.unsafelyUnwrapped
        let address = base + step.pointee.offset
        guard !isInNil(step, base), layout.pointee.presence(address) == .value else { return }
        pushGathered(.innerPairs, layout, gather(layout, address))
        sortPairs()
    }

    /// Sorts the pairs by the bytes of their keys, if the encoder's key order requires this.
    private mutating func sortPairs() {
        let frame = frames + (count - 1)
        guard isSorted, frame.pointee.count > 1 else { return }
        let layout = frame.pointee.layout.unsafelyUnwrapped
        let keys = (0..<frame.pointee.count).map {
            text(frame.pointee.base + $0 * layout.pointee.runStride, layout)
        }
        let order = keys.indices.sorted { keys[$0].utf8.lexicographicallyPrecedes(keys[$1].utf8) }
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: order.count)
        memory.initialize(from: order, count: order.count)
        frame.pointee.order = memory
    }

    /// Returns the key of a pair.
    func text(_ pair: UnsafeRawPointer, _ layout: UnsafePointer<TypeLayout>) -> String {
        if layout.pointee.hasTextKeys { return pair.assumingMemoryBound(to: String.self).pointee }
        return layout.withDictionary { $0.keys.text(pair) }
    }

    /// Returns the pair at a position in writing order.
    func pair(_ frame: EncodingFrame, _ place: Int) -> UnsafeRawPointer {
        frame.base + (frame.order?[place] ?? place) * frame.layout.unsafelyUnwrapped.pointee.runStride
    }

    /// Continues with the pairs on top.
    mutating func runPairs() throws(JSONModelError) {
        let height = count
        let layout = frames[height - 1].layout.unsafelyUnwrapped
        let element = layout.pointee.element.unsafelyUnwrapped
        let isInner = frames[height - 1].form == .innerPairs
        let write = isInner ? extraPlan() : nil
        while frames[height - 1].place < frames[height - 1].count {
            let pair = pair(frames[height - 1], frames[height - 1].place)
            frames[height - 1].place += 1
            if let write {
                let key = text(pair, layout)
                if write.keys.contains(key) { continue }
                if case .nothing? = write.filter?.below(JSONPath([.key(key)])) { continue }
                out.key(key)
            } else {
                out.reserve(96)
                out.comma()
                if layout.pointee.hasTextKeys { out.string(at: pair) } else { out.string(text(pair, layout)) }
                out.reserve(8)
                out.byte(UInt8(ascii: ":"))
                if out.isPretty { out.byte(UInt8(ascii: " ")) }
            }
            let address = pair + layout.pointee.valueOffset
            if element.pointee.presence(address) != .value {
                out.literal("null")
                continue
            }
            out.reserve(96)
            if scalar(element.pointee.kind, address) { continue }
            try value(element, address)
            if count != height { return }
        }
        if !isInner { out.close("}") }
        pop()
    }

    /// Returns the program of the model whose extra pairs are on top.
    private func extraPlan() -> EncodingProgram? {
        let plan = frames[count - 2].layout?.pointee.table?.pointee.plan?.takeUnretainedValue()
        return plan.map { $0.writing.plan(of: $0, isSorted: isSorted) }
    }
}

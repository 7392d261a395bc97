/// Traverses values by their plans and writes them.
///
/// The writer keeps its own stack and never recurses, so that deep data cannot exhaust the thread's stack. `scalar` writes
/// the common kinds; `value` writes all others, and may push a frame.
///
/// Invariant: the caller keeps the root value alive and unchanged, and with it all values stored in it. A temporary
/// value belongs to a frame.
struct ModelWriter {
    var out: OutputBuffer
    let options: EncodingOptions
    /// The plans of the encoder's options. The caller keeps them alive.
    unowned(unsafe) let planCache: PlanCache
    let writesNulls: Bool
    let isSorted: Bool
    private let deepest: Int
    private(set) var frames: UnsafeMutablePointer<EncodingFrame>
    private var capacity = 32
    /// The number of frames.
    private(set) var count = 0
    var spreads: [Spread] = []
    /// Tags for the next object, which is the payload of their cases.
    var tags: [(key: String, name: String)] = []

    init(_ options: EncodingOptions, sink: ((UnsafeRawBufferPointer) throws -> Void)? = nil) {
        self.options = options
        planCache = options.planCache
        out = OutputBuffer(options.format, sink: sink)
        writesNulls = options.writesNulls
        isSorted = options.isSorted
        deepest = options.limits.depth
        frames = .allocate(capacity: capacity)
    }

    /// Frees all memory.
    mutating func dispose() {
        while count > 0 { pop() }
        frames.deallocate()
        out.free()
    }

    /// Writes one value.
    mutating func write(
        _ layout: UnsafePointer<TypeLayout>, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        if layout.pointee.presence(address) == .value {
            try value(layout, address)
        } else {
            out.literal("null")
        }
        while count > 0 {
            switch frames[count - 1].form {
            case .model: try runModel()
            case .run: try runElements()
            case .pairs, .innerPairs: try runPairs()
            case .brace:
                out.close("}")
                pop()
            case .made: pop()
            }
            if out.sinkError != nil { return }
        }
    }

    // MARK: The stack

    @inline(__always)
    mutating func push(_ frame: consuming EncodingFrame) {
        if count == capacity { grow() }
        (frames + count).initialize(to: frame)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: capacity * 2)
        larger.update(from: frames, count: count)
        frames.deallocate()
        frames = larger
        capacity *= 2
    }

    @inline(__always)
    mutating func pop() {
        count &-= 1
        let frame = frames + count
        if frame.pointee.owned != nil || frame.pointee.order != nil || spreads.count > frame.pointee.spreads {
            release(frame.pointee)
        }
    }

    @inline(never)
    private mutating func release(_ frame: EncodingFrame) {
        while spreads.count > frame.spreads { spreads.removeLast().free() }
        frame.order?.deallocate()
        guard let owned = frame.owned else { return }
        if let layout = frame.layout {
            switch frame.form {
            case .run, .pairs, .innerPairs: layout.withContainer { $0.elements.destroy(owned, frame.count) }
            case .model:
                layout.pointee.table?.pointee.plan?.takeUnretainedValue().erasedPlan.storage?.destroy(owned)
            case .made where frame.count > 0: layout.pointee.shape.takeUnretainedValue().destroy(owned, 1)
            case .made, .brace: break
            }
        }
        owned.deallocate()
    }

    /// Writes an opening bracket, within the limits, and the pending tags.
    @inline(__always)
    mutating func open(_ bracket: Unicode.Scalar) throws(JSONModelError) {
        if out.depth >= deepest { throw tooDeep() }
        out.reserve(64)
        out.open(bracket)
        if !tags.isEmpty { writeTags() }
    }

    @inline(never)
    private mutating func writeTags() {
        for tag in tags {
            out.key(tag.key)
            out.string(tag.name)
        }
        tags = []
    }

    @inline(never)
    private func tooDeep() -> JSONModelError { failure(.limitExceeded(.depth, limit: deepest)) }

    /// Limits the nesting of values made from values, which write no brackets in between.
    func checkMade() throws(JSONModelError) {
        if count > 2 * deepest + 64 { throw tooDeep() }
    }
}

extension ModelWriter {
    /// Writes a value, and lends the JSON to a closure.
    static func withText<R>(
        _ address: UnsafeRawPointer, _ shape: JSONShape, _ options: EncodingOptions,
        _ body: (UnsafeRawBufferPointer) -> R
    ) throws(JSONModelError) -> R {
        let planCache = options.planCache
        let layout = try planCache.layout(for: shape)
        defer { withExtendedLifetime(planCache) {} }
        return try withText(address, layout, options, body)
    }

    /// Writes a value by a layout of the options' environment, and lends the JSON to a closure.
    static func withText<R>(
        _ address: UnsafeRawPointer, _ layout: UnsafePointer<TypeLayout>, _ options: EncodingOptions,
        _ body: (UnsafeRawBufferPointer) -> R
    ) throws(JSONModelError) -> R {
        var writer = ModelWriter(options)
        defer { writer.dispose() }
        try writer.write(layout, address)
        return body(writer.out.written)
    }
}

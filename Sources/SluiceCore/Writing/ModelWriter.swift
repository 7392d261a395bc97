/// Walks values by their plans and writes them.
///
/// It keeps a stack of its own and never recurses, so that no depth of data exhausts the thread's. What is common is
/// written by `scalar` in place; all else by `value`, which may push a frame.
///
/// Invariant: whoever calls it keeps the root value alive and unchanged, and so all that is reached from it where it
/// lies; what had to be made belongs to a frame.
struct ModelWriter {
    var out: OutputBuffer
    let options: EncodingOptions
    /// The plans of the encoder's options. The caller keeps them alive.
    unowned(unsafe) let environment: PlanCache
    let writesNulls: Bool
    let isSorted: Bool
    private let deepest: Int
    private(set) var frames: UnsafeMutablePointer<EncodingFrame>
    private var capacity = 32
    /// How many frames there are.
    private(set) var count = 0
    var spreads: [Spread] = []
    /// Tags that go into the next object, which is that of their cases' value.
    var tags: [(key: String, name: String)] = []

    init(_ options: EncodingOptions, sink: ((UnsafeRawBufferPointer) throws -> Void)? = nil) {
        self.options = options
        environment = options.environment
        out = OutputBuffer(options.format, sink: sink)
        writesNulls = options.writesNulls
        isSorted = options.isSorted
        deepest = options.limits.depth
        frames = .allocate(capacity: capacity)
    }

    /// Frees everything.
    mutating func dispose() {
        while count > 0 { pop() }
        frames.deallocate()
        out.free()
    }

    /// Writes one value.
    mutating func write(
        _ record: UnsafePointer<TypeLayout>, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        if record.pointee.presence(address) == .value {
            try value(record, address)
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
        if let record = frame.record {
            let shape = record.pointee.shape.takeUnretainedValue()
            switch frame.form {
            case .run, .pairs, .innerPairs: shape.destroyRun.unsafelyUnwrapped(owned, frame.count)
            case .model:
                record.pointee.table?.pointee.plan?.takeUnretainedValue().erasedPlan.storage?.destroy(owned)
            case .made where frame.count > 0: shape.destroy(owned, 1)
            case .made, .brace: break
            }
        }
        owned.deallocate()
    }

    /// An opening bracket, within the limits, and the tags that wait for one.
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

    /// Values made of values, without any text between them, have to end too.
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
        let environment = options.environment
        let layout = try environment.record(for: shape)
        defer { withExtendedLifetime(environment) {} }
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

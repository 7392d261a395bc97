/// Traverses values by their plans and writes them.
///
/// The writer keeps its own stack and does not recurse, so that deep data cannot exhaust the thread's stack. `scalar` writes
/// the common kinds; `value` writes all others, and may push a frame. Enums that are parts of their model's object, and calls of user
/// code, need a writer inside of a writer: a writer measures the thread's stack before it begins.
///
/// Invariant: the caller keeps the root value alive and unchanged, and with it all values stored in it. A temporary
/// value belongs to a frame.
package struct ModelWriter: ~Copyable {
    /// The JSON written so far.
    package var out: OutputBuffer
    let options: EncodingOptions
    /// The plan cache of `options`, which keep the cache alive.
    unowned(unsafe) let planCache: PlanCache
    let writesNulls: Bool
    let isSorted: Bool
    /// Whether equal sets have equal text.
    var sortsSets: Bool { isSorted || options.isCanonical }
    /// The limit of nesting.
    let deepest: Int
    var stack = EncodingStack()
    /// Tags for the next object, which is the payload of their cases.
    var tags = PendingTags()
    /// The fallbacks of enums that are being written, the innermost last.
    var fallbacks: [OpenFallback] = []

    /// The engine for the types without a plan.
    var engine: AnyObject?
    /// The writer of values that are JSON in a string.
    var inner: InnerWriter?

    /// - Parameter memory: The first memory of the JSON, lent by the caller; nil for memory of the writer.
    package init(
        _ options: EncodingOptions, in memory: UnsafeMutableBufferPointer<UInt8>? = nil,
        sink: ((UnsafeRawBufferPointer) throws -> Void)? = nil
    ) {
        self.options = options
        planCache = options.planCache
        out = OutputBuffer(options.format, in: memory, sink: sink)
        writesNulls = options.writesNulls
        isSorted = options.isSorted
        deepest = options.limits.depth
    }

    /// Writes one value.
    package mutating func write(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        if ThreadStack.isUsedUp { throw .stackUsedUp(options.limits) }
        if layout.presence(address) == .value {
            try value(layout, address)
        } else {
            out.literal("null")
        }
        try run(above: 0)
    }

    /// Writes the open values above a height of the stack.
    @inline(__always)
    mutating func run(above height: Int) throws(JSONModelError) {
        while stack.count > height {
            switch stack.top.form {
            case .model: try runModels()
            case .elements: try hasArraysOfDoubles ? runArraysOfDoubles() : runElements()
            case .pairs, .innerPairs: try runPairs()
            case .values: try runValues()
            case .members: try runMembers()
            case .brace:
                out.close("}")
                stack.pop()
            case .temporary: try runTemporary()
            case .sorted: preconditionFailure("The elements of a set are written by a loop of their own.")
            }
            if out.sinkError != nil { return }
        }
    }

    /// Writes one value in the requested form.
    mutating func writeFormatted(
        _ layout: LayoutReference, _ address: UnsafeRawPointer
    ) throws(JSONModelError) {
        guard options.isCanonical else { return try write(layout, address) }
        let text = try Self.withText(address, layout, options, depth: out.depth) { Array($0) }
        text.withUnsafeBufferPointer { out.verbatim($0) }
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
        tags.takeAll { tag in
            out.key(tag.key)
            out.string(tag.name)
        }
    }

    @inline(never)
    func tooDeep() -> JSONModelError { failure(.limitExceeded(.depth, limit: deepest)) }

    /// Limits the nesting of temporary values, which can be nested without brackets.
    // Mutating, because the compiler copies the writer for a method that borrows it.
    @inline(__always)
    mutating func checkTemporaryDepth() throws(JSONModelError) {
        if stack.count > 2 * deepest + 64 { throw tooDeep() }
    }
}

extension ModelWriter {
    /// Writes a value by a layout of the options' plan cache, and lends the JSON to a closure.
    ///
    /// - Parameter depth: The number of brackets around the value, for its indentation.
    package static func withText<R>(
        _ address: UnsafeRawPointer, _ layout: LayoutReference, _ options: EncodingOptions,
        depth: Int = 0, _ body: (UnsafeRawBufferPointer) -> R
    ) throws(JSONModelError) -> R {
        var writer = ModelWriter(options)
        writer.out.depth = depth
        try writer.write(layout, address)
        return try options.withFormatted(writer.out.written, body)
    }
}

extension EncodingOptions {
    /// Lends JSON in the requested form to a closure.
    ///
    /// - Parameter text: The JSON of a writer with these options.
    package func withFormatted<R>(
        _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R
    ) throws(JSONModelError) -> R {
        isCanonical ? try CanonicalText.bytes(of: text).withUnsafeBytes(body) : body(text)
    }
}

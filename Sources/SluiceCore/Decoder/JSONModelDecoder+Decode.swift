extension JSONModelDecoder {
    /// Decodes the value at a path of an input.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - input: The input, such as an array of bytes, a string, or `.file("repository.json")`. See ``JSONInput``.
    ///   - path: The path of the value. The default is the root. See `JSONPath`.
    /// - Throws: ``JSONModelError``. Issues of a value in memory have a path and no location.
    // Inlinable, so that the client's compiler knows the type of the value and its memory.
    @inlinable
    public func decode<T: JSONConvertible>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws(JSONModelError) -> T {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let shape = JSONShape.unretained(of: T.self)
        try input.withContent { content throws(JSONModelError) in
            try decode(shape, content, at: path, into: memory)
        }
        return memory.move()
    }

    /// Decodes the value at a path into uninitialized memory.
    ///
    /// - Throws: ``JSONModelError``. The memory is then uninitialized.
    @usableFromInline
    func decode(
        _ shape: Unmanaged<JSONShape>, _ content: JSONInputContent, at path: JSONPath,
        into target: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        try withRoot(shape, path) { layout, root throws(JSONModelError) in
            var driver = Driver(
                slot: ValueSlot(address: target, layout: layout), table: root?.table,
                options: .passUnretained(sharedOptions),
                emit: nil)
            try run(&driver, content, missing: root?.path ?? JSONPath())
        }
    }

    /// Checks that an input consists of JSON values within the limits, and that each has a value at a path.
    ///
    /// - Parameters:
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path that must exist in each value. The default is the root.
    ///   - framing: The form in which the input holds its values. A document is one value.
    /// - Throws: ``JSONModelError``
    public func validate(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) throws(JSONModelError) {
        var nothing = IgnoredValue()
        let shape = JSONShape.unretained(of: IgnoredValue.self)
        try withUnsafeMutablePointer(to: &nothing) { target throws(JSONModelError) in
            try input.withContent { content throws(JSONModelError) in
                guard framing == .document else {
                    let stream = try ElementStream(
                        self, shape, at: path, framing: framing, target: target, needsElements: false
                    ) { _ in true }
                    return try stream.read(content, of: IgnoredValue.self)
                }
                try PlanCache.standard.withRoot(shape, path) { layout, root throws(JSONModelError) in
                    var driver = Driver(
                        slot: ValueSlot(address: target, layout: layout), table: root?.table,
                        options: .passUnretained(sharedOptions),
                        emit: nil)
                    try run(&driver, content, missing: root?.path)
                }
            }
        }
    }

    /// Sends the tokens of an input to a driver.
    ///
    /// The function is not generic, so that the compiler specializes each source. The decoder outlives the driver, which does
    /// not retain the options.
    ///
    /// - Parameter missing: The path of the value that the driver must have made at the end, which the caller then owns; nil
    ///   if no value is required. With ``DecodingOptions/isPartial``, the value may be missing if issues give the reason.
    @discardableResult
    func run(
        _ driver: inout Driver, _ content: JSONInputContent, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        let input: ByteInput
        switch content.form {
        case .text(let text): input = text
        case .tree(let tree): return try tree.run(to: &driver, self, missing: missing)
        }
        let isPartial = options.isPartial
        switch source {
        #if YAJL
        case .yajl:
            var tokens = try YajlSource(for: Driver.self, limits: limits)
            return try tokens.read(
                input, to: &driver, missing: missing, isPartial: isPartial, limits: limits,
                progressHandler: progressHandler)
        #endif
        case .scanner:
            var tokens = ScannerSource(limits: limits)
            return try tokens.read(
                input, to: &driver, missing: missing, isPartial: isPartial, limits: limits,
                progressHandler: progressHandler)
        }
    }
}

/// A value that is validated and not made.
struct IgnoredValue: JSONConvertible {
    static var jsonShape: JSONShape { JSONShape(Self.self, kind: .ignored, expectation: "a value") }
}

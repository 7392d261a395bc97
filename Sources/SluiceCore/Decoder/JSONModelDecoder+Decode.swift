extension JSONModelDecoder {
    /// Decodes the value at a path of an input.
    ///
    /// This verb, `decodePartially`, `forEach`, `elements`, `cursor`, `feed` and `merge` also take types that are only `Decodable`, whose
    /// initializers then decode the values. Nested values with a plan or a shape are decoded by that plan or shape.
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
        if sharedOptions.value.workers.count > 1, collects(shape, content, at: path, into: target) {
            return
        }
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
        try input.withContent { content throws(JSONModelError) in
            if framing == .document { return try validate(content, at: path) }
            var nothing = IgnoredValue()
            try withUnsafeMutablePointer(to: &nothing) { target throws(JSONModelError) in
                let stream = try ElementStream(
                    self, JSONShape.unretained(of: IgnoredValue.self), at: path, framing: framing, target: target,
                    needsElements: false
                ) { _ in true }
                try stream.read(content, of: IgnoredValue.self)
            }
        }
    }

    /// Checks that an input is a document with a value at a path.
    func validate(_ content: JSONInputContent, at path: JSONPath) throws(JSONModelError) {
        var nothing = IgnoredValue()
        let shape = JSONShape.unretained(of: IgnoredValue.self)
        try withUnsafeMutablePointer(to: &nothing) { target throws(JSONModelError) in
            try PlanCache.standard.withRoot(shape, path) { layout, root throws(JSONModelError) in
                var driver = Driver(
                    slot: ValueSlot(address: target, layout: layout), table: root?.table,
                    options: .passUnretained(sharedOptions),
                    emit: nil)
                try run(&driver, content, missing: root?.path)
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
        // Hooks, transforms and lazy values call decoders inside of calls.
        if ThreadStack.isUsedUp { throw .stackUsedUp(limits) }
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

// MARK: Arrays on several threads

extension JSONModelDecoder {
    /// Decodes an array with several threads, into uninitialized memory.
    ///
    /// - Returns: Whether the memory is initialized. False, without any effect, if the value is no array, if several threads cannot
    ///   decode the input, or if the input has an issue.
    private func collects(
        _ shape: Unmanaged<JSONShape>, _ content: JSONInputContent, at path: JSONPath,
        into target: UnsafeMutableRawPointer
    ) -> Bool {
        guard case .text(let input) = content.form, input.isRepeatable, !path.selectsSeveral,
            options.issueHandler == nil, options.progressHandler == nil, !options.isPartial,
            (input.memory?.count ?? .max) > 2 * workers.batchSize,
            let array = shape.takeUnretainedValue().type as? any CollectedArray.Type
        else { return false }
        return array.collect(content, at: path, into: target, self)
    }
}

/// An array whose elements a stream can decode.
private protocol CollectedArray {
    static func collect(
        _ content: JSONInputContent, at path: JSONPath, into target: UnsafeMutableRawPointer,
        _ decoder: JSONModelDecoder
    ) -> Bool
}

extension Array: CollectedArray where Element: JSONConvertible {
    fileprivate static func collect(
        _ content: JSONInputContent, at path: JSONPath, into target: UnsafeMutableRawPointer,
        _ decoder: JSONModelDecoder
    ) -> Bool {
        let shape = JSONShape.unretained(of: Element.self)
        guard shape.takeUnretainedValue().positionOffset == nil else { return false }
        var decoder = decoder
        decoder.options.summaryHandler = nil
        decoder.options.skipsFailedElements = false
        var elements: [Element] = []
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: 1)
        defer { memory.deallocate() }
        do throws(JSONModelError) {
            let stream = try ElementStream(decoder, shape, at: path, framing: .document, target: memory) {
                element in
                elements.append(element.assumingMemoryBound(to: Element.self).move())
                return true
            }
            try stream.read(content, of: Element.self)
            // Of several arrays at the path, the last one counts.
            guard stream.arrayCount == 1 else { return false }
        } catch {
            return false
        }
        target.initializeMemory(as: [Element].self, to: elements)
        return true
    }
}

/// A value that is validated and not made.
struct IgnoredValue: JSONConvertible {
    static var jsonShape: JSONShape { JSONShape(Self.self, kind: .ignored, expectation: "a value") }
}

// MARK: Partial decoding

/// The decoded part of an input, and the issues found in the rest.
public struct JSONPartial<Value> {
    /// The value without the parts that failed. Arrays, sets and dictionaries lack failed elements. A model with a failed
    /// property is not made, and is nil if no enclosing value can omit the model.
    ///
    /// If the input ends early, or contains a syntax error, the value holds the values that were complete before the
    /// error. The scalar that was being read is omitted, and so is a model that lacks a required property.
    public let value: Value?
    /// All issues, in document order. A syntax error is followed by the issues for values that are missing because of the
    /// error.
    public let issues: [JSONIssue]
}

extension JSONPartial: Sendable where Value: Sendable {}

extension JSONModelDecoder {
    /// Decodes as much as possible of the value at a path of an input. Collects all issues, whatever ``errorPolicy`` is,
    /// except that its limit applies.
    ///
    /// If the input ends early or contains a syntax error, the values that were complete before the error are decoded:
    ///
    /// ```swift
    /// let text = #"{"name": "yajl", "tags": ["c", "json"], "stars": 21"#
    /// let partial = try decoder.decodePartially(Repository.self, from: text)
    /// // partial.value has the name and both tags; partial.issues has unexpectedEnd
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the value. The default is the root.
    /// - Throws: ``JSONModelError`` if the input has a syntax error and no value can be made from the part before the error, or
    ///   if no value exists at the path.
    public func decodePartially<T: JSONConvertible>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws(JSONModelError) -> JSONPartial<T> {
        var decoder = self
        decoder.options.isPartial = true
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let outcome = try input.withContent { content throws(JSONModelError) in
            try decoder.withRoot(JSONShape.unretained(of: T.self), path) { layout, root throws(JSONModelError) in
                var driver = Driver(
                    slot: ValueSlot(address: memory, layout: layout), table: root?.table,
                    options: .passUnretained(decoder.sharedOptions), emit: nil)
                return try decoder.run(&driver, content, missing: root?.path ?? JSONPath())
            }
        }
        return JSONPartial(value: outcome.isPresent ? memory.move() : nil, issues: outcome.issues)
    }
}

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
        let shape = JSONShape.unretained(of: type)
        return try input.withContent { content throws(JSONModelError) in
            try withStackMemory(of: T.self) { value throws(JSONModelError) in
                try decode(shape, content, at: path, into: value)
                return value.move()
            }
        }
    }

    /// Decodes the value at a path into uninitialized memory.
    ///
    /// - Throws: ``JSONModelError``. The memory is then uninitialized.
    @usableFromInline
    package func decode(
        _ shape: Unmanaged<JSONShape>, _ content: JSONInputContent, at path: JSONPath,
        into target: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        if let collector = sharedOptions.value.arrayCollector {
            let collect = unsafeDowncast(collector, to: ArrayCollector.self).collect
            let own = shape.takeUnretainedValue()
            // A transform that is registered for the array needs the array as a whole.
            if planCache.override(for: own) === own, collect(own, content, path, target, self) { return }
        }
        try withRoot(shape, path) { layout, root throws(JSONModelError) in
            var driver = Driver(
                slot: ValueSlot(address: target, layout: layout), table: root?.table,
                options: .passUnretained(sharedOptions),
                emit: nil)
            try run(&driver, content, missing: root?.path ?? JSONPath())
        }
    }

    /// Checks that an input is a document of JSON within the limits, with a value at a path.
    ///
    /// - Parameters:
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path that must exist in the document. The default is the root.
    /// - Throws: ``JSONModelError``
    public func validate(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, at path: JSONPath = JSONPath()
    ) throws(JSONModelError) {
        try input.withContent { content throws(JSONModelError) in try validate(content, at: path) }
    }

    /// Checks that all of a value in memory is JSON within the limits. A driver does not look at the values that it ignores.
    package func validateTree(_ content: JSONInputContent) throws(JSONModelError) {
        if content.isText { return }
        var recorder = TapeRecorder(Tape(input: nil, capacity: 64), recordsLocations: false)
        try record(content, into: &recorder)
        _ = recorder.finish()
    }

    /// Checks that an input is a document with a value at a path.
    func validate(_ content: JSONInputContent, at path: JSONPath) throws(JSONModelError) {
        if sharedOptions.value.stopsEarly {
            // All of the document is checked.
            var decoder = self
            decoder.stopsEarly = false
            return try decoder.validate(content, at: path)
        }
        try validateTree(content)
        var nothing = IgnoredValue()
        let shape = JSONShape.unretained(of: IgnoredValue.self)
        let streams = path.selectsSeveral
        let receive: ElementReceiver.Closure? = streams ? { $0 } : nil
        try withUnsafeMutablePointer(to: &nothing) { target throws(JSONModelError) in
            try PlanCache.standard.withRoot(shape, path, streams: streams) {
                layout, root throws(JSONModelError) in
                var driver = Driver(
                    slot: ValueSlot(address: target, layout: layout), table: root?.table,
                    options: .passUnretained(sharedOptions),
                    emit: receive)
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
        switch content.form {
        case .tree(let tree): return try tree.run(to: &driver, self, missing: missing)
        case .text(let input):
            switch source {
            #if YAJL
            case .yajl: return try runYajl(&driver, input, missing: missing)
            #endif
            case .scanner: return try runScanner(&driver, input, missing: missing)
            }
        }
    }

    // A function for each source: in one function, the compiler moves the source once more.

    #if YAJL
    private func runYajl(
        _ driver: inout Driver, _ input: ByteInput, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        var tokens = try YajlSource(for: Driver.self, limits: limits)
        return try tokens.read(
            input, to: &driver, missing: missing, isPartial: options.isPartial, limits: limits,
            progressHandler: progressHandler)
    }
    #endif

    private func runScanner(
        _ driver: inout Driver, _ input: ByteInput, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        var tokens = ScannerSource(limits: limits)
        return try tokens.read(
            input, to: &driver, missing: missing, isPartial: options.isPartial, limits: limits,
            progressHandler: progressHandler)
    }
}

/// Decodes arrays with several threads. The layer of streams makes the object for a decoder with several threads.
package final class ArrayCollector: Sendable {
    /// Decodes an array, given its shape, into uninitialized memory.
    ///
    /// Returns whether the memory is initialized. False, without any effect, if the value is no array, if several threads cannot
    /// decode the input, or if the input has an issue.
    let collect:
        @Sendable (JSONShape, JSONInputContent, JSONPath, UnsafeMutableRawPointer, JSONModelDecoder) -> Bool

    package init(
        _ collect:
            @escaping @Sendable (
                JSONShape, JSONInputContent, JSONPath, UnsafeMutableRawPointer, JSONModelDecoder
            ) -> Bool
    ) { self.collect = collect }
}

/// A value that is validated and not made.
package struct IgnoredValue: JSONConvertible {
    package init() {}

    package static var jsonShape: JSONShape { JSONShape(Self.self, kind: .ignored, expectation: "a value") }
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

    package init(value: Value?, issues: [JSONIssue]) { (self.value, self.issues) = (value, issues) }
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
    /// The same is true of a value in memory with a part that has no JSON form, or is nested too deeply.
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
        try partialValue(JSONShape.unretained(of: type), of: T.self, input, at: path)
    }

    /// Decodes as much as possible of the value at a path by a shape of the type, or of a subclass.
    package func partialValue<T>(
        _ shape: Unmanaged<JSONShape>, of type: T.Type,
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, at path: JSONPath
    ) throws(JSONModelError) -> JSONPartial<T> {
        var decoder = self
        decoder.options.isPartial = true
        return try withStackMemory(of: T.self) { value throws(JSONModelError) in
            let outcome = try input.withContent { content throws(JSONModelError) in
                try decoder.withRoot(shape, path) {
                    layout, root throws(JSONModelError) in
                    var driver = Driver(
                        slot: ValueSlot(address: value, layout: layout), table: root?.table,
                        options: .passUnretained(decoder.sharedOptions), emit: nil)
                    return try decoder.run(&driver, content, missing: root?.path ?? JSONPath())
                }
            }
            return JSONPartial(value: outcome.isPresent ? value.move() : nil, issues: outcome.issues)
        }
    }
}

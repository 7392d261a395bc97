import SluiceCore

/// A tape that calls of an encoder use one after another.
package final class EncodableCall {
    private var tape: EncodingTape

    package init(_ options: EncodableOptions) { tape = EncodingTape(options) }

    /// Encodes a value, and lends the JSON to a closure.
    ///
    /// - Parameter depth: The number of brackets around the value, for its indentation and the limit of nesting.
    package func encode<T: Encodable, Result>(
        _ value: T, depth: Int = 0, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try encode(depth, by: { tape in try withUnsafePointer(to: value) { try tape.encodeRoot(at: $0) } }, body)
    }

    /// Encodes a value by a closure, and lends the JSON to a closure.
    package func encode<T, Result>(
        _ value: T, to encode: (any Encoder) throws -> Void, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try self.encode(
            0, by: { tape in try tape.encodeRoot(value) { try encode(TapeEncoder(tape, $0)) } }, body)
    }

    private func encode<Result>(
        _ depth: Int, by encode: (EncodingTape) throws -> Void,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        renewTape()
        let tape = tape
        defer { tape.restart() }
        tape.out.depth = depth
        try encode(tape)
        return try body(tape.out.written)
    }

    /// Appends the JSON of a value to a buffer, whose written bytes are not passed on during the call.
    fileprivate func write<T: Encodable>(at address: UnsafePointer<T>, to out: inout OutputBuffer) throws {
        renewTape()
        try Unmanaged.passUnretained(tape)._withUnsafeGuaranteedRef { tape in
            swap(&tape.out, &out)
            defer {
                swap(&tape.out, &out)
                tape.restart()
            }
            try tape.encodeRoot(at: address)
        }
    }

    /// Replaces the tape if a client keeps an encoder or container of an earlier call.
    private func renewTape() {
        if !isKnownUniquelyReferenced(&tape) { tape = EncodingTape(tape.options) }
    }
}

// MARK: Encoders of models

extension EncodableTypes {
    /// The types of encoders of models. Values that have a plan or shape are written by the plan or shape.
    fileprivate static let models = EncodableTypes { type in
        if let shape = JSONShape.objectDictionary(type) { return .plan(of: type, .passRetained(shape)) }
        // The shape of a dictionary whose keys have no text is that of its conformance to `Encodable`.
        if JSONShape.isArrayOfPairs(type) { return nil }
        return (type as? any JSONConvertible.Type).map { .plan(of: $0) }
    }
}

extension EncodableCall {
    /// Creates the tape of an encoder of models, for values that have no plan.
    ///
    /// - Parameter options: The options of the encoder. Filters apply to plans only, and are left out.
    convenience init(models options: EncodingOptions) {
        var models = JSONModelEncoder()
        models.options = options
        models.options.planOptions = options.planOptions.unfiltered
        self.init(
            models[InnerEncodableOptions.self]?.make(models.options)
                ?? EncodableOptions(
                    types: .models, modelOptions: models.options, depthLimit: options.limits.depth,
                    userInfo: options.userInfo))
    }

    /// Encodes a value, and lends the JSON in the requested form to a closure.
    func withText<T: Encodable, Result>(
        of value: T, depth: Int = 0, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(JSONModelError) -> Result {
        let options = tape.options.modelOptions
        do { return try encode(value, depth: depth) { try options.withFormatted($0, body) } } catch {
            throw JSONModelError(encoding: error)
        }
    }

    // MARK: Values of models

    /// Returns a closure that writes the values of a type.
    static func writing<T>(_ type: T.Type) -> RecordedWriting {
        // An object may be of a subclass.
        if !(type is AnyClass), let encodable = type as? any Encodable.Type { return writing(encodable: encodable) }
        return { value, out, engine, encoding in
            guard let encodable = value.assumingMemoryBound(to: T.self).pointee as? any Encodable else {
                throw JSONModelError.ConversionFailure.invalid("\(T.self) is not Encodable")
            }
            try write(encodable, to: &out, &engine, encoding)
        }
    }

    private static func writing<T: Encodable>(encodable type: T.Type) -> RecordedWriting {
        { value, out, engine, encoding in
            try write(at: value.assumingMemoryBound(to: T.self), to: &out, &engine, encoding)
        }
    }

    private static func write<T: Encodable>(
        _ value: T, to out: inout OutputBuffer, _ engine: inout AnyObject?, _ encoding: () -> EncodingOptions
    ) throws(JSONModelError) {
        var value = value
        try write(at: &value, to: &out, &engine, encoding)
    }

    /// Writes a value to the output of a writer of models, with the options of the writer.
    ///
    /// - Parameter engine: The memory of the writer's earlier values, or nil.
    /// - Throws: ``/SluiceCore/JSONModelError``, whose paths begin at the value.
    private static func write<T: Encodable>(
        at address: UnsafePointer<T>, to out: inout OutputBuffer, _ engine: inout AnyObject?,
        _ encoding: () -> EncodingOptions
    ) throws(JSONModelError) {
        if engine == nil { engine = EncodableCall(models: encoding()) }
        do {
            try Unmanaged.passUnretained(engine.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
                try unsafeDowncast($0, to: EncodableCall.self).write(at: address, to: &out)
            }
        } catch {
            throw JSONModelError(encoding: error)
        }
    }
}

extension JSONModelError {
    /// Creates the error for an error of a value's `encode(to:)`.
    init(encoding error: any Error) {
        if let error = error as? JSONModelError {
            self = error
            return
        }
        var issue = JSONIssue.encoding(.thrown)
        if case EncodingError.invalidValue(_, let context) = error {
            issue = .encoding(.notEncodable(context.debugDescription))
            issue.path = JSONPath(context.codingPath)
        }
        issue.underlying = error
        self.init(issues: [issue])
    }
}

import SluiceCore

/// Decodes `Decodable` values by recording the tokens of the input.
///
/// The tape and the decoders of a small document are kept for the next one.
package final class CodableDecoding: @unchecked Sendable {
    /// A tape and the decoder of its root.
    private struct Workspace: @unchecked Sendable {
        var tape: Tape
        var decoder: TapeDecoder
    }

    private let idle = Lock<Workspace?>(nil)
    /// The decoder of the last recorded value.
    private let idleDecoder = Lock<IdleDecoder?>(nil)
    // Unchecked because a decoder is not `Sendable`. Only the thread that took the decoder uses it.
    private struct IdleDecoder: @unchecked Sendable { var decoder: TapeDecoder }

    fileprivate let options: CodableDecodingOptions
    /// The source of the tokens, and the limits.
    private let reader: JSONModelDecoder
    /// The limits of the input.
    private let limits: JSONLimits
    let form: Form

    package init(_ options: CodableDecodingOptions, reader: JSONModelDecoder, form: Form) {
        self.options = options
        self.form = form
        limits = reader.limits
        var reader = reader
        // The form examines the lengths in JSON5, and the length of an input to which braces are added.
        if form.allowsJSON5 { (reader.limits.string, reader.limits.key, reader.limits.number) = (.max, .max, .max) }
        if form.allowsJSON5 || form.addsBraces { reader.limits.document = .max }
        // JSON that represents JSON5 is valid.
        if form.allowsJSON5 { reader.source = .scanner }
        self.reader = reader
    }

    /// Decodes a value of an input.
    ///
    /// - Throws: `DecodingError`, whose underlying error is a ``/SluiceCore/JSONModelError`` with the location; an error of the client; or
    ///   ``/SluiceCore/JSONModelError`` if the input cannot be read.
    package func decode<T: Decodable>(_ type: T.Type, _ content: JSONInputContent) throws -> T {
        let array = options.types.method(of: type)._withUnsafeGuaranteedRef { $0.array }
        let elements = array?.collector(options)
        return try form.withContent(content, limits, reader.progressHandler) { input in
            // Numbers are marked on the tape of the whole document.
            guard let elements, input.json5?.hasMarkedNumbers != true else {
                return try decodeFormed(input) { try $0.decodeSelf(type) }
            }
            return try decodeFormed(type, input, elements)
        }
    }

    private func decodeFormed<T: Decodable>(
        _ type: T.Type, _ input: FormedInput, _ elements: any TapeElements
    ) throws -> T {
        elements.restart()
        let tape = try recorded(input, elements: elements)
        guard tape.view[Tape.root].kind == .array else {
            return try decode(tape, nil, input) { try $0.decodeSelf(type) }
        }
        if let failure = elements.failure {
            throw located(
                failure.error, at: failure.entry, failure.location, element: failure.element, failure.hint, input)
        }
        return withStackMemory(of: T.self) { target in
            elements.finish(at: target)
            return target.move()
        }
    }

    /// Decodes the value at a path of an input. The rest of the input is not kept, except for that of JSON5.
    ///
    /// - Throws: The errors of `decode(_:_:)`.
    package func decode<T: Decodable>(_ type: T.Type, _ content: JSONInputContent, at path: JSONPath) throws -> T {
        if form.allowsJSON5 {
            if path.selectsSeveral {
                throw Self.decodingError(
                    JSONModelError(.invalidPath("'\(path)' selects several values, and one is decoded")))
            }
            return try form.withContent(content, limits, reader.progressHandler) { input in
                try decodeFormed(input, at: path) { try $0.decodeSelf(type) }
            }
        }
        let decoder = reader.decoding(with: self)
        return try form.withContent(content, limits, reader.progressHandler, isWhole: false) { input in
            do throws(JSONModelError) {
                return try decoder.decodeCodable(type, input.content, at: path)
            } catch {
                throw Self.decodingError(in: error)
            }
        }
    }

    /// Decodes a value of an input with a closure.
    package func decode<R>(_ content: JSONInputContent, _ body: (TapeDecoder) throws -> R) throws -> R {
        try form.withContent(content, limits, reader.progressHandler) { try decodeFormed($0, body) }
    }

    private func decodeFormed<R>(
        _ input: FormedInput, at path: JSONPath = JSONPath(), _ body: (TapeDecoder) throws -> R
    ) throws -> R {
        var idle = idle.withLock { idle in
            let taken = idle
            idle = nil
            return taken
        }
        let tape = try recorded(input, on: idle?.tape)
        let decoder = idle?.decoder
        idle = nil
        return try decode(consume tape, consume decoder, input, at: path, body)
    }

    /// Decodes the value at a path on a tape.
    ///
    /// - Parameter idle: The decoder of an earlier document on the tape.
    private func decode<R>(
        _ recorded: consuming Tape, _ idle: consuming TapeDecoder?, _ input: FormedInput,
        at path: JSONPath = JSONPath(), _ body: (TapeDecoder) throws -> R
    ) throws -> R {
        // The tape has no other reference here: another reference means that a client keeps a decoder.
        var tape = consume recorded
        var decoder = consume idle ?? TapeDecoder(tape, options: options)
        decoder.restart()
        defer {
            let isUnused = TapeDecoder.isUnused(&decoder)
            if !isKnownUniquelyReferenced(&tape) {
                tape.copyTexts()
            } else if isUnused, tape.isSmall {
                let workspace = Workspace(tape: tape, decoder: decoder)
                self.idle.withLock { $0 = workspace }
            }
        }
        var root = Tape.root
        if !path.components.isEmpty {
            guard let entry = tape.view.entry(at: path.components[...], from: root) else {
                throw Self.decodingError(JSONModelError(.pathNotFound(path)))
            }
            root = entry
            decoder.restart(tape.view, owner: .passUnretained(tape), at: root)
        }
        do {
            let result = try body(decoder)
            try decoder.checkStack()
            return result
        } catch {
            let error = decoder.decisive(error)
            let entry = ErrorLocator.entry(of: error, on: tape.view, root: root, options)
            let hint = ErrorLocator.hint(for: error, at: entry, on: tape.view, options)
            throw located(error, at: entry, tape.location(of: entry), element: nil, hint, input, below: path)
        }
    }

    // MARK: Values of models

    /// Returns the decoder of an earlier value, which the caller then uses alone.
    fileprivate func takeDecoder() -> TapeDecoder? { idleDecoder.withLock { $0.take() }?.decoder }

    /// Keeps a decoder that no client uses for another value.
    fileprivate func give(_ decoder: TapeDecoder) {
        let idle = IdleDecoder(decoder: decoder)
        idleDecoder.withLock { $0 = idle }
    }

    /// Returns the failure of a value.
    ///
    /// - Parameter root: The entry of the value.
    fileprivate func failure(of error: any Error, on tape: TapeView, root: Int) -> TokenFailure {
        let entry = ErrorLocator.entry(of: error, on: tape, root: root, options)
        var issue =
            (error as? StackUsedUp)?.issue(reader.limits)
            ?? Self.issue(of: error, keepsThrown: !options.throwsDecodingErrors)
        // A decoder of models drops or collects values that fail, and a hint takes longer than a value.
        if options.throwsDecodingErrors, issue.hint == nil {
            issue.hint = ErrorLocator.hint(for: error, at: entry, on: tape, options)
        }
        return TokenFailure(issue, at: entry)
    }

    // MARK: Recording

    /// Returns a tape with the tokens of an input.
    ///
    /// - Parameters:
    ///   - idle: A tape that can be used again.
    ///   - elements: Receives the elements of an array at the root.
    private func recorded(
        _ input: FormedInput, on idle: Tape? = nil, elements: (any TapeElements)? = nil
    ) throws -> Tape {
        do throws(JSONModelError) { return try record(input, idle, elements) } catch {
            if options.throwsDecodingErrors { throw Self.decodingError(error) }
            throw error
        }
    }

    private func record(
        _ input: FormedInput, _ idle: Tape?, _ elements: (any TapeElements)?
    ) throws(JSONModelError) -> Tape {
        let content = input.content
        let memory = content.textInMemory
        // Most documents have an entry for every eight bytes, or fewer.
        let capacity =
            !content.isText ? 64 : elements == nil ? (memory?.count ?? 0) / 8 + 16 : Tape.elementCapacity
        idle?.restart(input: memory)
        let tape = idle ?? Tape(input: memory, capacity: capacity)
        var recorder = TapeRecorder(
            tape, recordsLocations: content.isText && !content.isRepeatableText, elements: elements)
        try reader.record(content, into: &recorder)
        let recorded = recorder.finish()
        input.json5?.markNumbers(on: recorded)
        return recorded
    }

    // MARK: Errors

    /// Returns an error with the location of an entry. An error of the client's code becomes an issue with that location for a decoder of
    /// models, and stays the same for other decoders.
    ///
    /// - Parameters:
    ///   - location: The location, if the input cannot be read again.
    ///   - hint: The hint of the issue.
    ///   - path: The path of the decoded value.
    private func located(
        _ error: any Error, at entry: Int, _ location: JSONLocation?, element: Int?, _ hint: String?,
        _ input: FormedInput, below path: JSONPath = JSONPath()
    ) -> any Error {
        func locate(_ issue: JSONIssue) -> JSONModelError {
            var issue = issue
            issue.hint = issue.hint ?? hint
            issue.path.components = path.components + issue.path.components
            return self.locate(issue, at: entry, location, element: element, input)
        }
        if let error = error as? StackUsedUp {
            let located = locate(error.issue(reader.limits))
            return options.throwsDecodingErrors ? Self.decodingError(located) : located
        }
        if let decodingError = error as? DecodingError, decodingError.isUnlocated {
            return decodingError.with(underlying: locate(decodingError.issue))
        }
        return options.throwsDecodingErrors ? error : locate(Self.issue(of: error))
    }

    private func locate(
        _ issue: JSONIssue, at entry: Int, _ location: JSONLocation?, element: Int?, _ input: FormedInput
    ) -> JSONModelError {
        var issue = issue
        guard input.content.isRepeatableText else {
            // A value in memory has no locations.
            if let location { issue.location = location } else { issue.location.line = 0 }
            return JSONModelError(issues: [issue])
        }
        let error = reader.locate(issue, at: entry, element: element, input.content)
        guard let json5 = input.json5 else { return error }
        return JSONModelError(issues: error.issues.map { json5.relocated($0) })
    }
}

extension TapeView {
    /// Returns the entry of the value at a path; nil if there is none. The keys of the path are those of the input. Of several values at
    /// the path, the last one counts, as in all paths.
    fileprivate func entry(at path: ArraySlice<JSONPath.Component>, from index: Int) -> Int? {
        guard let component = path.first else { return index }
        let rest = path.dropFirst()
        switch component {
        case .key(let name) where self[index].kind == .object:
            var found: Int?
            var key = index + 1
            let end = self[index].value
            while key < end {
                if bytes(self[key]).elementsEqual(name.utf8),
                    let value = entry(at: rest, from: Self.value(ofKey: key))
                {
                    found = value
                }
                key = nextKey(key)
            }
            return found
        case .index(let position) where self[index].kind == .array:
            guard (0..<Int(self[index].count)).contains(position) else { return nil }
            return entry(at: rest, from: (0..<position).reduce(index + 1) { at, _ in next(at) })
        default: return nil
        }
    }
}

// MARK: Decoders of models

/// Decodes the values of one call of a decoder of models, one after another.
final class ElementDecoding {
    private let engine: CodableDecoding
    /// The decoder of the values; nil before the first one, and after a value whose decoder a client keeps.
    @exclusivity(unchecked) private var decoder: TapeDecoder?

    private init(_ engine: CodableDecoding) {
        self.engine = engine
        decoder = engine.takeDecoder()
    }

    deinit { if let decoder { engine.give(decoder) } }

    /// Decodes a value from its tokens. Returns the failure; nil if the value was decoded.
    ///
    /// - Parameter memory: The object of the call, or nil for its first value.
    @inline(__always)
    static func decode<T: Decodable>(
        _ type: T.Type, _ recorded: RecordedEntry, to target: UnsafeMutablePointer<T>, _ memory: inout AnyObject?,
        _ options: () -> DecodingOptions.Shared
    ) -> TokenFailure? {
        if memory == nil { memory = ElementDecoding(.engine(options())) }
        return Unmanaged.passUnretained(memory.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: ElementDecoding.self).decode(type, recorded, to: target)
        }
    }

    private func decode<T: Decodable>(
        _ type: T.Type, _ recorded: RecordedEntry, to target: UnsafeMutablePointer<T>
    ) -> TokenFailure? {
        if decoder == nil {
            decoder = TapeDecoder(
                recorded.tape, owner: recorded.owner, at: recorded.index, options: engine.options)
        }
        defer { if !TapeDecoder.isUnused(&decoder!) { decoder = nil } }
        return Unmanaged.passUnretained(decoder.unsafelyUnwrapped)._withUnsafeGuaranteedRef { decoder in
            decoder.restart(recorded.tape, owner: recorded.owner, at: recorded.index)
            do {
                target.initialize(to: try decoder.decodeSelf(type))
                guard decoder.hasUsedUpStack else { return nil }
                target.deinitialize(count: 1)
                try decoder.checkStack()
                return nil
            } catch {
                return engine.failure(of: decoder.decisive(error), on: recorded.tape, root: recorded.index)
            }
        }
    }
}

extension CodableDecoding {
    /// Types with a shape are decoded by their shape, except for scalars and containers of the standard library. Of
    /// these, the dictionaries with a shape are those that would be arrays.
    private static let types = DecodableTypes { type in
        if let shape = JSONShape.objectDictionary(type) { return rule(of: type, shape) }
        if type is any TapeDecodable.Type { return nil }
        return (type as? any (JSONConvertible & Decodable).Type).map { rule(of: $0, JSONShape.of($0)) }
    }

    private static func rule<T: Decodable>(of type: T.Type, _ shape: JSONShape) -> DecodableTypes.Rule {
        // Types are examined once, so that few shapes are never released.
        let shape = Unmanaged.passRetained(shape)
        return DecodableTypes.Rule { try $0.decode(T.self, by: shape) }
    }

    /// Creates the engine for a decoder of models, whose input is strict.
    convenience init(_ decoder: JSONModelDecoder) {
        let models = decoder.unfiltered
        self.init(
            decoder[InnerDecodingOptions.self]?.make(models)
                ?? CodableDecodingOptions(
                    userInfo: models.userInfo, types: Self.types, models: models, throwsDecodingErrors: false),
            reader: decoder, form: Form(mayHaveTrailingCommas: false))
    }

    /// Returns the engine of a decoder of models with some options: the one in the options, or a new one for the options.
    static func engine(_ options: DecodingOptions.Shared) -> CodableDecoding {
        let engine = options.engine {
            var decoder = JSONModelDecoder()
            // Options of its own, because those of the context own the engine.
            decoder.options = options.value
            // The values are recorded JSON, which each source has checked. The scanner is the fastest.
            decoder.source = .scanner
            return DecodingEngine(decoder[CodableDecoding.self] ?? CodableDecoding(decoder))
        }
        return unsafeDowncast(engine.object, to: CodableDecoding.self)
    }
}

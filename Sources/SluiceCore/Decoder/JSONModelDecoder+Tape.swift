// The tapes of values that another module decodes. The functions are not generic, so that the sources are specialized here.

extension JSONInputContent {
    /// The text in memory; nil for other contents.
    package var textInMemory: UnsafeBufferPointer<UInt8>? {
        if case .text(let input) = form { input.memory } else { nil }
    }

    /// Whether the content is a text.
    package var isText: Bool { if case .text = form { true } else { false } }

    /// Whether the content is a text that can be read again.
    package var isRepeatableText: Bool { if case .text(let input) = form { input.isRepeatable } else { false } }

    /// Returns the bytes of a text; nil for other contents.
    package func wholeText(
        _ limits: JSONLimits, _ progressHandler: ((JSONProgress) -> Void)?
    ) throws(JSONModelError) -> [UInt8]? {
        guard case .text(let input) = form else { return nil }
        return try input.withWhole(limits, progressHandler) { Array($0) }
    }
}

extension JSONModelDecoder {
    /// Sends the tokens of an input to the recorder of a tape.
    package func record(
        _ content: JSONInputContent, into recorder: inout TapeRecorder
    ) throws(JSONModelError) {
        switch content.form {
        case .tree(let tree):
            try tree.run(to: &recorder, self)
            if recorder.hasOverlongText {
                throw JSONModelError(issues: [
                    .encoding(.limitExceeded(.string, limit: JSONLimits.maximumTokenLength))
                ])
            }
        case .text(let input) where source == .scanner:
            var source = ScannerSource(limits: limits)
            try source.read(input, to: &recorder, limits, progressHandler)
        case .text(let input):
            var sink = AnySink(recorder)
            defer { if let filled = sink.sink as? TapeRecorder { recorder = filled } }
            try send(input, to: &sink)
        }
    }

    /// Reads a text again, and returns an issue with the location of an entry of its tape.
    ///
    /// - Parameter element: The position of the element in the array at the root; nil if the tape had the whole document.
    package func locate(
        _ issue: JSONIssue, at entry: Int, element: Int?, _ content: JSONInputContent
    ) -> JSONModelError {
        do throws(JSONModelError) {
            guard case .text(let input) = content.form else { return JSONModelError(issues: [issue]) }
            var sink = AnySink(TapeEntryFinder(entry, element: element, issue: issue))
            // The progress has reached the end of the input.
            var reader = self
            reader.progressHandler = nil
            try reader.send(input, to: &sink)
            return JSONModelError(issues: [issue])
        } catch {
            return error
        }
    }

    /// Sends the tokens of a text to a sink.
    func send(_ input: ByteInput, to sink: inout AnySink) throws(JSONModelError) {
        switch source {
        #if YAJL
        case .yajl:
            var source = try YajlSource(for: AnySink.self, limits: limits)
            try source.read(input, to: &sink, limits, progressHandler)
        #endif
        case .scanner:
            var source = ScannerSource(limits: limits)
            try source.read(input, to: &sink, limits, progressHandler)
        }
    }

    /// Decodes the value of a tape's entry by a shape, which is never released, into uninitialized memory. An infinity or NaN is an
    /// error, because shapes describe JSON.
    ///
    /// - Parameter owner: The owner of the tape.
    package func decode(
        _ shape: Unmanaged<JSONShape>, from tape: TapeView, owner: AnyObject, at index: Int,
        to memory: UnsafeMutableRawPointer
    ) throws(JSONModelError) {
        if let entry = tape.firstNonFinite(in: index) {
            let reason = "\(tape.nonFinite(entry)) is not a JSON number"
            var issue = JSONIssue(
                kind: .invalidValue(expected: "a number", reason: reason), path: tape.path(of: entry, in: index))
            issue.location.line = 0
            throw JSONModelError(issues: [issue])
        }
        try withRoot(shape, JSONPath()) { layout, _ throws(JSONModelError) in
            var driver = Driver(
                slot: ValueSlot(address: memory, layout: layout), table: nil,
                options: .passUnretained(sharedOptions), emit: nil)
            // The tape is no window, and its entries may have more than their tokens.
            driver.session.looksAhead = false
            let value = Recording(RecordingStorage(tape, owner: owner), at: index)
            _ = try Replayer.run(value, to: &driver, limits: limits)
        }
    }
}

/// Makes a value from recorded tokens in uninitialized memory. Returns the failure; nil if the value was made. The object keeps memory for
/// the next value of the same driver.
package typealias RecordedDecoding = (
    RecordedEntry, UnsafeMutableRawPointer, inout AnyObject?, () -> DecodingOptions.Shared
) -> TokenFailure?

/// Writes a value. The object keeps memory for the next value of the same writer.
package typealias RecordedWriting = (
    UnsafeRawPointer, inout OutputBuffer, inout AnyObject?, () -> EncodingOptions
) throws -> Void

/// Makes values from recorded tokens by a closure of another module.
private final class RecordedConversion: TokenConversion {
    private let decode: RecordedDecoding

    init(_ decode: @escaping RecordedDecoding) { self.decode = decode }

    override func convert(
        _ tokens: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ engine: inout AnyObject?,
        _ context: () -> any DecodingContext
    ) -> TokenFailure? {
        decode(tokens.assumingMemoryBound(to: RecordedEntry.self).pointee, target, &engine) {
            JSONModelDecoder.sharedOptions(context())
        }
    }
}

extension JSONShape {
    /// The shape of recorded tokens, from which a value is made.
    static let recording = JSONShape(Recording.self, kind: .recording)

    /// Returns the shape of values that a closure makes from recorded tokens, and another closure writes.
    ///
    /// - Parameters:
    ///   - decode: Makes the value.
    ///   - write: Writes a value.
    package static func recorded<T>(
        _ type: T.Type,
        decode: @escaping RecordedDecoding,
        write: @escaping RecordedWriting
    ) -> JSONShape {
        let conversion = ConversionWitness(
            inner: recording, buffersValue: true, nullValues: nil,
            convert: { _, _, _, _ in preconditionFailure("The value is made from its tokens.") },
            ofTokens: RecordedConversion(decode),
            write: { value, out, engine, context in
                do {
                    try write(value, &out, &engine) {
                        guard let options = context() as? EncodingOptions else {
                            preconditionFailure("Only a writer writes values of models.")
                        }
                        return options
                    }
                } catch let error as JSONModelError {
                    throw PartFailure(error)
                }
            }, makeEncodedForm: { _, _ in preconditionFailure("The value is written directly.") })
        return JSONShape(type, .conversion(conversion), expectation: conversion.inner.expectation)
    }

    /// Returns the shape of the storage through which a model is filled, with the fields of the model's plan.
    package static func storage<Model: JSONModel, Storage, T>(
        _ storage: Storage.Type, of model: Model.Type, in type: T.Type
    ) -> JSONShape {
        let plan = Model._erasedPlan.ofStorage(storage, as: type)
        return JSONShape(type, .model(ModelWitness(type, plan: { plan })))
    }
}

extension String {
    /// Creates a string from its JSON, with quotes. Returns nil if the JSON is not a string.
    package init?(written json: UnsafeBufferPointer<UInt8>) {
        guard let string = Recording(written: json).string else { return nil }
        self = string
    }
}

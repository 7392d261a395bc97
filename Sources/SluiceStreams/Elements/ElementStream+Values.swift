// From the text to the elements: the framer divides the text, and the decoder receives each value.

import SluiceCore

extension ElementStream {
    /// Decodes the next text.
    func decode(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var rest = text
        framer.add(text)
        reporter.positions?.sample.begin(text)
        defer {
            reporter.positions?.sample.end()
            reportProgress()
        }
        while !isStopped, !rest.isEmpty {
            if framer.isDocument { return try decodeDocument(rest) }
            guard let piece = framer.next(in: &rest) else { return }
            try decode(piece, in: text, before: rest)
        }
    }

    /// Ends the text.
    func finishText() throws(JSONModelError) {
        let before = reporter.elementCount
        defer {
            reporter.stop()
            if reporter.elementCount > before { reportProgress() }
        }
        guard framer.isDocument else {
            if let piece = try framer.finish() { try decode(piece) }
            return
        }
        if framer.readsRange { return try finishRange() }
        if let start = framer.takeDocumentStart() { try attempt { e throws(JSONModelError) in try e.begin(start) } }
        try finishValue(after: framer.documentOrigin)
    }

    // MARK: Values

    /// - Parameters:
    ///   - text: The text that has the piece; nil if the text has ended.
    ///   - rest: The text after the piece.
    private func decode(
        _ piece: ValuePiece, in text: UnsafeBufferPointer<UInt8>? = nil,
        before rest: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0)
    ) throws(JSONModelError) {
        let origin = framer.valueStart
        reporter.positions?.advance(over: piece, from: origin)
        switch piece {
        case .part(let bytes, let isLast):
            if isLast, elements.isBetweenValues {
                var margins = TextMargins.none
                if let start = text?.baseAddress, let first = bytes.baseAddress { margins.before = first - start }
                if rest.first == UInt8(ascii: "\n") { margins.after = rest.count }
                return try decodeValue(bytes, margins: margins, after: origin)
            }
            try attempt { elements throws(JSONModelError) in try elements.feed(bytes, after: origin) }
            if isLast { try finishValue(after: origin) }
        case .text(let bytes, let isLast):
            try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in
                try attempt { elements throws(JSONModelError) in try elements.feed(bytes, after: origin) }
            }
            if isLast { try finishValue(after: origin) }
        case .stray:
            try fail(JSONModelError(.syntax(framer.strayMessage), at: elements.missing, after: origin))
        case .cut: try attempt { elements throws(JSONModelError) in try elements.finishCut(after: origin) }
        }
    }

    /// Decodes a value that is in one chunk.
    private func decodeValue(
        _ bytes: UnsafeBufferPointer<UInt8>, margins: TextMargins, after origin: LineCount
    ) throws(JSONModelError) {
        let outcome: ParseOutcome
        do { outcome = try elements.decode(bytes, margins: margins, after: origin) } catch {
            return try fail(error)
        }
        try elements.complete(outcome, after: origin)
        try checkResumption()
    }

    func finishValue(after origin: LineCount) throws(JSONModelError) {
        let outcome: ParseOutcome?
        do { outcome = try elements.finish(after: origin) } catch { return try fail(error) }
        if let outcome { try elements.complete(outcome, after: origin) }
        try checkResumption()
    }

    /// Throws an error if the value that has ended is the first after a checkpoint, and lacks elements before the checkpoint.
    private func checkResumption() throws(JSONModelError) {
        if let error = reporter.lackingElements, !isStopped { throw reporter.stopped(by: error) }
    }

    /// Decodes a part of a value. An error skips the value, or ends the stream.
    func attempt(_ body: (ElementDecoder) throws(JSONModelError) -> Void) throws(JSONModelError) {
        do { try body(elements) } catch { try fail(error) }
    }

    /// Skips the current value, or ends the stream with an error.
    func fail(_ error: JSONModelError) throws(JSONModelError) {
        var error = arrayEndError ?? error
        framer.adviseOnTrailingContent(&error)
        if framer.isDocument, !isValue { elements.advise(&error) }
        elements.close()
        if reporter.skipsElements, !framer.isDocument, reporter.rejectedIndex == nil {
            try checkResumption()
            return reporter.skipValue(error)
        }
        throw reporter.stopped(by: error)
    }

    // MARK: Documents

    /// The outcome of decoding a chunk without the steps that most chunks do not need.
    enum DirectOutcome {
        case decoded
        case failed(JSONModelError)
        /// The chunk was not decoded.
        case notDirect
    }

    /// Decodes the next chunk of a document, if the chunk needs no other steps.
    @inline(__always)
    func decodeDirectly(_ text: UnsafeBufferPointer<UInt8>) -> DirectOutcome {
        guard let document = elements.directDocument, !text.isEmpty, !isStopped else { return .notDirect }
        framer.add(text)
        // Not retained: the document stays open during the call.
        let result = document._withUnsafeGuaranteedRef { document in
            Result { () throws(JSONModelError) in try document.feed(text) }
        }
        if case .success(false) = result { return .decoded }
        return endDirectly(result, text)
    }

    /// Handles the end of a document, or its error.
    @inline(never)
    private func endDirectly(
        _ result: Result<Bool, JSONModelError>, _ text: UnsafeBufferPointer<UInt8>
    ) -> DirectOutcome {
        elements.directDocument = nil
        do throws(JSONModelError) {
            if case .failure(let error) = result {
                let end = framer.byteCount
                try attempt { elements throws(JSONModelError) in
                    try elements.fail(error, in: text, endingAt: end)
                }
            }
            try endPart(text)
        } catch { return .failed(error) }
        return .decoded
    }

    /// Determines whether the next chunk needs other steps than to be decoded.
    func findDirectDocument() {
        let needsSteps =
            isStopped || !framer.isDocument || framer.extent != .whole || framer.awaitsDocument || framer.isIgnoring
            || framer.readsRange
            || !reader.isPlain || hasDistributor || !reporter.isSilent || arrayEndError != nil
        if !needsSteps { elements.findDirectDocument() }
    }

    /// Decodes a document that is in memory.
    func decodeBuffered(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        reader.length = text.count
        framer.add(text)
        reporter.positions?.sample.begin(text)
        defer {
            reporter.stop()
            reporter.positions?.sample.end()
            reportProgress()
        }
        var document = text
        if framer.isArray(&document) == false {
            // The only element is passed on before the bytes after it.
            try decodeDocument(document)
            return isStopped ? () : try finishText()
        }
        try decodeValue(text, margins: .none, after: LineCount())
    }

    /// Decodes the next text of a document.
    private func decodeDocument(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var text = text
        guard let end = framer.removeSurroundings(from: &text) else { return }
        if framer.awaitsDocument {
            guard let isArray = framer.isArray(&text) else { return }
            if !isArray { elements.makeOnlyElement() }
            if let start = framer.takeDocumentStart() {
                try attempt { elements throws(JSONModelError) in try elements.begin(start) }
            }
        }
        let (bytes, origin) = (text, framer.documentOrigin)
        try attempt { elements throws(JSONModelError) in
            try elements.feed(bytes, after: origin, endingAt: end)
        }
        try endPart(text)
    }

    /// Handles the end of a part of a document: an error, the only element, or the end of the document.
    private func endPart(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        if elements.hasOpenError { return }
        if let arrayEndError, !isStopped {
            reporter.stop()
            throw arrayEndError
        }
        try elements.passOnlyElement(text)
        if elements.isSourceStopped, !isStopped {
            defer { reporter.stop() }
            try finishValue(after: framer.documentOrigin)
        }
    }
}

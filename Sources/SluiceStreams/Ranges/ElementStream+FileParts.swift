// The parts of a file from which a stream continues: the rest after a checkpoint, and ranges.

import SluiceCore

extension ElementStream {
    /// Begins a part of a file.
    func begin(_ part: FilePart, of file: FileReader) throws(JSONModelError) {
        switch part {
        case .whole: break
        case .rest(let checkpoint): try resume(at: checkpoint, in: file)
        case .range(let range, let isLocated): try begin(range, isLocated: isLocated, in: file)
        }
    }

    /// Continues after the text of a sample, which positions and excerpts need.
    private func continueText(after sample: TextSample) {
        reporter.positions?.sample = sample
        elements.setContext(sample.tail)
    }

    // MARK: Checkpoints

    /// Continues after the elements before a checkpoint.
    ///
    /// - Parameter file: The file, which is read from the checkpoint on. A compressed file is read from its start.
    private func resume(at checkpoint: JSONCheckpoint, in file: FileReader) throws(JSONModelError) {
        reporter.resume(
            after: checkpoint.elements, leading: checkpoint.leading,
            orThrow: checkpoint.lackingElements(in: file.name))
        if checkpoint.leading > 0, let handler = decoder.issueHandler {
            // The issues of the elements that are read again were reported before.
            let readsAgain = SharedFlag()
            readsAgain.isSet = true
            reporter.readsAgain = readsAgain
            elements.setIssueHandler { if !readsAgain.isSet { handler($0) } }
        }
        framer.resume(at: checkpoint.offset)
        if framer.isDocument {
            if let error = reporter.lackingElements { throw error }
            if framer.takeDocumentStart() != nil, checkpoint.path.components.isEmpty {
                elements.makeOnlyElement(isPassed: true)
            }
            try elements.resume(at: checkpoint)
        } else if checkpoint.leading > 0, !framer.framing.rules.continuesInValues {
            throw JSONModelError(.invalidPath("a stream in this framing cannot continue inside of a value"))
        } else if checkpoint.offset > 0 {
            framer.begin(at: checkpoint.lines)
        }
        if file.isCompressed {
            if checkpoint.offset > 0 { framer.ignore(TextBeforeCheckpoint(checkpoint, of: file.name)) }
            return
        }
        try checkpoint.check(file)
        if checkpoint.offset > 0 { reader.readPlain() }
        continueText(after: file.sample)
    }

    /// Removes text before the checkpoint. An error ends the stream.
    func ignore(_ text: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        do throws(JSONModelError) {
            if let sample = try framer.removeIgnored(from: &text) { continueText(after: sample) }
        } catch {
            reporter.stop()
            throw error
        }
    }

    // MARK: Ranges

    /// Begins at the start of a range.
    ///
    /// - Parameter isLocated: Whether the index and the location of the range are those of the whole file.
    private func begin(
        _ range: JSONFileRange, isLocated: Bool, in file: FileReader
    ) throws(JSONModelError) {
        if framer.isDocument, !elements.hasOneArray || elements.hasEnvelope {
            throw JSONModelError(
                .invalidRange(
                    "the elements at '\(elements.missing)' are not those of one array, or have an envelope"))
        }
        var text = try RangeText(range, framer.framing, in: file)
        var origin: RangeOrigin?
        if !isLocated, !text.bytes.isEmpty {
            let unread = RangeOrigin(of: text, in: file.name, framer.framing, at: elements.missing, decoder)
            if reporter.positions != nil || !framer.framing.rules.hasVisibleBorders {
                let preceding = try unread.preceding()
                (text.origin, text.index) = (preceding.lines, preceding.elements)
            } else {
                origin = unread
                if let handler = decoder.issueHandler { elements.setIssueHandler { handler(unread.located($0)) } }
            }
        }
        framer.begin(text, of: file.name)
        reporter.beginRange(atElement: text.index, origin: origin)
        reader.length = text.bytes.count
        if text.bytes.isEmpty { return reporter.stop() }
        try file.restrict(to: text.bytes)
        reader.readPlain()
        if framer.isDocument {
            try beginElements(text)
        } else if text.bytes.lowerBound > 0 {
            framer.begin(at: text.origin)
        }
        continueText(after: file.sample)
    }

    /// Opens the array whose elements a range has.
    private func beginElements(_ text: RangeText) throws(JSONModelError) {
        if text.beginsArray, text.index != 0 {
            throw framer.rangeError("element \(text.index) does not begin there")
        }
        var path = elements.missing
        path.components[path.components.count - 1] = .index(text.beginsArray ? 0 : text.index - 1)
        _ = framer.takeDocumentStart()
        let checkpoint = JSONCheckpoint(after: path, lines: text.origin)
        try elements.resume(at: checkpoint, isAfterElement: !text.beginsArray)
    }

    /// Ends the text of a range of a document, which must end after an element.
    func finishRange() throws(JSONModelError) {
        // A number ends before the next byte.
        try [UInt8(ascii: " ")].withUnsafeBufferPointer { space throws(JSONModelError) in
            try attempt { elements throws(JSONModelError) in
                try elements.throwOpenError()
                try elements.feed(space, after: LineCount())
                // No further bytes belong to the hint or the excerpt.
                try elements.throwOpenError()
            }
        }
        if isStopped { return }
        let (isComplete, issues) = (elements.isBetweenElements, elements.collectedIssues)
        elements.close()
        if !isComplete { throw framer.rangeError("the range ends inside of an element") }
        if !reporter.skipsElements, !issues.isEmpty { throw reporter.stopped(by: JSONModelError(issues: issues)) }
    }

    /// The error of a range of a document in which the array of the elements ends.
    var arrayEndError: JSONModelError? {
        guard framer.readsRange, framer.isDocument, elements.isOpen, elements.elementIndex == nil else {
            return nil
        }
        return framer.rangeError("the array of the elements ends in the range")
    }
}

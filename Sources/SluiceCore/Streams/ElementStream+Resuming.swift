// Streams that continue from a checkpoint.

/// The text before a checkpoint, which is skipped in a compressed file.
struct SkippedText {
    let checkpoint: JSONCheckpoint
    let file: String
    var sample = TextSample()
    /// The number of bytes that follow before the checkpoint.
    var count: Int

    /// The error of a text that ends before the checkpoint.
    var shortError: JSONModelError {
        checkpoint.mismatch(file, "the text ends after \(checkpoint.offset - count) of \(checkpoint.offset) bytes")
    }
}

extension JSONCheckpoint {
    /// Returns the error of a file that is not that of the checkpoint.
    func mismatch(_ file: String, _ reason: String) -> JSONModelError {
        JSONModelError(.checkpointMismatch("\(file) is not the file of the checkpoint, or has changed: \(reason)"))
    }

    /// Checks that a text has the bytes before the checkpoint.
    fileprivate func check(_ sample: TextSample, of file: String) throws(JSONModelError) {
        if let digest, sample.digest(before: offset) != digest {
            throw mismatch(file, "other bytes are before byte \(offset)")
        }
    }
}

extension ElementStream {
    /// Continues after the elements before a checkpoint. Called before the first chunk. An error ends the stream.
    ///
    /// - Parameter file: The file, which is read from the checkpoint on, or from its start if it is compressed.
    func resume(at checkpoint: JSONCheckpoint, in file: FileReader) throws(JSONModelError) {
        do throws(JSONModelError) { try begin(at: checkpoint, in: file) } catch {
            isStopped = true
            throw error
        }
    }

    private func begin(at checkpoint: JSONCheckpoint, in file: FileReader) throws(JSONModelError) {
        (firstIndex, leadingElements) = (checkpoint.elements, checkpoint.leading)
        byteCount = checkpoint.offset
        if splitter == nil {
            try resumeDocument(at: checkpoint)
        } else if leadingElements > 0, !framing.continuesInValues {
            throw JSONModelError(.invalidPath("a stream in this framing cannot continue inside of a value"))
        } else if checkpoint.offset > 0 {
            begin(at: checkpoint.lines)
        }
        if file.isCompressed {
            if checkpoint.offset > 0 {
                skippedText = SkippedText(checkpoint: checkpoint, file: file.name, count: checkpoint.offset)
            }
            return
        }
        if let length = file.length, length < checkpoint.offset {
            throw checkpoint.mismatch(file.name, "the file has \(length) of \(checkpoint.offset) bytes")
        }
        try checkpoint.check(file.sample, of: file.name)
        positions?.sample = file.sample
    }

    /// Removes text before the checkpoint.
    func skip(_ text: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        guard var skipped = skippedText else { return }
        let bytes = UnsafeBufferPointer(rebasing: text.prefix(skipped.count))
        text = UnsafeBufferPointer(rebasing: text.dropFirst(bytes.count))
        skipped.sample.add(bytes)
        skipped.count -= bytes.count
        skippedText = skipped.count > 0 ? skipped : nil
        guard skipped.count == 0 else { return }
        do throws(JSONModelError) { try skipped.checkpoint.check(skipped.sample, of: skipped.file) } catch {
            isStopped = true
            throw error
        }
        positions?.sample = skipped.sample
    }

    /// Opens the containers on the path of a checkpoint, by JSON that takes the place of the document before the checkpoint.
    private func resumeDocument(at checkpoint: JSONCheckpoint) throws(JSONModelError) {
        firstBytes = nil
        let steps = checkpoint.path.components
        let pattern = missing.components
        guard envelope == nil, steps.count == pattern.count, zip(pattern, steps).allSatisfy({ $0.selects($1) })
        else {
            throw JSONModelError(
                .invalidPath("the checkpoint at '\(checkpoint.path)' is not that of a stream at '\(missing)'"))
        }
        let openings = steps.map(\.opening)
        let ignored = Array("\"\"  ".utf8)
        var origin = checkpoint.lines
        origin.offset -= openings.reduce(ignored.count) { $0 + $1.count }
        let document = try openDocument(after: origin)
        for (step, opening) in zip(steps, openings) {
            try opening.withUnsafeBufferPointer { bytes throws(JSONModelError) in try document.feed(bytes) }
            if case .index(let index) = step { document.withDriver { $0.move(toIndex: index) } }
        }
        document.withDriver { $0.ignoreNext() }
        try ignored.withUnsafeBufferPointer { bytes throws(JSONModelError) in try document.feed(bytes) }
    }
}

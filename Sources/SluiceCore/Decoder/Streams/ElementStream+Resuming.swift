// Streams that continue from a checkpoint.
extension ElementStream {
    /// Continues after the elements before a checkpoint. Called before the first chunk.
    ///
    /// - Parameter file: The file, which is read from the checkpoint on, or from its start if it is compressed.
    func resume(at checkpoint: JSONCheckpoint, in file: FileReader) throws(JSONModelError) {
        skippedText = file.skippedText
        (firstIndex, leadingElements) = (checkpoint.elements, checkpoint.leading)
        byteCount = checkpoint.offset
        if splitter == nil { return try resumeDocument(at: checkpoint) }
        guard leadingElements == 0 || framing.continuesInValues else {
            throw JSONModelError(.invalidPath("a stream in this framing cannot continue inside of a value"))
        }
        splitter = framing.splitter(at: checkpoint.lines)
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

// Chunks that may be compressed, and the text that they contain.
extension ElementStream {
    /// Consumes a part of a chunk: the chunk, or of a compressed chunk, as much as expands to one window.
    ///
    /// - Parameter chunk: The chunk. The consumed bytes are removed.
    /// - Returns: Whether more text may follow in the chunk. Text of chunks before may follow in an empty chunk.
    func advance(_ chunk: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Bool {
        if isStopped { return false }
        let text: UnsafeBufferPointer<UInt8>?
        do { text = try decompression.text(from: &chunk, openLength: openLength) } catch {
            try interrupt(by: error)
            return false
        }
        guard var text else { return false }
        if skippedText != nil {
            try skip(&text)
            if skippedText != nil {
                reportProgress()
                return !chunk.isEmpty || decompression.hasMore
            }
        }
        try push(text)
        return !isStopped && (!chunk.isEmpty || decompression.hasMore)
    }

    /// Consumes a chunk.
    func take(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var rest = chunk
        while try advance(&rest) {}
    }

    /// Ends the input, all chunks of which were consumed.
    func end() throws(JSONModelError) {
        if !isStopped {
            let text: UnsafeBufferPointer<UInt8>?
            do { text = try decompression.finish() } catch { return try interrupt(by: error) }
            if let skippedText {
                isStopped = true
                throw skippedText.shortError
            }
            if let text { try push(text) }
        }
        try finish()
    }
}

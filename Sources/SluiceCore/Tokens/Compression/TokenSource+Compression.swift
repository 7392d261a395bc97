// The text that follows an error is not decompressed for its excerpt, which ends with the byte at fault.
extension TokenSource where Self: ~Copyable {
    /// Consumes memory whose first byte is that of a compressed input.
    mutating func takeCompressed(
        _ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits
    ) throws(JSONModelError) {
        if JSONCompression.detect(bytes) == .plain { return try run(bytes) }
        let decompression = Decompression(limits)
        do {
            try feed(bytes, through: decompression)
            try finish(decompression)
        } catch { throw rejection?.shortError ?? error }
    }

    /// Consumes the text of the next chunk of the input.
    mutating func feed(
        _ chunk: UnsafeBufferPointer<UInt8>, through decompression: Decompression
    ) throws(JSONModelError) {
        var rest = chunk
        while !isStopped, let text = try decompression.text(from: &rest, openLength: openLength) { try feed(text) }
    }

    /// Ends the input.
    mutating func finish(_ decompression: Decompression) throws(JSONModelError) {
        if !isStopped, let text = try decompression.finish() { try feed(text) }
        try finish()
    }
}

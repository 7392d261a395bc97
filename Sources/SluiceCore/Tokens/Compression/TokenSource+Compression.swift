// The text that follows an error is not decompressed for its excerpt, which ends with the byte at fault.
extension TokenSource where Self: ~Copyable {
    /// Consumes memory whose first byte is that of a compressed input.
    mutating func takeCompressed(
        _ bytes: UnsafeBufferPointer<UInt8>, to sink: inout some TokenSink & ~Copyable, _ limits: JSONLimits
    ) throws(JSONModelError) {
        if JSONCompression.detect(bytes) == .plain { return try run(bytes, to: &sink) }
        let decompression = Decompression(limits)
        do {
            try feed(bytes, through: decompression, to: &sink)
            try finish(decompression, &sink)
        } catch { throw rejection?.shortError ?? error }
    }

    /// Consumes the text of the next chunk of the input.
    mutating func feed(
        _ chunk: UnsafeBufferPointer<UInt8>, through decompression: Decompression,
        to sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) {
        var rest = chunk
        while !isStopped, let text = try decompression.text(from: &rest, openLength: openLength) {
            try feed(text, to: &sink)
        }
    }

    /// Ends the input.
    mutating func finish(
        _ decompression: Decompression, _ sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) {
        if !isStopped, let text = try decompression.finish() { try feed(text, to: &sink) }
        try finish(&sink)
    }
}

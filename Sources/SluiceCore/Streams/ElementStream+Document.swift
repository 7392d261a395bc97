// Documents, which have one value and no splitter.
extension ElementStream {
    /// Feeds the next bytes of a document.
    func feedDocument(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        if !selectsSeveral { positions?.advance(over: .part(bytes, isLast: false), from: LineCount()) }
        guard firstBytes != nil else {
            try feed(bytes, after: LineCount())
            try passDocument()
            // Issues outside of the elements, and the end of the requested values, stop the source.
            if document?.isStopped == true, !isStopped {
                defer { isStopped = true }
                try finishValue(after: LineCount())
            }
            return
        }
        // Appended in place, and examined once: the white space may arrive byte by byte.
        firstBytes?.append(contentsOf: bytes)
        let isFirst = { (byte: UInt8) in !byte.isBlank && !Encoding.byteOrderMark.contains(byte) }
        guard let byte = bytes.first(where: isFirst), let first = firstBytes.take() else { return }
        if byte != UInt8(ascii: "[") { (root, selectsSeveral) = (nil, false) }
        try first.withUnsafeBufferPointer { bytes throws(JSONModelError) in try feedDocument(bytes) }
    }

    /// Passes a document that is the only element, at its closing token.
    private func passDocument() throws(JSONModelError) {
        guard !selectsSeveral, lastElement == nil, let document, document.hasResult else { return }
        lastElement = document.snapshot(partialOptions)
        _ = document.takeResult()
        try complete(ParseOutcome(isPresent: true, issues: []), after: LineCount())
    }
}

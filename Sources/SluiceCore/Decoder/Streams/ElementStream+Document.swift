// Documents, which have one value and no splitter.
extension ElementStream {
    /// Feeds the next bytes of a document.
    func feedDocument(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        if !selectsSeveral { positions?.advance(over: .part(bytes, isLast: false), from: LineCount()) }
        guard let before = firstBytes else {
            try feed(bytes, after: LineCount())
            try passDocument()
            // Issues outside of the elements, and the end of the requested values, stop the source.
            if document?.isStopped == true, !isStopped {
                defer { isStopped = true }
                try finishValue(after: LineCount())
            }
            return
        }
        let first = before + bytes
        guard let byte = first.first(where: { !$0.isBlank && !Encoding.byteOrderMark.contains($0) }) else {
            firstBytes = first
            return
        }
        firstBytes = nil
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

import SluiceCore

/// The text of a compressed file before a checkpoint, which is read and ignored.
struct TextBeforeCheckpoint {
    private let checkpoint: JSONCheckpoint
    private let file: String
    private var sample = TextSample()
    /// The number of bytes that follow before the checkpoint.
    private var count: Int

    init(_ checkpoint: JSONCheckpoint, of file: String) {
        (self.checkpoint, self.file, count) = (checkpoint, file, checkpoint.offset)
    }

    /// Removes text before the checkpoint.
    ///
    /// - Returns: The sample of the whole text before the checkpoint; nil if a part of the text follows.
    /// - Throws: An error if the text is not that of the checkpoint.
    mutating func remove(from text: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> TextSample? {
        let bytes = UnsafeBufferPointer(rebasing: text.prefix(count))
        text = UnsafeBufferPointer(rebasing: text.dropFirst(bytes.count))
        sample.add(bytes)
        count -= bytes.count
        guard count == 0 else { return nil }
        try checkpoint.check(sample, of: file)
        return sample
    }

    /// The error of a text that ends before the checkpoint.
    var shortError: JSONModelError {
        checkpoint.mismatch(file, "the text ends after \(checkpoint.offset - count) of \(checkpoint.offset) bytes")
    }
}

extension JSONCheckpoint {
    /// Checks the file that is read from the checkpoint on.
    ///
    /// - Throws: An error if the file is not that of the checkpoint, or has changed.
    func check(_ file: FileReader) throws(JSONModelError) {
        if let length = file.length, length < offset {
            throw mismatch(file.name, "the file has \(length) of \(offset) bytes")
        }
        try check(file.sample, of: file.name)
    }

    /// Checks that a text has the bytes before the checkpoint.
    fileprivate func check(_ sample: TextSample, of file: String) throws(JSONModelError) {
        if let digest, sample.digest(before: offset) != digest {
            throw mismatch(file, "other bytes are before byte \(offset)")
        }
    }

    /// The error of a file whose value at the checkpoint has fewer elements than before.
    func lackingElements(in file: String) -> JSONModelError {
        mismatch(file, "the value at byte \(offset) has fewer than \(leading) elements")
    }

    fileprivate func mismatch(_ file: String, _ reason: String) -> JSONModelError {
        JSONModelError(.checkpointMismatch("\(file) is not the file of the checkpoint, or has changed: \(reason)"))
    }

    /// The JSON that replaces a document before the checkpoint: the opening bracket of each container on the path of the
    /// elements, each with the step to the next one, and a value that is ignored.
    struct Opening {
        let steps: [(step: JSONPath.Component, text: [UInt8])]
        /// At least four bytes, which a source reads at once.
        static let ignoredValue = Array("\"\"  ".utf8)
        /// The lines before the JSON, whose end has the offset of the checkpoint.
        let origin: LineCount
    }

    /// Returns the opening of a document that continues at the checkpoint.
    ///
    /// - Parameters:
    ///   - pattern: The path of the elements.
    ///   - ignoresValue: Whether the ignored value follows the opening brackets.
    /// - Throws: An error if the checkpoint is that of a stream with another path.
    func opening(of pattern: JSONPath, ignoresValue: Bool) throws(JSONModelError) -> Opening {
        let steps = path.components
        guard steps.count == pattern.components.count,
            zip(pattern.components, steps).allSatisfy({ $0.selects($1) })
        else { throw pathMismatch(pattern) }
        let texts = steps.map(\.opening)
        var origin = lines
        origin.offset -= texts.reduce(ignoresValue ? Opening.ignoredValue.count : 0) { $0 + $1.count }
        return Opening(steps: Array(zip(steps, texts).map { (step: $0, text: $1) }), origin: origin)
    }

    /// The error of a stream at another path.
    private func pathMismatch(_ pattern: JSONPath) -> JSONModelError {
        JSONModelError(.invalidPath("the checkpoint at '\(path)' is not that of a stream at '\(pattern)'"))
    }
}

extension JSONPath.Component {
    /// Whether this component of a stream's path selects a step of an element's path.
    fileprivate func selects(_ step: JSONPath.Component) -> Bool {
        switch (self, step) {
        case (.anyIndex, .index), (.anyKey, .key): true
        default: self == step
        }
    }

    /// The JSON that opens the container of a step, up to the step's value. At least four bytes, which a source reads at once.
    fileprivate var opening: [UInt8] {
        if case .key(let key) = self { return Array("{".utf8) + JSONValue.string(key).text + Array(":  ".utf8) }
        return Array("[   ".utf8)
    }
}

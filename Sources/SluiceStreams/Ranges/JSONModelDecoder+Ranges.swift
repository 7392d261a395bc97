import SluiceCore

extension JSONModelDecoder {
    /// Divides the elements of a file into ranges of about the same length, which can be read independently of each other.
    ///
    /// The whole file is read once, and must be valid.
    ///
    /// ```swift
    /// let ranges = try decoder.ranges(of: .file("huge.json"), at: "items[*]", parts: 64)
    /// ```
    ///
    /// - Parameters:
    ///   - input: The file, which is not compressed.
    ///   - path: In a document, the path of the elements, which are those of one array. In other framings, the elements are the values.
    ///   - framing: The form in which the file holds its values.
    ///   - parts: The maximum number of ranges, at least 1.
    /// - Returns: The ranges in the order of the file, each with at least one element. See `JSONInput.file(_:range:)`.
    /// - Throws: ``/SluiceCore/JSONModelError``
    public func ranges(
        of input: JSONFileInput, at path: JSONPath = JSONPath(), framing: JSONFraming = .document, parts: Int
    ) throws(JSONModelError) -> [JSONFileRange] {
        precondition(
            parts >= 1, "JSONModelDecoder.ranges(of:at:framing:parts:): the number of parts must be at least 1")
        let path = framing == .document ? path.ofElements : path
        let notOneArray = "the elements at '\(path)' are not those of one array"
        guard framing == .document ? path.selectsOneArray : path.components.isEmpty else {
            throw JSONModelError(
                .invalidRange(
                    framing == .document
                        ? notOneArray : "in this framing, ranges are those of values: leave out the path"))
        }
        let file = try input.wholeFile()
        let search = try BorderSearch(FileReader(file))
        var (ranges, end) = ([JSONFileRange](), JSONLocation())
        var failure: JSONModelError?
        try forEachPosition(inFile: file, at: path, framing, progressHandler: progressHandler) { position in
            defer { end = position.end }
            // A repeated key has another array.
            if framing == .document, position.index > 0, position.path.components.last == .index(0) {
                failure = JSONModelError(.invalidRange(notOneArray))
                return false
            }
            // The next range begins with the first element after its share of the bytes.
            let share = Int((Double(search.length) / Double(parts) * Double(ranges.count)).rounded(.up))
            if ranges.isEmpty || ranges.count < parts && position.start.offset >= share {
                do throws(JSONModelError) {
                    let start = try framing.rules.start(of: position, after: end, in: search)
                    ranges.append(
                        JSONFileRange(
                            bytes: start.offset..<position.end.offset, index: position.index, line: start.line,
                            column: start.column))
                } catch {
                    failure = error
                    return false
                }
            }
            let last = ranges.count - 1
            ranges[last].bytes = ranges[last].bytes.lowerBound..<position.end.offset
            return true
        }
        if let failure { throw failure }
        return ranges
    }
}

import SluiceCore

/// The rules of lines, each with one value.
struct LineRules: FramingRules {
    var continuesInValues: Bool { true }
    var endsWithLineFeed: Bool { true }
    var severalValuesHint: String? { SyntaxDiagnosis.severalValuesInLineHint }
    var isDividedByLines: Bool { true }

    func splitter(at position: LineCount) -> (any ValueSplitter)? { LineSplitter(at: position) }

    func border(from offset: Int, in search: BorderSearch) throws(JSONModelError) -> Int {
        try search.first(UInt8(ascii: "\n"), from: offset - 1).map { $0 + 1 } ?? search.length
    }

    func start(
        of position: JSONElementPosition, after end: JSONLocation, in search: BorderSearch
    ) throws(JSONModelError) -> JSONLocation {
        let start = position.start
        return JSONLocation(offset: start.offset - (start.column - 1), line: start.line)
    }

    func lastStart(in bytes: UnsafeBufferPointer<UInt8>, after last: (UInt8, UInt8)) -> Int? {
        bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    }

    func separator(after value: LastValue, endingWith last: UInt8) -> [UInt8] { value.isEmpty ? [] : suffix }
}

/// Divides an input into lines, each with one value. Blank lines are ignored.
final class LineSplitter: ValueSplitter {
    // Not checked for exclusivity, which would take a twentieth of the time of a short line.
    @exclusivity(unchecked) private(set) var position: LineCount
    @exclusivity(unchecked) private var isInValue = false
    @exclusivity(unchecked) private(set) var start: LineCount

    init(at position: LineCount) { (self.position, start) = (position, position) }

    /// Whether the next byte begins a line.
    var isBetweenLines: Bool { !isInValue && position.offset == position.lineStart }

    /// Skips whole lines.
    func skip(_ lines: LineCount) { position.advance(by: lines) }

    func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        if !isInValue {
            guard position.skipBlanks(&chunk) else { return nil }
            start = position
            isInValue = true
        }
        if chunk.isEmpty { return nil }
        let length = chunk.count(before: UInt8(ascii: "\n"), within: chunk.count)
        let part = UnsafeBufferPointer(rebasing: chunk.prefix(length))
        chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst(length))
        // A part has no line break.
        position.offset += length
        if !chunk.isEmpty { isInValue = false }
        return .part(part, isLast: !chunk.isEmpty)
    }

    func finish() -> ValuePiece? {
        guard isInValue else { return nil }
        isInValue = false
        return .part(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }
}

/// The data of server-sent events. The lines of an event's data are one value, with a line break between the lines.
///
/// Bytes between two lines of data are replaced by white space, so that locations are those of the input.
final class EventSplitter: ValueSplitter {
    private enum State {
        /// At the start of a line, or in the name of a field: the number of bytes that are those of `data:`.
        case name(matched: Int)
        /// Before the data of a line.
        case beforeData
        case data
        /// In a line without data.
        case ignored
        case ended
    }

    private static let field = Array("data:".utf8)
    private static let end = Array("[DONE]".utf8)
    private var position: LineCount
    private var state = State.name(matched: 0)
    /// Whether a part of the current event's data has been returned.
    private var hasValue = false
    /// The white space for the bytes after the last part of the value.
    private var gap: [UInt8] = []
    /// Data that may be the beginning of `[DONE]`.
    private var held: [UInt8] = []
    private(set) var start: LineCount
    private var hasEnded: Bool { if case .ended = state { true } else { false } }

    init(at position: LineCount) { (self.position, start) = (position, position) }

    func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        while let byte = chunk.first {
            switch state {
            case .ended: return nil
            case .name(let matched):
                if matched == 0, byte == UInt8(ascii: "\n") {
                    pass(1, of: &chunk)
                    if let piece = endEvent() { return piece }
                } else if matched == 0, byte == UInt8(ascii: "\r") {
                    pass(1, of: &chunk)
                } else if byte == Self.field[matched] {
                    pass(1, of: &chunk)
                    state = matched + 1 == Self.field.count ? .beforeData : .name(matched: matched + 1)
                } else {
                    state = .ignored
                }
            case .ignored:
                let length = chunk.firstIndex(of: UInt8(ascii: "\n"))
                pass(length.map { $0 + 1 } ?? chunk.count, of: &chunk)
                if length != nil { state = .name(matched: 0) }
            case .beforeData:
                if byte == UInt8(ascii: " ") { pass(1, of: &chunk) }
                state = .data
                if !hasValue, held.isEmpty { start = position }
            case .data:
                if let piece = data(&chunk) { return piece }
            }
        }
        return nil
    }

    func finish() -> ValuePiece? {
        // A last line needs no line break.
        hasEnded || !hasValue && held == Self.end ? nil : endEvent()
    }

    /// Removes bytes that are not data.
    private func pass(_ count: Int, of chunk: inout UnsafeBufferPointer<UInt8>) {
        let bytes = position.take(count, from: &chunk)
        if hasValue || !held.isEmpty {
            gap += bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
        }
    }

    /// Removes data of the current line. Returns nil if no part results.
    private func data(_ chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        if !hasValue, held.count < Self.end.count, chunk[0] == Self.end[held.count] {
            held += position.take(1, from: &chunk)
            return nil
        }
        if chunk[0] == UInt8(ascii: "\n") {
            if !hasValue, held == Self.end {
                state = .ended
                return nil
            }
            pass(1, of: &chunk)
            state = .name(matched: 0)
            return nil
        }
        if !hasValue, held == Self.end, chunk[0] == UInt8(ascii: "\r") {
            pass(1, of: &chunk)
            return nil
        }
        if let piece = takeHeld() { return piece }
        let length = chunk.firstIndex(of: UInt8(ascii: "\n")) ?? chunk.count
        hasValue = true
        return .part(position.take(length, from: &chunk), isLast: false)
    }

    /// Returns the held data, and the white space before the next data.
    private func takeHeld() -> ValuePiece? {
        if held.isEmpty, gap.isEmpty { return nil }
        defer { (held, gap) = ([], []) }
        hasValue = true
        return .text(held + gap, isLast: false)
    }

    /// Ends the current event. Returns nil if the event has no data.
    private func endEvent() -> ValuePiece? {
        if !hasValue, held.isEmpty {
            gap = []
            return nil
        }
        let text = held
        (hasValue, held, gap) = (false, [], [])
        return .text(text, isLast: true)
    }
}

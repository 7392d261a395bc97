import SluiceCore

/// The part of an input that is decoded.
@usableFromInline
enum TextExtent {
    /// All values.
    case whole
    /// The first value.
    case firstValue
    /// The first object or array, with any text before and after.
    case firstContainer
}

/// Finds the first value of an input, whatever follows.
///
/// The value begins after white space, or with the first opening bracket in a text. An input without a value has an empty one at its end,
/// which is an error.
final class FirstValueSplitter: ValueSplitter {
    private enum State {
        case before
        case value(ConcatenatedSplitter)
        case after
    }

    private var state = State.before
    private let extent: TextExtent
    private(set) var start: LineCount
    private(set) var position: LineCount

    init(_ extent: TextExtent, at position: LineCount) {
        (self.extent, self.position, start) = (extent, position, position)
    }

    func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        if case .before = state {
            let length = chunk.firstIndex {
                extent == .firstContainer ? $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") : !$0.isBlank
            }
            _ = position.remove(length ?? chunk.count, from: &chunk)
            start = position
            if !chunk.isEmpty { state = .value(ConcatenatedSplitter(at: position)) }
        }
        if case .value(let splitter) = state {
            let piece = splitter.next(in: &chunk)
            position = splitter.position
            if case .part(_, isLast: true)? = piece { state = .after }
            return piece
        }
        _ = position.remove(chunk.count, from: &chunk)
        return nil
    }

    func finish() -> ValuePiece? {
        defer { state = .after }
        if case .value(let splitter) = state { return splitter.finish() }
        if case .after = state { return nil }
        return .part(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }
}

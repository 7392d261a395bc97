import SluiceCore

/// The rules of values that each follow a record separator (RFC 7464).
struct TextSequenceRules: FramingRules {
    var strayMessage: String { "expected a record separator" }
    var rejectsStrayInRange: Bool { true }
    var prefix: [UInt8] { [TextSequenceSplitter.separator] }

    func splitter(at position: LineCount) -> (any ValueSplitter)? { TextSequenceSplitter(at: position) }

    func border(from offset: Int, in search: BorderSearch) throws(JSONModelError) -> Int {
        try search.first(TextSequenceSplitter.separator, from: offset) ?? search.length
    }

    func lastStart(in bytes: UnsafeBufferPointer<UInt8>, after last: (UInt8, UInt8)) -> Int? {
        bytes.lastIndex(of: TextSequenceSplitter.separator)
    }
}

/// Divides an input into values that each follow a record separator (RFC 7464).
final class TextSequenceSplitter: ValueSplitter {
    private enum State {
        /// Before the first record separator.
        case begin
        /// In other text before the first record separator, which continues with the next chunk.
        case stray
        /// After a record separator, before the value.
        case between
        case value(isScalar: Bool, endsWithBlank: Bool)
    }

    static var separator: UInt8 { 0x1E }
    private(set) var position: LineCount
    private var state = State.begin
    private(set) var start: LineCount

    init(at position: LineCount) { (self.position, start) = (position, position) }

    func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        while true {
            switch state {
            case .begin:
                guard position.skipBlanks(&chunk) else { return nil }
                state = .between
                start = position
                if chunk[0] != Self.separator {
                    // The text up to the first separator is not a value.
                    _ = removeText(from: &chunk)
                    if chunk.isEmpty { state = .stray }
                    return .stray
                }
            case .stray:
                _ = removeText(from: &chunk)
                if chunk.isEmpty { return nil }
                state = .between
            case .between:
                guard position.skipBlanks(&chunk) else { return nil }
                if chunk[0] == Self.separator {
                    _ = position.remove(1, from: &chunk)
                    continue
                }
                start = position
                let isContainer = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(chunk[0])
                state = .value(isScalar: !isContainer, endsWithBlank: false)
            case .value(let isScalar, let endedWithBlank):
                if chunk.isEmpty { return nil }
                let text = removeText(from: &chunk)
                let endsWithBlank = text.last?.isBlank ?? endedWithBlank
                state = .value(isScalar: isScalar, endsWithBlank: endsWithBlank)
                if chunk.isEmpty { return .part(text, isLast: false) }
                if isScalar, !endsWithBlank {
                    if !text.isEmpty { return .part(text, isLast: false) }
                    state = .between
                    return .cut
                }
                state = .between
                return .part(text, isLast: true)
            }
        }
    }

    func finish() -> ValuePiece? {
        guard case .value(let isScalar, let endsWithBlank) = state else { return nil }
        state = .between
        if isScalar, !endsWithBlank { return .cut }
        return .part(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }

    /// Removes the bytes before the next separator, or all bytes.
    private func removeText(from chunk: inout UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        position.remove(chunk.firstIndex(of: Self.separator) ?? chunk.count, from: &chunk)
    }
}

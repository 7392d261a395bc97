import CKernels
import SluiceCore

/// The rules of consecutive values.
struct ConcatenatedRules: FramingRules {
    var continuesInValues: Bool { true }
    var hasVisibleBorders: Bool { false }

    func splitter(at position: LineCount) -> (any ValueSplitter)? { ConcatenatedSplitter(at: position) }

    func start(
        of position: JSONElementPosition, after end: JSONLocation, in search: BorderSearch
    ) throws(JSONModelError) -> JSONLocation { position.start }
}

/// Divides an input into consecutive values. A value ends with its last bracket or quote; a number or literal ends before the
/// next byte that cannot be part of either.
///
/// An invalid object or array also ends before a line that begins with an opening bracket, if JSON has none there: a value that was cut
/// off does not take the next values with it.
final class ConcatenatedSplitter: ValueSplitter {
    private enum State {
        case between
        /// An object or array.
        case container
        case string(isEscaped: Bool)
        /// A number or literal, or a byte with which no value begins.
        case scalar
    }

    private(set) var position: LineCount
    private var state = State.between
    /// The position in an object or array.
    private var structure = sluice_structure()
    /// The last byte of an object or array before white space.
    private var lastByte: UInt8 = 0
    /// Whether the last byte of an object or array so far is a line break.
    private var isAtLineStart = false
    private(set) var start: LineCount

    init(at position: LineCount) { (self.position, start) = (position, position) }

    /// Whether more bytes of the current value must follow.
    var isInContainerOrString: Bool {
        switch state {
        case .between, .scalar: false
        case .container, .string: true
        }
    }

    func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        var length = 0
        if case .between = state {
            guard position.skipBlanks(&chunk) else { return nil }
            start = position
            switch chunk[0] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                (state, structure, isAtLineStart) = (.container, sluice_structure(), false)
            case UInt8(ascii: "\""): (state, length) = (.string(isEscaped: false), 1)
            default: (state, length) = (.scalar, 1)
            }
        }
        if chunk.isEmpty { return nil }
        let isLast = advance(&length, in: chunk)
        if isLast { state = .between }
        return .part(position.remove(length, from: &chunk), isLast: isLast)
    }

    /// Advances to the end of the value, or of the chunk. Returns whether the value ends.
    private func advance(_ length: inout Int, in chunk: UnsafeBufferPointer<UInt8>) -> Bool {
        if case .container = state, let base = chunk.baseAddress {
            let end = sluice_advance(&structure, base, chunk.count, true)
            length = lengthToCut(in: UnsafeBufferPointer(rebasing: chunk[..<end])) ?? end
            return length < end || structure.depth == 0
        }
        while length < chunk.count {
            let byte = chunk[length]
            if case .string(let isEscaped) = state {
                length += 1
                if byte == UInt8(ascii: "\""), !isEscaped { return true }
                state = .string(isEscaped: byte == UInt8(ascii: "\\") && !isEscaped)
            } else {
                if byte.isBlank || byte.isStructural { return true }
                length += 1
            }
        }
        return false
    }

    /// Returns the number of bytes before a line at which no object or array continues; nil if no line is one.
    private func lengthToCut(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var start = 0
        while start < bytes.count {
            if isAtLineStart, bytes[start] | 0x20 == UInt8(ascii: "{"), !"[,:".utf8.contains(lastByte) {
                return start
            }
            let end =
                start
                + UnsafeBufferPointer(rebasing: bytes[start...]).count(before: 0x0A, within: bytes.count - start)
            if let last = bytes[start..<end].last(where: { !$0.isBlank }) { lastByte = last }
            isAtLineStart = end < bytes.count
            start = end + 1
        }
        return nil
    }

    func finish() -> ValuePiece? {
        if case .between = state { return nil }
        state = .between
        return .part(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }
}

extension UInt8 {
    /// Whether this byte is a bracket, a quote, a comma or a colon.
    var isStructural: Bool {
        switch self {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""),
            UInt8(ascii: ","), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}

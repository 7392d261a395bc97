import SluiceCore

/// Divides an input into consecutive values. A value ends with its last bracket or quote; a number or literal ends before the
/// next byte that cannot be part of either.
package final class ConcatenatedSplitter: ValueSplitter {
    private enum State {
        case between
        case container(depth: Int)
        /// A string, which is the value or is in a container.
        case string(depth: Int, isEscaped: Bool)
        /// A number or literal, or a byte with which no value begins.
        case scalar
    }

    private(set) var position: LineCount
    private var state = State.between
    private(set) var start: LineCount

    init(at position: LineCount) { (self.position, start) = (position, position) }

    /// Returns the number of bytes to the end of the first value of a text; nil if the text does not have the end.
    package static func lengthToEnd(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var rest = text
        guard case .part(_, isLast: true) = ConcatenatedSplitter(at: LineCount()).next(in: &rest) else {
            return nil
        }
        return text.count - rest.count
    }

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
            length = 1
            switch chunk[0] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): state = .container(depth: 1)
            case UInt8(ascii: "\""): state = .string(depth: 0, isEscaped: false)
            default: state = .scalar
            }
        }
        if chunk.isEmpty { return nil }
        let isLast = advance(&length, in: chunk)
        if isLast { state = .between }
        return .part(position.remove(length, from: &chunk), isLast: isLast)
    }

    /// Advances to the end of the value, or of the chunk. Returns whether the value ends.
    private func advance(_ length: inout Int, in chunk: UnsafeBufferPointer<UInt8>) -> Bool {
        while length < chunk.count {
            let byte = chunk[length]
            switch state {
            case .between: return true
            case .scalar:
                if byte.isBlank || byte.isStructural { return true }
                length += 1
            case .container(let depth):
                length += 1
                switch byte {
                case UInt8(ascii: "\""): state = .string(depth: depth, isEscaped: false)
                case UInt8(ascii: "{"), UInt8(ascii: "["): state = .container(depth: depth + 1)
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 1 { return true }
                    state = .container(depth: depth - 1)
                default: break
                }
            case .string(let depth, let isEscaped):
                length += 1
                if isEscaped {
                    state = .string(depth: depth, isEscaped: false)
                } else if byte == UInt8(ascii: "\\") {
                    state = .string(depth: depth, isEscaped: true)
                } else if byte == UInt8(ascii: "\"") {
                    if depth == 0 { return true }
                    state = .container(depth: depth)
                }
            }
        }
        return false
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

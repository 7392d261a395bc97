import SluiceCore

/// Finds the end of the last complete element of a text, to which elements are appended.
struct FramedEnd {
    enum Verdict {
        /// Elements can follow after some bytes, which end the last element.
        case complete(first: [UInt8])
        /// The last element, which starts at an offset, is incomplete. Without this element, other elements can follow after some bytes,
        /// which end the element before.
        case incomplete(from: Int, first: [UInt8] = [])
        /// The text has another framing.
        case foreign
    }

    private let framing: JSONFraming
    private var offset: Int
    /// The offset at which the last element, its line or its event starts.
    private var start: Int
    /// The last bytes before the next ones, or line breaks before the start of the text.
    private var last: (UInt8, UInt8) = (UInt8(ascii: "\n"), UInt8(ascii: "\n"))
    private var value = LastValue()
    private var event: EventSplitter?
    /// The first bytes of the text, as many as a byte order mark has.
    private var head: [UInt8] = []
    /// Whether the text has a record separator.
    private var hasRecords = false

    /// - Parameter offset: The offset of the first byte, which starts an element.
    init(_ framing: JSONFraming, at offset: Int = 0) {
        self.framing = framing
        (self.offset, start) = (offset, offset)
    }

    /// An offset that is not after the start of the last element.
    var lastStart: Int { framing == .concatenated || framing == .document ? value.start : start }

    /// Returns the number of bytes after which the last element of a text starts; nil if the bytes have no start of an element.
    ///
    /// - Parameter last: The two bytes before.
    static func lastStart(
        _ framing: JSONFraming, in bytes: UnsafeBufferPointer<UInt8>, after last: (UInt8, UInt8)
    ) -> Int? {
        switch framing {
        case .lines: return bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        case .dataLines: return bytes.lastIndex(where: \.endsLine).map { $0 + 1 }
        case .textSequence: return bytes.lastIndex(of: 0x1E)
        case .serverSentEvents:
            func byte(_ index: Int) -> UInt8 { index >= 0 ? bytes[index] : index == -1 ? last.1 : last.0 }
            // After an empty line.
            return bytes.indices.last { index in
                guard byte(index).endsLine else { return false }
                let isPair = byte(index) == UInt8(ascii: "\n") && byte(index - 1) == UInt8(ascii: "\r")
                return byte(isPair ? index - 2 : index - 1).endsLine
            }.map { $0 + 1 }
        case .concatenated, .document: return nil
        }
    }

    /// Consumes the next bytes of the text.
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.isEmpty { return }
        var rest = bytes
        if offset == head.count { head += bytes.prefix(Encoding.byteOrderMark.count - head.count) }
        if offset == 0, Encoding.hasByteOrderMark(bytes) { rest = UnsafeBufferPointer(rebasing: rest.dropFirst(3)) }
        if let count = Self.lastStart(framing, in: rest, after: last) {
            start = offset + (bytes.count - rest.count) + count
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(count))
            (value, event) = (LastValue(), nil)
            if framing == .textSequence {
                hasRecords = true
                rest = UnsafeBufferPointer(rebasing: rest.dropFirst())
            }
        }
        if framing == .serverSentEvents || framing == .dataLines {
            consumeEvent(rest)
        } else {
            value.consume(rest, at: offset + bytes.count - rest.count)
        }
        offset += bytes.count
        last = bytes.count > 1 ? (bytes[bytes.count - 2], bytes[bytes.count - 1]) : (last.1, bytes[0])
    }

    private mutating func consumeEvent(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.isEmpty { return }
        let splitter = event ?? EventSplitter(at: LineCount(), endsWithLine: framing == .dataLines)
        event = splitter
        var rest = bytes
        while let piece = splitter.next(in: &rest) {
            switch piece {
            case .part(let bytes, _): value.consume(bytes, at: offset)
            case .text(let bytes, _): consumeData(bytes)
            case .stray, .cut: break
            }
        }
    }

    /// Ends the text.
    mutating func finish() -> Verdict {
        let feed = [UInt8(ascii: "\n")]
        // A byte order mark that was cut.
        if !head.isEmpty, head.count == offset, head.count < Encoding.byteOrderMark.count,
            Encoding.byteOrderMark.starts(with: head)
        {
            return .incomplete(from: 0)
        }
        switch framing {
        case .lines:
            return value.isIncomplete ? .incomplete(from: start) : .complete(first: value.isEmpty ? [] : feed)
        case .textSequence:
            if !hasRecords { return value.isEmpty ? .complete(first: []) : .foreign }
            return value.isIncomplete ? .incomplete(from: start) : .complete(first: value.isOpen ? feed : [])
        case .serverSentEvents, .dataLines:
            guard let event else { return .complete(first: []) }
            // The splitter holds data that may be the beginning of `[DONE]`.
            if case .text(let held, _)? = event.finish() { consumeData(held) }
            // The end of a line is also the end of a number.
            if last.1.endsLine { consumeData(feed) }
            if value.isIncomplete { return .incomplete(from: start) }
            return .complete(first: framing == .serverSentEvents ? feed + feed : last.1.endsLine ? [] : feed)
        case .concatenated, .document:
            return value.isIncomplete
                ? .incomplete(from: value.start, first: value.followsScalar ? feed : [])
                : .complete(first: value.isOpen ? feed : [])
        }
    }

    private mutating func consumeData(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { value.consume($0, at: offset) }
    }
}

/// The last of several consecutive values.
private struct LastValue {
    private enum State {
        case between
        case container(depth: Int)
        case string(depth: Int, isEscaped: Bool)
        /// A number or literal.
        case scalar
    }

    private var state = State.between
    /// The first bytes of a number or literal, as many as distinguish a literal.
    private var first: [UInt8] = []
    /// The offset of the value.
    private(set) var start = 0
    private(set) var isEmpty = true
    /// Whether no white space divides the value from a number or literal before.
    private(set) var followsScalar = false

    /// Whether the value is a number or literal that further bytes would continue.
    var isOpen: Bool { if case .scalar = state { true } else { false } }

    /// Whether the value lacks its end, or is a number whose last digits may be missing.
    var isIncomplete: Bool {
        switch state {
        case .between: false
        case .container, .string: true
        case .scalar: !["true", "false", "null"].contains { first.elementsEqual($0.utf8) }
        }
    }

    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        for (index, byte) in bytes.enumerated() {
            switch state {
            case .between: begin(byte, at: offset + index)
            case .scalar:
                if byte.isBlank {
                    state = .between
                } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"") {
                    begin(byte, at: offset + index)
                } else if first.count < 6 {
                    first.append(byte)
                }
            case .container(let depth):
                switch byte {
                case UInt8(ascii: "\""): state = .string(depth: depth, isEscaped: false)
                case UInt8(ascii: "{"), UInt8(ascii: "["): state = .container(depth: depth + 1)
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    state = depth == 1 ? .between : .container(depth: depth - 1)
                default: break
                }
            case .string(let depth, let isEscaped):
                if isEscaped || byte == UInt8(ascii: "\\") {
                    state = .string(depth: depth, isEscaped: !isEscaped)
                } else if byte == UInt8(ascii: "\"") {
                    state = depth == 0 ? .between : .container(depth: depth)
                }
            }
        }
    }

    private mutating func begin(_ byte: UInt8, at offset: Int) {
        if byte.isBlank { return }
        if case .scalar = state { followsScalar = true } else { followsScalar = false }
        (start, isEmpty) = (offset, false)
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): state = .container(depth: 1)
        case UInt8(ascii: "\""): state = .string(depth: 0, isEscaped: false)
        default: (state, first) = (.scalar, [byte])
        }
    }
}

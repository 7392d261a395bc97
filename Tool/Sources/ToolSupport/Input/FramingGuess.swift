import SluiceCore
import SluiceStreams

/// The framing of an input, from the name of its file or from the first bytes of its text.
///
/// The guess depends on the text alone, in whatever pieces the bytes arrive. Each byte is examined once, and none is kept.
package struct FramingGuess: ~Copyable {
    /// The way in which a command reads the values.
    package enum Use: Sendable {
        /// One after another. Documents and lines are consecutive values, too, so that the first byte of a value is enough.
        case values
        /// A document in constant memory or without skipped values, and others one after another.
        case document
        /// By several threads, or in ranges.
        case parts
    }

    private enum State {
        /// A byte order mark, white space, or nothing.
        case start
        /// The fields of an event that has no data so far.
        case fields
        /// The first value, or the second on another line.
        case value(isFirst: Bool)
        /// White space after a value.
        case gap(isFirst: Bool, hasLineBreak: Bool)
        case known(JSONFraming)
    }

    /// The number of bytes after which the first values are long.
    private static let maximumLength = 16 << 20

    private var state = State.start
    private var length = 0
    /// The start of the current line of an event.
    private var line: [UInt8] = []
    private var hasValue = false
    /// Whether the first value has a line break.
    private var isFirstDivided = false
    private var isScalar = false
    private var (isInString, isEscaped) = (false, false)
    private var depth = 0
    private let decompression = Decompression(JSONLimits())

    private init() {}

    /// Guesses the framing from the first bytes, which may be compressed.
    ///
    /// - Parameter next: Returns the next bytes; none at the end.
    package static func framing(for use: Use, next: () -> [UInt8]) -> JSONFraming {
        var guess = FramingGuess()
        while true {
            let piece = next()
            if piece.isEmpty { return guess.framingAtEnd(for: use) }
            piece.withUnsafeBufferPointer { guess.take($0) }
            if let framing = guess.framing(for: use) { return framing }
        }
    }

    /// Returns the framing that the extension of a name tells, before the extension of a compressed file.
    ///
    /// - Parameter isStrict: Whether a file of JSON has one value.
    package static func framing(ofFile name: String, isStrict: Bool = false) -> JSONFraming? {
        var parts = name.lowercased().split(separator: "/").last?.split(separator: ".").dropFirst() ?? []
        if let last = parts.last, ["gz", "gzip", "zst", "zstd"].contains(last) { parts.removeLast() }
        return switch parts.last {
        case "jsonl", "ndjson", "ldjson", "jsonlines", "geojsonl", "ndgeojson": .lines
        case "json-seq", "jsonseq", "geojsons", "geojsonseq": .textSequence
        case "sse": .serverSentEvents
        case "json", "geojson": isStrict ? .document : nil
        default: nil
        }
    }

    /// Returns the framing as soon as the bytes so far tell which one.
    private func framing(for use: Use) -> JSONFraming? {
        switch use {
        case .values where hasValue, .document where isInSecond: .concatenated
        case _ where length >= Self.maximumLength: framingAtEnd(for: use)
        default: if case .known = state { framingAtEnd(for: use) } else { nil }
        }
    }

    private var isInSecond: Bool { if case .value(isFirst: false) = state { true } else { false } }

    /// Returns the framing if the input has no further bytes.
    private func framingAtEnd(for use: Use) -> JSONFraming {
        switch state {
        // A later value may have a line break.
        case .known(.lines) where use == .document: .concatenated
        case .known(let framing): framing
        case .value(isFirst: false), .gap(isFirst: false, _): use == .document ? .concatenated : .lines
        default: .document
        }
    }

    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        var bytes = bytes
        do {
            while let text = try decompression.text(from: &bytes, openLength: 0) {
                for byte in text {
                    if case .known = state { return }
                    if length == Self.maximumLength { return }
                    take(byte)
                }
            }
        } catch { state = .known(.document) }
    }

    private mutating func take(_ byte: UInt8) {
        defer { length += 1 }
        switch state {
        case .start:
            if byte.isBlank || length < 3 && byte == Encoding.byteOrderMark[length] { return }
            if byte == 0x1E {
                state = .known(.textSequence)
            } else if Self.beginsValue(byte) {
                begin(byte, .value(isFirst: true))
            } else {
                state = .fields
                takeField(byte)
            }
        case .fields: takeField(byte)
        case .value(let isFirst):
            let isAfterScalar = isScalar && (byte.isBlank || "{}[]\",:".utf8.contains(byte))
            if !isScalar { advance(over: byte) }
            if isAfterScalar || !isScalar && depth == 0 && !isInString {
                state = .gap(isFirst: isFirst, hasLineBreak: false)
                if isAfterScalar { take(gap: byte, isFirst, hasLineBreak: false) }
            } else if byte == 0x0A {
                isFirstDivided = true
                if !isFirst { state = .known(.concatenated) }
            }
        case .gap(let isFirst, let hasLineBreak): take(gap: byte, isFirst, hasLineBreak: hasLineBreak)
        case .known: break
        }
    }

    /// Examines a byte after a value.
    private mutating func take(gap byte: UInt8, _ isFirst: Bool, hasLineBreak: Bool) {
        let isLine = hasLineBreak && !isFirstDivided
        if byte.isBlank {
            let hasLineBreak = hasLineBreak || byte == 0x0A
            state = hasLineBreak && !isFirst ? .known(.lines) : .gap(isFirst: isFirst, hasLineBreak: hasLineBreak)
        } else if !Self.beginsValue(byte) {
            state = .known(isLine || !isFirst ? .lines : .document)
        } else if isFirst, isLine {
            begin(byte, .value(isFirst: false))
        } else {
            state = .known(.concatenated)
        }
    }

    // MARK: Events

    /// Examines a byte of the fields and comments of an event. Without data, the text is no stream of events.
    private mutating func takeField(_ byte: UInt8) {
        if byte == 0x0A || byte == 0x0D {
            line.removeAll()
        } else if line.elementsEqual("data:".utf8) {
            if byte != UInt8(ascii: " ") {
                state = .known(Self.beginsValue(byte) ? .serverSentEvents : .document)
            }
        } else if line.last != UInt8(ascii: ":") {
            line.append(byte)
            let isField = [":", "data:", "event:", "id:", "retry:"].contains { $0.utf8.starts(with: line) }
            if !isField { state = .known(.document) }
        }
    }

    // MARK: Values

    private static func beginsValue(_ byte: UInt8) -> Bool { "{[\"-0123456789tfn".utf8.contains(byte) }

    private mutating func begin(_ byte: UInt8, _ state: State) {
        (self.state, hasValue) = (state, true)
        isScalar = !"{[\"".utf8.contains(byte)
        if !isScalar { advance(over: byte) }
    }

    /// Advances over a byte of an object, array or string.
    private mutating func advance(over byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if isInString {
            isEscaped = byte == UInt8(ascii: "\\")
            isInString = byte != UInt8(ascii: "\"")
        } else {
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
    }
}

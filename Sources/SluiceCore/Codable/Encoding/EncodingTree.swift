/// A container whose elements are not encoded in the order of the output, as a tree.
///
/// Examples are a nested container that is written to after its container, two values for one key, and the encoder of a
/// superclass that is released late. Such containers are rare. All others are written to the output at once.
final class EncodingTree {
    enum Value {
        /// JSON, indented for its depth.
        case text([UInt8])
        case container(EncodingTree)
    }

    let isArray: Bool
    /// The names of the members, unescaped. Empty for arrays.
    private(set) var names: [String] = []
    private(set) var values: [Value] = []
    /// The positions of the names.
    private var positions: [String: Int] = [:]

    init(isArray: Bool) { self.isArray = isArray }

    var count: Int { values.count }

    /// The value of a name, or nil.
    subscript(name: String) -> Value? {
        get { positions[name].map { values[$0] } }
        set {
            guard let newValue else { return }
            if let position = positions[name] {
                values[position] = newValue
            } else {
                positions[name] = values.count
                names.append(name)
                values.append(newValue)
            }
        }
    }

    func append(_ value: Value) { values.append(value) }

    func insert(_ value: Value, at index: Int) { values.insert(value, at: min(index, values.count)) }
}

extension EncodingTree {
    /// Writes the container.
    func write(to out: inout OutputBuffer, isSorted: Bool) {
        out.reserve(64)
        out.open(isArray ? "[" : "{")
        var order = Array(values.indices)
        if isSorted, !isArray { order.sort { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) } }
        for index in order {
            out.reserve(128)
            out.comma()
            if !isArray {
                out.quoted(names[index])
                out.reserve(64)
                out.colon()
            }
            switch values[index] {
            case .text(let text): text.withUnsafeBufferPointer { out.verbatim($0) }
            case .container(let tree): tree.write(to: &out, isSorted: isSorted)
            }
            out.first = 0
        }
        out.close(isArray ? "]" : "}")
    }
}

extension EncodingTree {
    /// Creates the tree of a container.
    ///
    /// - Parameters:
    ///   - text: The text, which begins with a bracket.
    ///   - origin: The offset of the text, for `found`.
    ///   - isWanted: Whether the container at an offset becomes a tree. All others become text.
    ///   - found: Receives the offset of each container that became a tree, with the tree.
    convenience init(
        _ text: UnsafeBufferPointer<UInt8>, origin: Int = 0, isWanted: (Int) -> Bool = { _ in false },
        found: (Int, EncodingTree) -> Void = { _, _ in }
    ) {
        var reader = WrittenText(text: text)
        self.init(isArray: reader.next == UInt8(ascii: "["))
        read(from: &reader, origin, isWanted, found)
    }

    private func read(
        from reader: inout WrittenText, _ origin: Int, _ isWanted: (Int) -> Bool,
        _ found: (Int, EncodingTree) -> Void
    ) {
        found(origin + reader.at, self)
        reader.at += 1
        while true {
            reader.skipSeparators()
            guard let next = reader.next, next != UInt8(ascii: "]"), next != UInt8(ascii: "}") else { break }
            var name = ""
            if !isArray {
                name = reader.string()
                reader.skipSeparators()
            }
            let value: Value
            if isWanted(origin + reader.at), reader.isAtBracket {
                let tree = EncodingTree(isArray: reader.next == UInt8(ascii: "["))
                tree.read(from: &reader, origin, isWanted, found)
                value = .container(tree)
            } else {
                value = .text(Array(reader.value()))
            }
            if isArray { append(value) } else { self[name] = value }
        }
        reader.at = min(reader.at + 1, reader.text.count)
    }
}

/// A position in text that was written by an encoder.
private struct WrittenText {
    let text: UnsafeBufferPointer<UInt8>
    var at = 0

    init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The byte at the position; nil at the end.
    var next: UInt8? { at < text.count ? text[at] : nil }

    var isAtBracket: Bool { next == UInt8(ascii: "{") || next == UInt8(ascii: "[") }

    /// Skips white space, commas and colons.
    mutating func skipSeparators() {
        while let next, next <= 0x20 || next == UInt8(ascii: ",") || next == UInt8(ascii: ":") { at += 1 }
    }

    /// Reads a string, which is unescaped.
    mutating func string() -> String {
        let start = at
        skipString()
        return JSONText.unescaped(UnsafeBufferPointer(rebasing: text[start..<at]))
    }

    /// Reads the text of a value.
    mutating func value() -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = at
        var depth = 0
        while let next {
            switch next {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 0 { return text[start..<at] }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return text[start..<at] }
                depth -= 1
                if depth == 0 {
                    at += 1
                    return text[start..<at]
                }
            case UInt8(ascii: ","), 0...0x20:
                if depth == 0 { return text[start..<at] }
            default: break
            }
            at += 1
        }
        return text[start..<at]
    }

    private mutating func skipString() {
        at += 1
        while let next, next != UInt8(ascii: "\"") { at += next == UInt8(ascii: "\\") ? 2 : 1 }
        at += 1
    }
}

/// JSON text that an encoder wrote.
enum JSONText {
    /// Returns the contents of a string between quotes.
    static func unescaped(_ quoted: UnsafeBufferPointer<UInt8>) -> String {
        let contents = quoted[1..<max(quoted.count - 1, 1)]
        if !contents.contains(UInt8(ascii: "\\")) { return String(decoding: contents, as: UTF8.self) }
        return Recording(written: quoted).string ?? ""
    }
}

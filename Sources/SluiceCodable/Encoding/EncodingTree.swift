import SluiceCore

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

    /// Releases the containers one by one. The runtime would release them by recursion.
    deinit {
        var rest = takeContainers()
        while var tree = rest.popLast() {
            if isKnownUniquelyReferenced(&tree) { rest += tree.takeContainers() }
        }
    }

    private func takeContainers() -> [EncodingTree] {
        let containers = values.compactMap { if case .container(let tree) = $0 { tree } else { nil } }
        if !containers.isEmpty { values = [] }
        return containers
    }

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
    /// A container that is being written.
    private struct OpenTree {
        let tree: EncodingTree
        /// The order of the values.
        let order: [Int]
        var next = 0

        init(_ tree: EncodingTree, isSorted: Bool) {
            self.tree = tree
            var order = Array(tree.values.indices)
            if isSorted, !tree.isArray {
                order.sort { tree.names[$0].utf8.lexicographicallyPrecedes(tree.names[$1].utf8) }
            }
            self.order = order
        }
    }

    /// Writes the container, without recursion.
    func write(to out: inout OutputBuffer, isSorted: Bool) {
        var open = [OpenTree(self, isSorted: isSorted)]
        out.reserve(64)
        out.open(isArray ? "[" : "{")
        while let (tree, order, next) = open.last.map({ ($0.tree, $0.order, $0.next) }) {
            guard next < order.count else {
                out.close(tree.isArray ? "]" : "}")
                out.firstByteCount = 0
                open.removeLast()
                continue
            }
            open[open.count - 1].next += 1
            let index = order[next]
            out.reserve(128)
            out.comma()
            if !tree.isArray {
                out.quoted(tree.names[index])
                out.reserve(64)
                out.colon()
            }
            switch tree.values[index] {
            case .text(let text):
                text.withUnsafeBufferPointer { out.verbatim($0) }
                out.firstByteCount = 0
            case .container(let inner):
                open.append(OpenTree(inner, isSorted: isSorted))
                out.reserve(64)
                out.open(inner.isArray ? "[" : "{")
            }
        }
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
        found(origin, self)
        reader.at += 1
        var open = [self]
        while let tree = open.last {
            reader.skipSeparators()
            guard let next = reader.next, next != UInt8(ascii: "]"), next != UInt8(ascii: "}") else {
                reader.at = min(reader.at + 1, reader.text.count)
                open.removeLast()
                continue
            }
            var name = ""
            if !tree.isArray {
                name = reader.string()
                reader.skipSeparators()
            }
            let value: Value
            if isWanted(origin + reader.at), reader.isAtBracket {
                let inner = EncodingTree(isArray: reader.next == UInt8(ascii: "["))
                found(origin + reader.at, inner)
                reader.at += 1
                open.append(inner)
                value = .container(inner)
            } else {
                value = .text(Array(reader.value()))
            }
            if tree.isArray { tree.append(value) } else { tree[name] = value }
        }
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
        return String(written: quoted) ?? ""
    }
}

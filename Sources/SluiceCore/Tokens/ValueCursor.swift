/// A position in a `JSONValue`, whose elements, members and strings are read in place.
///
/// Invariant: `root` retains all memory that the levels refer to.
struct ValueCursor: TreeCursor {
    private struct Level {
        /// The elements, or the members of a `MemberStorage`.
        let base: UnsafeRawPointer
        let count: Int
        let isArray: Bool
        var next = 0
    }

    /// An array of the whole value alone.
    private let root: [JSONValue]
    /// The innermost open container; the array `root` if no container is open.
    private var level: Level
    /// The containers around the innermost one, and `root`.
    private var outer: [Level] = []
    /// The value that was sent last, or whose key was sent last.
    private var current: UnsafePointer<JSONValue>
    /// Whether the current value follows. Its key was sent last.
    private var isPending = false
    private let readsStringsInPlace = StringBytes.isKnown

    init(_ value: JSONValue) {
        root = [value]
        let elements = withUnsafePointer(to: root) { ElementBuffer(borrowing: $0) }
        current = elements.elements().baseAddress.unsafelyUnwrapped
        level = Level(base: current, count: 1, isArray: true)
    }

    var depth: Int { outer.count }

    var isAtValue: Bool { isPending || level.isArray && level.next < level.count }

    mutating func skip() {
        if isPending { isPending = false } else { level.next += 1 }
    }

    // MARK: Tokens

    @inline(__always)
    mutating func send(
        to sink: inout some TokenSink & ~Copyable, depth: Int
    ) throws(DepthError) -> TokenAction? {
        if !isPending {
            guard level.next < level.count else { return end(&sink) }
            let next = level.next
            level.next = next + 1
            guard level.isArray else { return member(at: next, &sink) }
            current = level.base.assumingMemoryBound(to: JSONValue.self) + next
        }
        isPending = false
        return try value(&sink, depth)
    }

    @inline(__always)
    private mutating func value(
        _ sink: inout some TokenSink & ~Copyable, _ depth: Int
    ) throws(DepthError) -> TokenAction {
        switch current.pointee {
        case .null: return sink.null()
        case .bool(let value): return sink.bool(value)
        case .number(let number):
            switch number.form {
            case .text(let text): return withUnsafePointer(to: text) { self.number($0, &sink) }
            case .fixedPoint(let number): return number.withToken { sink.number($0) }
            }
        case .string(let text): return withUnsafePointer(to: text) { string($0, &sink) }
        case .array, .object:
            let contents = JSONValue.contents(of: current)
            try open(contents.base, contents.count, isArray: contents.isArray, depth)
            return contents.isArray ? sink.startArray() : sink.startObject()
        }
    }

    @inline(__always)
    private mutating func open(
        _ base: UnsafeRawPointer?, _ count: Int, isArray: Bool, _ depth: Int
    ) throws(DepthError) {
        if outer.count >= depth { throw DepthError() }
        outer.append(level)
        level = Level(base: base ?? UnsafeRawPointer(current), count: count, isArray: isArray)
    }

    /// Ends the innermost container.
    @inline(__always)
    private mutating func end(_ sink: inout some TokenSink & ~Copyable) -> TokenAction? {
        guard let container = outer.popLast() else { return nil }
        let isArray = level.isArray
        level = container
        return isArray ? sink.endArray() : sink.endObject()
    }

    /// Sends the key of the first member from an index on that is not removed, or the end of the object.
    @inline(__always)
    private mutating func member(at index: Int, _ sink: inout some TokenSink & ~Copyable) -> TokenAction? {
        var index = index
        while true {
            if let (key, value) = MemberStorage.member(level.base, at: index) {
                level.next = index + 1
                current = value
                isPending = true
                return self.key(key, &sink)
            }
            index += 1
            if index == level.count {
                level.next = index
                return end(&sink)
            }
        }
    }

    // MARK: Text

    @inline(__always)
    private func key(_ text: UnsafePointer<String>, _ sink: inout some TokenSink & ~Copyable) -> TokenAction {
        if readsStringsInPlace, let count = StringBytes(at: text).smallCount {
            let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
            return sink.key(Key(readable: bytes, Int(truncatingIfNeeded: count)))
        }
        return lend(text, &sink) { bytes, count, sink in sink.key(Key(bytes, count)) }
    }

    @inline(__always)
    private func string(
        _ text: UnsafePointer<String>, _ sink: inout some TokenSink & ~Copyable
    ) -> TokenAction {
        if readsStringsInPlace {
            let string = StringBytes(at: text)
            if let count = string.smallCount {
                let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
                return sink.string(
                    readable: bytes, Int(truncatingIfNeeded: count), isASCII: string.smallASCIICount != nil)
            }
        }
        return lend(text, &sink) { bytes, count, sink in
            sink.string(bytes, count, isASCII: UTF8Validation.isASCII(bytes, count))
        }
    }

    @inline(__always)
    private func number(
        _ text: UnsafePointer<String>, _ sink: inout some TokenSink & ~Copyable
    ) -> TokenAction {
        lend(text, &sink) { bytes, count, sink in sink.number(NumberToken(checked: bytes, count: count)) }
    }

    /// Lends the bytes of a string to a closure.
    @inline(__always)
    private func lend<Sink: TokenSink & ~Copyable>(
        _ text: UnsafePointer<String>, _ sink: inout Sink,
        _ body: (UnsafePointer<UInt8>, Int, inout Sink) -> TokenAction
    ) -> TokenAction {
        if readsStringsInPlace {
            let string = StringBytes(at: text)
            if let count = string.smallCount {
                return body(
                    UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), Int(truncatingIfNeeded: count),
                    &sink)
            }
            if let bytes = string.native, let base = bytes.baseAddress { return body(base, bytes.count, &sink) }
        }
        return text.pointee.lend(to: &sink, body)
    }

    // MARK: Recordings

    var atCurrentValue: ValueCursor {
        var cursor = self
        cursor.outer = []
        cursor.level = Level(base: current, count: 1, isArray: true)
        cursor.isPending = false
        return cursor
    }

    mutating func leave() -> Bool {
        let isArray = level.isArray
        level = outer.removeLast()
        return isArray
    }

    mutating func leaveWithMembers() -> ValueCursor {
        var members = atCurrentValue
        members.level.next = 1
        members.outer = [members.level]
        members.level = level
        members.level.next -= 1
        isPending = false
        level = outer.removeLast()
        return members
    }
}

extension String {
    /// Lends the bytes to a closure.
    @inline(never)
    func lend<Sink: TokenSink & ~Copyable>(
        to sink: inout Sink, _ body: (UnsafePointer<UInt8>, Int, inout Sink) -> TokenAction
    ) -> TokenAction {
        var text = self
        return text.withUTF8 { bytes in
            if let base = bytes.baseAddress { return body(base, bytes.count, &sink) }
            return withUnsafePointer(to: 0) { body($0, 0, &sink) }
        }
    }
}

/// The text of a token that is not sent as the input spells it: a string without its escapes, or a number in JSON's grammar.
struct RewrittenText: ~Copyable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity = 256

    init() { start = .allocate(capacity: capacity) }

    deinit { start.deallocate() }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    mutating func removeAll() { count = 0 }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// Appends the bytes of a part of the input.
    mutating func append(from first: UnsafePointer<UInt8>, to last: UnsafePointer<UInt8>) {
        reserve(last - first)
        (start + count).update(from: first, count: last - first)
        count += last - first
    }

    private mutating func reserve(_ room: Int) {
        guard capacity - count < room else { return }
        capacity = max(capacity * 2, count + room)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }
}

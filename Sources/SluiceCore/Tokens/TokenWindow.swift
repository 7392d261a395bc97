/// The memory of a source for bytes that wait for more. Zeros are around the bytes.
///
/// Invariant: `count` bytes of input are at `start`. `margin` zeros precede them, and `padding` zeros follow them.
struct TokenWindow: ~Copyable {
    static let padding = 64
    private static let margin = 16
    /// The readable bytes around the bytes.
    static var margins: TextMargins { TextMargins(before: margin, after: padding) }

    private var memory: GrowableMemory<UInt8>
    private(set) var count = 0
    /// The first memory of the window.
    private let region: Region

    init(in region: Region) {
        self.region = region
        memory = GrowableMemory(in: region)
        memory.start.initialize(repeating: 0, count: Self.margin)
        pad()
    }

    deinit { memory.deallocate() }

    var start: UnsafeMutablePointer<UInt8> { memory.start + Self.margin }
    private var capacity: Int { memory.capacity - Self.margin - Self.padding }

    var isEmpty: Bool { count == 0 }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    private func pad() { (start + count).initialize(repeating: 0, count: Self.padding) }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let from = bytes.baseAddress else { return }
        reserve(count + bytes.count)
        (start + count).update(from: from, count: bytes.count)
        count += bytes.count
        pad()
    }

    /// Replaces the contents with bytes, which may be part of the window.
    mutating func set(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.baseAddress == UnsafePointer(start), bytes.count == count { return }
        count = 0
        append(bytes)
    }

    /// Keeps only the last bytes. Frees the memory of a long token.
    mutating func keep(last left: Int) {
        if capacity > 1 << 20, left < capacity / 8 {
            var smaller = TokenWindow(in: region)
            smaller.append(UnsafeBufferPointer(start: start + (count - left), count: left))
            self = smaller
            return
        }
        start.update(from: start + (count - left), count: left)
        count = left
        pad()
    }

    private mutating func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        memory.grow(moving: Self.margin + count, toAtLeast: Self.margin + wanted + Self.padding)
    }
}

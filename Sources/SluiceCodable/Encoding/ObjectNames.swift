import SluiceCore

/// The names in the open objects, in which repeated names are found, and the offsets of the members if keys are sorted.
///
/// The names of an object follow those of the enclosing objects. An object refers to its names by the number of names before them.
///
/// Invariant: the first `count` elements of `hashes` and, if keys are sorted, of `offsets` are initialized.
struct ObjectNames: ~Copyable {
    private var hashes = GrowableMemory<UInt64>(capacity: minimumCapacity)
    /// The offsets of the members in the output. The memory has the capacity of `hashes`, or none.
    private var offsets: GrowableMemory<Int>
    private(set) var count = 0
    private let isSorted: Bool
    /// The hashes of the names in the open objects with many names, by the number of names before those of the object.
    private var large: [(first: Int, hashes: Set<UInt64>)] = []

    /// The number of names up to which a new name is compared with each of them.
    private static var maximumComparedCount: Int { 64 }

    init(isSorted: Bool) {
        self.isSorted = isSorted
        offsets = isSorted ? GrowableMemory(capacity: hashes.capacity) : GrowableMemory()
    }

    deinit {
        hashes.deallocate()
        offsets.deallocate()
    }

    private static var minimumCapacity: Int { 64 }

    /// The size of the memory.
    var size: Int { hashes.size + offsets.size }

    /// Frees memory that the names do not need.
    mutating func shrink() {
        hashes.shrink(moving: count, to: max(count, Self.minimumCapacity))
        offsets.shrink(moving: count, to: max(count, Self.minimumCapacity))
    }

    /// Adds a name to the last open object. Returns false if the object may have the name already.
    ///
    /// - Parameters:
    ///   - first: The number of names before those of the object.
    ///   - bloom: A bit for each name of the object.
    @inline(__always)
    mutating func add(_ name: String, first: Int, bloom: inout UInt64) -> Bool {
        let hash = NameHash.of(name)
        let bit: UInt64 = 1 &<< (hash &>> 58)
        if bloom & bit != 0, contains(hash, first) { return false }
        bloom |= bit
        if count == hashes.capacity { grow() }
        hashes.start[count] = hash
        count &+= 1
        return true
    }

    @inline(never)
    private mutating func contains(_ hash: UInt64, _ first: Int) -> Bool {
        if count - first < Self.maximumComparedCount {
            return (first..<count).contains { hashes.start[$0] == hash }
        }
        if large.last?.first != first { large.append((first, [])) }
        let last = large.count - 1
        // The names that were added without a look-up.
        for at in first + large[last].hashes.count..<count { large[last].hashes.insert(hashes.start[at]) }
        return large[last].hashes.contains(hash)
    }

    @inline(never)
    private mutating func grow() {
        hashes.grow(moving: count)
        if isSorted { offsets.grow(moving: count) }
    }

    /// Removes the last name, whose value was not encoded.
    mutating func removeLast() {
        count -= 1
        if let last = large.last, last.first + last.hashes.count > count {
            large[large.count - 1].hashes.remove(hashes.start[count])
        }
    }

    /// Removes the names of an object, whose text is complete or was given up, and of the objects inside.
    @inline(__always)
    mutating func removeAll(from first: Int) {
        count = first
        while let last = large.last, last.first >= first { large.removeLast() }
    }

    // MARK: Members

    /// Stores the offset of the last name's member.
    @inline(__always)
    func setOffset(_ offset: Int) { offsets.start[count &- 1] = offset }

    /// Moves the offsets of the members from a name on, because text before them was removed.
    func moveOffsets(from first: Int, by distance: Int) {
        for at in first..<max(first, count) { offsets.start[at] -= distance }
    }

    /// The offsets of the members from a name on.
    func offsets(from first: Int) -> UnsafeBufferPointer<Int> {
        UnsafeBufferPointer(start: offsets.start + first, count: count - first)
    }
}

extension OutputBuffer {
    /// Returns the order of the last members of the output by the bytes of their names; nil if they are sorted.
    ///
    /// - Parameter offsets: The offsets of the members, each without the comma and the white space before the member.
    @inline(never)
    func memberOrder(_ offsets: UnsafeBufferPointer<Int>) -> [Int]? {
        func precedes(_ one: Int, _ other: Int) -> Bool {
            MemberText.precedes(start + offsets[one], start + offsets[other])
        }
        if offsets.indices.dropFirst().allSatisfy({ !precedes($0, $0 - 1) }) { return nil }
        return offsets.indices.sorted(by: precedes)
    }

    /// Moves the last members of the output to another order.
    mutating func reorderMembers(_ offsets: UnsafeBufferPointer<Int>, _ order: [Int]) {
        // A comma, and a line break with the indentation.
        let separator = isPretty ? 2 + 2 * depth : 1
        let start = offsets[0]
        let old = Array(bytes(start..<count))
        truncate(start)
        old.withUnsafeBufferPointer { old in
            for (position, member) in order.enumerated() {
                if position > 0 {
                    let between = offsets[1] - separator - start
                    verbatim(UnsafeBufferPointer(rebasing: old[between..<between + separator]))
                }
                let end = member + 1 < offsets.count ? offsets[member + 1] - separator - start : old.count
                verbatim(UnsafeBufferPointer(rebasing: old[offsets[member] - start..<end]))
            }
        }
    }
}

/// The text of a member of an object, which begins with its key.
private enum MemberText {
    /// Whether the bytes of a member's key precede those of another member's.
    static func precedes(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") }
        var at = 1
        while one[at] == other[at], isPlain(one[at]) { at += 1 }
        // An escape may represent a lesser byte, and a quote ends the key.
        if isPlain(one[at]), isPlain(other[at]) { return one[at] < other[at] }
        return key(one).utf8.lexicographicallyPrecedes(key(other).utf8)
    }

    /// Returns the unescaped key.
    private static func key(_ text: UnsafePointer<UInt8>) -> String {
        var end = 1
        while text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return JSONText.unescaped(UnsafeBufferPointer(start: text, count: end + 1))
    }
}

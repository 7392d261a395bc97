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
    /// The hashes of the names in objects with many names, by the tokens of the objects.
    private var large: [(token: UInt64, hashes: Set<UInt64>)] = []

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

    /// Adds a name to an object. Returns false if the object may have the name already.
    ///
    /// - Parameters:
    ///   - first: The number of names before those of the object.
    ///   - bloom: A bit for each name of the object.
    @inline(__always)
    mutating func add(_ name: String, first: Int, bloom: inout UInt64, _ token: UInt64) -> Bool {
        let hash = NameHash.of(name)
        let bit: UInt64 = 1 &<< (hash &>> 58)
        if bloom & bit != 0, contains(hash, first, token) { return false }
        bloom |= bit
        if count == hashes.capacity { grow() }
        hashes.start[count] = hash
        count &+= 1
        return true
    }

    @inline(never)
    private mutating func contains(_ hash: UInt64, _ first: Int, _ token: UInt64) -> Bool {
        if count - first >= Self.maximumComparedCount { return isLarge(hash, first, token) }
        for at in first..<count where hashes.start[at] == hash { return true }
        return false
    }

    /// Looks up a name in an object with many names.
    private mutating func isLarge(_ hash: UInt64, _ first: Int, _ token: UInt64) -> Bool {
        if large.last?.token != token {
            if let known = large.firstIndex(where: { $0.token == token }) {
                large.swapAt(known, large.count - 1)
            } else {
                large.append((token, []))
            }
        }
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
        // The set of a large object is created again on demand.
        if !large.isEmpty { large = [] }
    }

    /// Removes the names of an object, whose text is complete, and of the objects inside.
    @inline(__always)
    mutating func removeAll(from first: Int) { count = first }

    /// Removes the sets of objects whose nodes were removed.
    @inline(__always)
    mutating func forget(where isRemoved: (UInt64) -> Bool) {
        if !large.isEmpty { large.removeAll { isRemoved($0.token) } }
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
    /// Sorts the members of the object at the end of the output by the bytes of their names.
    ///
    /// - Parameters:
    ///   - offsets: The offsets of the members, each without the comma and the white space before the member.
    ///   - moved: Receives the old range of each member and the new offset, if the order changes.
    @inline(never)
    mutating func sortMembers(at offsets: UnsafeBufferPointer<Int>, moved: (Range<Int>, Int) -> Void) {
        guard offsets.count > 1 else { return }
        // A comma, and a line break with the indentation.
        let separator = isPretty ? 2 + 2 * depth : 1
        let end = count
        func text(_ member: Int) -> Range<Int> {
            offsets[member]..<(member + 1 < offsets.count ? offsets[member + 1] - separator : end)
        }
        func precedes(_ one: Int, _ other: Int) -> Bool {
            MemberText.precedes(bytes(text(one)), bytes(text(other)))
        }
        if (1..<offsets.count).allSatisfy({ !precedes($0, $0 - 1) }) { return }
        let order = offsets.indices.sorted(by: precedes)
        let start = offsets[0]
        let between = Array(bytes(offsets[1] - separator..<offsets[1]))
        let old = Array(bytes(start..<end))
        truncate(start)
        old.withUnsafeBufferPointer { old in
            for (position, member) in order.enumerated() {
                if position > 0 { between.withUnsafeBufferPointer { verbatim($0) } }
                let text = text(member)
                moved(text, count)
                verbatim(UnsafeBufferPointer(rebasing: old[text.lowerBound - start..<text.upperBound - start]))
            }
        }
    }
}

/// The text of a member of an object, which begins with its key.
private enum MemberText {
    /// Whether the bytes of a member's key precede those of another member's.
    static func precedes(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        var at = 1
        while true {
            let (left, right) = (one[at], other[at])
            // An escape may represent a lesser byte, and a quote ends the key.
            let isEnd = left == UInt8(ascii: "\"") || right == UInt8(ascii: "\"")
            if isEnd || left == UInt8(ascii: "\\") || right == UInt8(ascii: "\\") { break }
            if left != right { return left < right }
            at += 1
        }
        return key(one, from: at).lexicographicallyPrecedes(key(other, from: at))
    }

    /// Returns the unescaped bytes of the key from an offset on.
    private static func key(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> [UInt8] {
        var at = start
        var isPlain = true
        while text[at] != UInt8(ascii: "\"") {
            let isEscape = text[at] == UInt8(ascii: "\\")
            if isEscape { isPlain = false }
            at += isEscape ? 2 : 1
        }
        if isPlain { return Array(text[start..<at]) }
        let quoted = [UInt8(ascii: "\"")] + text[start...at]
        return quoted.withUnsafeBufferPointer { Array(JSONText.unescaped($0).utf8) }
    }
}

import SluiceCore

/// The names in the open objects, in which repeated names are found, and the offsets of the members.
///
/// The names of an object follow those of the enclosing objects. An object refers to its names by the number of names before them.
///
/// Invariant: the first `count` hashes are initialized and, if keys are sorted, as many offsets.
struct ObjectNames: ~Copyable {
    struct Name {
        fileprivate var hash: UInt64
        /// The offset of the member in the output, without the comma and the white space before the member.
        fileprivate var offset: Int
    }

    private var names = GrowableMemory<Name>(capacity: minimumCapacity)
    private(set) var count = 0
    /// The hashes of the names in the open objects with many names, by the number of names before those of the object.
    private var large: [(first: Int, hashes: Set<UInt64>)] = []

    /// The number of names up to which a new name is compared with each of them.
    private static var maximumComparedCount: Int { 64 }
    private static var minimumCapacity: Int { 64 }

    deinit { names.deallocate() }

    /// The size of the memory.
    var size: Int { names.size }

    /// Frees memory that the names do not need.
    mutating func shrink() { names.shrink(moving: count, to: max(count, Self.minimumCapacity)) }

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
        if count == names.capacity { names.grow(moving: count) }
        names.start[count].hash = hash
        count &+= 1
        return true
    }

    @inline(never)
    private mutating func contains(_ hash: UInt64, _ first: Int) -> Bool {
        if count - first < Self.maximumComparedCount {
            return (first..<count).contains { names.start[$0].hash == hash }
        }
        if large.last?.first != first { large.append((first, [])) }
        let last = large.count - 1
        // The names that were added without a look-up.
        for at in first + large[last].hashes.count..<count { large[last].hashes.insert(names.start[at].hash) }
        return large[last].hashes.contains(hash)
    }

    /// Removes the last name, whose value was not encoded.
    mutating func removeLast() {
        count -= 1
        if let last = large.last, last.first + last.hashes.count > count {
            large[large.count - 1].hashes.remove(names.start[count].hash)
        }
    }

    /// Removes the names of an object, whose text is complete or was given up, and of the objects inside.
    @inline(__always)
    mutating func removeAll(from first: Int) {
        count = first
        while let last = large.last, last.first >= first { large.removeLast() }
    }

    /// Stores the offset of the last name's member.
    @inline(__always)
    func setOffset(_ offset: Int) { names.start[count &- 1].offset = offset }

    /// The names from a name on.
    func names(from first: Int) -> UnsafeBufferPointer<Name> {
        UnsafeBufferPointer(start: names.start + first, count: count - first)
    }
}

// MARK: Sorting

extension OutputBuffer {
    /// Returns the order of the last members of the output by the bytes of their names; nil if they are sorted.
    @inline(never)
    func memberOrder(_ members: UnsafeBufferPointer<ObjectNames.Name>) -> [Int]? {
        func precedes(_ one: Int, _ other: Int) -> Bool {
            let (one, other) = (start + members[one].offset, start + members[other].offset)
            func isPlain(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") }
            var at = 1
            while one[at] == other[at], isPlain(one[at]) { at += 1 }
            // An escape may represent a lesser byte, and a quote ends the key.
            if isPlain(one[at]), isPlain(other[at]) { return one[at] < other[at] }
            return String(quotedAt: one).utf8.lexicographicallyPrecedes(String(quotedAt: other).utf8)
        }
        if members.indices.dropFirst().allSatisfy({ !precedes($0, $0 - 1) }) { return nil }
        return members.indices.sorted(by: precedes)
    }

    /// Moves the last members of the output to another order.
    mutating func reorderMembers(_ members: UnsafeBufferPointer<ObjectNames.Name>, _ order: [Int]) {
        // A comma, and a line break with the indentation.
        let separator = isPretty ? 2 + 2 * depth : 1
        let start = members[0].offset
        let old = Array(bytes(start..<count))
        truncate(start)
        old.withUnsafeBufferPointer { old in
            for (position, member) in order.enumerated() {
                if position > 0 {
                    let between = members[1].offset - separator - start
                    verbatim(UnsafeBufferPointer(rebasing: old[between..<between + separator]))
                }
                let end = member + 1 < members.count ? members[member + 1].offset - separator - start : old.count
                verbatim(UnsafeBufferPointer(rebasing: old[members[member].offset - start..<end]))
            }
        }
    }
}

extension String {
    /// Creates a string from its JSON, which an encoder wrote.
    init(quotedAt start: UnsafePointer<UInt8>) {
        var (end, hasEscapes) = (1, false)
        while start[end] != UInt8(ascii: "\"") {
            let isEscape = start[end] == UInt8(ascii: "\\")
            hasEscapes = hasEscapes || isEscape
            end += isEscape ? 2 : 1
        }
        let json = UnsafeBufferPointer(start: start, count: end + 1)
        self = (hasEscapes ? String(written: json) : nil) ?? String(decoding: json[1..<end], as: UTF8.self)
    }
}

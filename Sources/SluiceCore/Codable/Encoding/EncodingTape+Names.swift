// The names of the open objects: duplicates, and their order if keys are sorted.

extension EncodingTape {
    /// Adds the name of a member that is about to be written. Returns false if the object may have the name already.
    @inline(__always)
    func addName(_ name: String, _ index: Int) -> Bool {
        let hash = NameHash.of(name)
        let bit: UInt64 = 1 &<< (hash &>> 58)
        let first = nodes[index].firstName
        if nodes[index].bloom & bit != 0, hasName(hash, index, first) { return false }
        nodes[index].bloom |= bit
        if nameCount == nameCapacity { growNames() }
        names[nameCount] = hash
        nameCount &+= 1
        return true
    }

    @inline(never)
    private func hasName(_ hash: UInt64, _ index: Int, _ first: Int) -> Bool {
        if nameCount - first >= 64 { return isLargeName(hash, index, first) }
        for at in first..<nameCount where names[at] == hash { return true }
        return false
    }

    /// Looks up a name in an object with many names. Adds the name.
    private func isLargeName(_ hash: UInt64, _ index: Int, _ first: Int) -> Bool {
        let token = token(of: index)
        if largeNames.last?.token != token {
            if let known = largeNames.firstIndex(where: { $0.token == token }) {
                largeNames.swapAt(known, largeNames.count - 1)
            } else {
                largeNames.append((token, []))
            }
        }
        let last = largeNames.count - 1
        // The names that were added without a look-up.
        for at in first + largeNames[last].hashes.count..<nameCount { largeNames[last].hashes.insert(names[at]) }
        return largeNames[last].hashes.contains(hash)
    }

    @inline(never)
    private func growNames() {
        func grow<T>(_ memory: inout UnsafeMutablePointer<T>) {
            let larger = UnsafeMutablePointer<T>.allocate(capacity: 2 * nameCapacity)
            larger.moveInitialize(from: memory, count: nameCount)
            memory.deallocate()
            memory = larger
        }
        grow(&names)
        if isSorted { grow(&entries) }
        nameCapacity *= 2
    }

    /// Removes the last name, whose value was not encoded.
    func removeName() {
        nameCount -= 1
        // A large object makes its set anew.
        if !largeNames.isEmpty { largeNames = [] }
    }

    /// Notes the offset of the last name's member.
    @inline(__always)
    func addEntry() { entries[nameCount &- 1] = out.count }

    /// Sorts the members of the last open object by the bytes of their names.
    @inline(never)
    func sort(_ index: Int) {
        let first = nodes[index].firstName
        let count = nameCount - first
        guard count > 1 else { return }
        // A comma, and a line break with the indentation.
        let separator = out.isPretty ? 2 + 2 * out.depth : 1
        let end = out.count
        func text(_ member: Int) -> Range<Int> {
            let start = entries[first + member]
            return start..<(member + 1 < count ? entries[first + member + 1] - separator : end)
        }
        if (1..<count).allSatisfy({ !MemberText.precedes(out.bytes(text($0)), out.bytes(text($0 - 1))) }) { return }
        let order = (0..<count).sorted { MemberText.precedes(out.bytes(text($0)), out.bytes(text($1))) }
        let start = entries[first]
        let between = Array(out.bytes(entries[first + 1] - separator..<entries[first + 1]))
        let old = Array(out.bytes(start..<end))
        out.truncate(start)
        // The new starts of nested containers, which can be written to later.
        var moved: [(node: Int, start: Int)] = []
        old.withUnsafeBufferPointer { old in
            for (position, member) in order.enumerated() {
                if position > 0 { between.withUnsafeBufferPointer { out.verbatim($0) } }
                let text = text(member)
                for node in index + 1..<max(nodeCount, index + 1) where text.contains(nodes[node].start) {
                    moved.append((node, nodes[node].start - text.lowerBound + out.count))
                }
                out.verbatim(UnsafeBufferPointer(rebasing: old[text.lowerBound - start..<text.upperBound - start]))
            }
        }
        for (node, start) in moved { nodes[node].start = start }
    }
}

/// The text of a member of an object, which begins with its key.
private enum MemberText {
    /// Whether the bytes of a member's key precede those of another member's.
    static func precedes(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        var at = 1
        while true {
            let (left, right) = (one[at], other[at])
            // An escape may stand for a lesser byte, and a quote ends the key.
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

/// The output of one call of an encoder of `Encodable` values, and the state of the values that are being encoded.
///
/// Values are written to the output at once. Almost all types encode their elements in the order of the output: a nested value
/// is finished before the next element of its container begins. If an element is encoded in another order, or for a name that
/// has a value already, the text of the current value becomes an ``EncodingTree``, which is written at the end of the value.
///
/// Encoders and containers refer to a node of the tape by a token, the node's generation and index. A token that outlives its
/// node has no effect.
///
/// Invariant: the tape owns the memory of `nodes`, `names` and `entries`, the first `nodeCount`, `nameCount` and `entryCount`
/// elements of which are initialized. Nodes above a value's node belong to the value.
package final class EncodingTape {
    // Exclusivity is not checked, because checks would take longer than the accesses. No method calls code of clients, or a
    // closure other than one of this folder, during an access.
    @exclusivity(unchecked) var out: OutputBuffer
    let options: EncodableOptions
    // Copies of options that are read for each member.
    let types: EncodableTypes
    let keepsKeys: Bool
    let isSorted: Bool
    let depthLimit: Int
    @exclusivity(unchecked) private(set) var nodes: UnsafeMutablePointer<EncodingNode>
    @exclusivity(unchecked) private(set) var nodeCount = 0
    private var nodeCapacity = 16
    private var generation: UInt32 = 0
    /// The token of the node to whose container, or as whose value, the next text can be written. 0 if there is no such node.
    @exclusivity(unchecked) var current: UInt64 = 0
    /// The hashes of the names in the open objects.
    @exclusivity(unchecked) private var names: UnsafeMutablePointer<UInt64>
    @exclusivity(unchecked) var nameCount = 0
    private var nameCapacity = 64
    /// The offsets of the members in the open objects, if keys are sorted; else without meaning.
    @exclusivity(unchecked) private(set) var entries: UnsafeMutablePointer<Int>
    /// The hashes of the names in objects with many names.
    private var largeNames: [(token: UInt64, hashes: Set<UInt64>)] = []
    /// The keys of nested containers.
    var keptKeys: [any CodingKey] = []
    /// The path of the root.
    let base: [any CodingKey]
    /// The number of brackets around the root.
    let baseDepth: Int
    /// The place of the root in the tape of a subclass; nil for the tape of a call.
    let superValue: SuperValue?
    /// Whether a container was deeper than the limit. The error is thrown at the end, whatever clients catch.
    var isTooDeep = false
    /// Containers that were used before, for the next value with the same type of keys.
    @exclusivity(unchecked) var boxes = KeyedBoxes()

    init(
        _ options: EncodableOptions, base: [any CodingKey] = [], depth: Int = 0, superValue: SuperValue? = nil
    ) {
        self.superValue = superValue
        self.options = options
        (types, keepsKeys, isSorted, depthLimit) = (
            options.types, options.keepsKeys, options.isSorted, options.depthLimit
        )
        self.base = base
        baseDepth = depth
        out = OutputBuffer(options.format)
        out.depth = depth
        nodes = .allocate(capacity: nodeCapacity)
        names = .allocate(capacity: nameCapacity)
        entries = .allocate(capacity: options.isSorted ? nameCapacity : 0)
    }

    deinit {
        if let superValue { finish(superValue) }
        nodes.deinitialize(count: nodeCount)
        nodes.deallocate()
        names.deallocate()
        entries.deallocate()
    }

    /// Prepares the tape for another call.
    func restart() {
        removeNodes(to: 0)
        (nameCount, current, isTooDeep) = (0, 0, false)
        if !keptKeys.isEmpty { keptKeys = [] }
        if !largeNames.isEmpty { largeNames = [] }
        out.restart()
        out.depth = baseDepth
    }
}

// MARK: Nodes

extension EncodingTape {
    /// Returns the token of a node.
    @inline(__always)
    func token(of index: Int) -> UInt64 {
        UInt64(nodes[index].generation) &<< 32 | UInt64(truncatingIfNeeded: index)
    }

    @inline(__always)
    static func index(of token: UInt64) -> Int { Int(truncatingIfNeeded: token & 0xFFFF_FFFF) }

    /// Returns the index of a token's node; nil if the node was removed.
    @inline(__always)
    func index(of token: UInt64) -> Int? {
        let index = Self.index(of: token)
        guard index < nodeCount, nodes[index].generation == UInt32(truncatingIfNeeded: token &>> 32) else {
            return nil
        }
        return index
    }

    /// Adds the node of a value.
    ///
    /// - Parameter entry: The offset of the value's entry in its container.
    /// - Returns: The token.
    @inline(__always)
    func addValue(key: KeyReference, parent: Int, entry: Int) -> UInt64 {
        add(key: key, parent: parent, entry: entry, isValue: true)
    }

    /// Adds the node of a nested container.
    @inline(never)
    func addContainer(_ kind: EncodingNode.Kind, key: any CodingKey, parent: Int) -> UInt64 {
        keptKeys.append(key)
        let token = add(key: .kept(keptKeys.count - 1), parent: parent, entry: out.count, isValue: false)
        let index = Self.index(of: token)
        nodes[index].kind = kind
        if nodes[index].depth >= depthLimit { isTooDeep = true }
        return token
    }

    @inline(__always)
    private func add(key: KeyReference, parent: Int, entry: Int, isValue: Bool) -> UInt64 {
        if nodeCount == nodeCapacity { growNodes() }
        generation &+= 1
        if generation == 0 { generation = 1 }
        let isRoot = parent < 0
        (nodes + nodeCount).initialize(
            to: EncodingNode(
                generation: generation, isValue: isValue, parent: parent, key: key,
                depth: isRoot ? baseDepth : nodes[parent].depth &+ 1, entry: entry, start: out.count,
                firstName: nameCount))
        nodeCount &+= 1
        return UInt64(generation) &<< 32 | UInt64(truncatingIfNeeded: nodeCount &- 1)
    }

    @inline(never)
    private func growNodes() {
        let larger = UnsafeMutablePointer<EncodingNode>.allocate(capacity: 2 * nodeCapacity)
        larger.moveInitialize(from: nodes, count: nodeCount)
        nodes.deallocate()
        nodes = larger
        nodeCapacity *= 2
    }

    /// Removes the nodes from an index on.
    @inline(__always)
    func removeNodes(to index: Int) {
        (nodes + index).deinitialize(count: nodeCount &- index)
        nodeCount = index
    }
}

// MARK: Values

extension EncodingTape {
    /// Ends a value, whose text then is complete. Removes its nodes.
    @inline(__always)
    func endValue(_ token: UInt64) {
        let index = Self.index(of: token)
        if current == token, nodes[index].isOpen {
            close(index)
        } else if nodes[index].kind != .text {
            endRareValue(index)
        }
        dropValue(index)
    }

    @inline(never)
    private func endRareValue(_ index: Int) {
        if let tree = nodes[index].tree {
            out.truncate(nodes[index].start)
            out.depth = nodes[index].depth
            tree.write(to: &out, isSorted: isSorted)
        } else if nodes[index].kind == .empty {
            emptyObject()
        } else {
            closeContainers(to: index)
        }
    }

    /// Removes the nodes and names of a value.
    @inline(__always)
    func dropValue(_ index: Int) {
        if index + 1 < nodeCount { removeContainers(of: index) }
        nameCount = nodes[index].firstName
        removeNodes(to: index)
        if !largeNames.isEmpty { largeNames.removeAll { Self.index(of: $0.token) >= index } }
    }

    /// Removes the nodes above that of a value.
    @inline(never)
    func removeContainers(of index: Int) {
        nameCount = nodes[index].firstName
        if index + 1 < nodeCount, case .kept(let first) = nodes[index + 1].key {
            keptKeys.removeSubrange(first...)
        }
        removeNodes(to: index + 1)
    }

    func emptyObject() {
        out.reserve(64)
        out.open("{")
        out.close("}")
    }

    /// Closes the open containers of a value, up to that of a node.
    ///
    /// - Precondition: The value is the last one, and has no tree.
    func closeContainers(to index: Int) {
        var at = Self.index(of: current)
        while true {
            if nodes[at].isOpen { close(at) }
            if at <= index { return }
            at = nodes[at].parent
        }
    }

    /// Writes the opening bracket of a node's container.
    @inline(__always)
    func open(_ index: Int, _ kind: EncodingNode.Kind) {
        if nodes[index].depth >= depthLimit { isTooDeep = true }
        nodes[index].kind = kind
        nodes[index].isOpen = true
        nodes[index].start = out.count
        out.reserve(64)
        out.open(kind == .object ? "{" : "[")
    }

    /// Writes the closing bracket of a node's container.
    @inline(__always)
    func close(_ index: Int) {
        if isSorted, nodes[index].kind == .object { sort(index) }
        out.close(nodes[index].kind == .object ? "}" : "]")
        nodes[index].isOpen = false
        nameCount = nodes[index].firstName
    }
}

// MARK: Names

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
    private func sort(_ index: Int) {
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

/// A hash of a name's bytes.
enum NameHash {
    @inline(__always)
    static func of(_ name: String) -> UInt64 {
        if StringBytes.isKnown {
            let string = StringBytes(name)
            if let count = string.smallCount { return mix(string.low, string.high & 0x00FF_FFFF_FFFF_FFFF, count) }
        }
        return ofLong(name)
    }

    @inline(never)
    private static func ofLong(_ name: String) -> UInt64 {
        var name = name
        return name.withUTF8 { bytes in
            var low: UInt64 = 0
            var high: UInt64 = 0
            let count = UInt64(bytes.count)
            guard let base = bytes.baseAddress else { return mix(0, 0, 0) }
            if bytes.count <= 15 {
                for at in bytes.indices {
                    let byte = UInt64(bytes[at])
                    if at < 8 { low |= byte &<< UInt64(8 * at) } else { high |= byte &<< UInt64(8 * at - 64) }
                }
                return mix(low, high, count)
            }
            var at = 0
            var hash: UInt64 = 0
            while at < bytes.count {
                at = min(at, bytes.count - 16)
                hash = mix(Kernels.word(base + at) ^ hash, Kernels.word(base + at + 8), count)
                at += 16
            }
            return hash
        }
    }

    @inline(__always)
    private static func mix(_ low: UInt64, _ high: UInt64, _ count: UInt64) -> UInt64 {
        let product = (low ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
            by: (high ^ count &<< 56) ^ 0xD6E8_FEB8_6659_FD93)
        return (product.high ^ product.low) &* 0x2545_F491_4F6C_DD1D
    }
}

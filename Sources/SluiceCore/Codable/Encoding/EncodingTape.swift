/// The output of one call of an encoder of `Encodable` values, and the state of the values that are being encoded.
///
/// Values are written to the output at once. Almost all types encode their elements in the order of the output: a nested value
/// is finished before the next element of its container begins. If an element is encoded in another order, or for a name that
/// has a value already, the text of the current value becomes an ``EncodingTree``, which is written at the end of the value.
///
/// Encoders and containers refer to a node of the tape by a token, the node's generation and index. A token that outlives its
/// node has no effect.
///
/// Invariant: the tape owns the memory of `nodes`, `names` and `entries`. The first `nodeCount` elements of `nodes`, the first
/// `nameCount` elements of `names` and, if keys are sorted, as many of `entries` are initialized. The nodes above a value's
/// node belong to the value, or to values inside of it.
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
    @exclusivity(unchecked) private var nodeCapacity = EncodingTape.firstNodeCapacity
    @exclusivity(unchecked) private var generation: UInt32 = 0
    /// The token of the node to whose container, or as whose value, the next text can be written. 0 if there is no such node.
    @exclusivity(unchecked) var current: UInt64 = 0
    /// The hashes of the names in the open objects.
    @exclusivity(unchecked) var names: UnsafeMutablePointer<UInt64>
    @exclusivity(unchecked) var nameCount = 0
    @exclusivity(unchecked) var nameCapacity = EncodingTape.firstNameCapacity
    /// The offsets of the members in the open objects, if keys are sorted; else without meaning.
    @exclusivity(unchecked) var entries: UnsafeMutablePointer<Int>
    /// The hashes of the names in objects with many names.
    @exclusivity(unchecked) var largeNames: [(token: UInt64, hashes: Set<UInt64>)] = []
    /// The keys of nested containers.
    @exclusivity(unchecked) var keptKeys: [any CodingKey] = []
    /// The path of the root.
    let base: [any CodingKey]
    /// The number of brackets around the root.
    let baseDepth: Int
    /// The place of the root in the tape of a subclass; nil for the tape of a call.
    let superValue: SuperValue?
    /// Whether a container was deeper than the limit. The error is thrown at the end, whatever clients catch.
    @exclusivity(unchecked) var isTooDeep = false
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
        if size > Self.mostKept { shrink() }
    }

    private static var firstNodeCapacity: Int { 16 }
    private static var firstNameCapacity: Int { 64 }

    /// The greatest size of memory that is kept for another call.
    private static var mostKept: Int { 1 << 18 }

    /// The size of the memory, without the output and what is freed after each call.
    var size: Int {
        nodeCapacity * MemoryLayout<EncodingNode>.stride
            + nameCapacity * (MemoryLayout<UInt64>.stride + (isSorted ? MemoryLayout<Int>.stride : 0))
    }

    /// Frees memory beyond the needs of most values.
    ///
    /// - Precondition: The tape has no nodes and names.
    private func shrink() {
        nodes.deallocate()
        names.deallocate()
        entries.deallocate()
        (nodeCapacity, nameCapacity) = (Self.firstNodeCapacity, Self.firstNameCapacity)
        nodes = .allocate(capacity: nodeCapacity)
        names = .allocate(capacity: nameCapacity)
        entries = .allocate(capacity: isSorted ? nameCapacity : 0)
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
            if isTooDeep { return }
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

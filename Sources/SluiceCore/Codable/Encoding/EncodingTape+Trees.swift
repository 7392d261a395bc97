// Entries that are not encoded in the order of the output.

extension EncodingTape {
    /// The destination of an entry.
    enum Place {
        /// The end of the output. The name of a member has been added.
        case output
        case tree(EncodingTree)
        /// The value of the container has ended.
        case nowhere
    }

    /// Returns the place of an entry of a container. Closes other containers, or turns the container's value into a tree.
    ///
    /// - Parameter name: The name of a member; nil for an element.
    func place(of token: UInt64, name: String?) -> Place {
        guard let index = index(of: token) else { return .nowhere }
        if let tree = nodes[index].tree { return .tree(tree) }
        let value = value(of: index)
        // If the container is current, the object has the name already.
        if token != current, nextValue(after: value) == nil, nodes[index].isOpen {
            closeContainers(inside: index)
            current = token
            guard let name else { return .output }
            if addName(name, index) { return .output }
        }
        makeTree(value)
        return nodes[index].tree.map { .tree($0) } ?? .nowhere
    }

    private func closeContainers(inside index: Int) {
        var at = Self.index(of: current)
        while at != index, at >= 0 {
            if nodes[at].isOpen { close(at) }
            at = nodes[at].parent
        }
    }

    /// Returns the node of the value to which a container belongs.
    func value(of index: Int) -> Int {
        var index = index
        while !nodes[index].isValue { index = nodes[index].parent }
        return index
    }

    /// Returns the next value that is being encoded; nil if a value is the last one.
    private func nextValue(after index: Int) -> Int? {
        (index + 1..<max(nodeCount, index + 1)).first { nodes[$0].isValue }
    }

    /// Moves the text of a value to trees, one for each container that may be written to.
    func makeTree(_ index: Int) {
        let next = nextValue(after: index)
        let text = nodes[index].start..<(next.map { nodes[$0].entry } ?? out.count)
        var containers: [Int: Int] = [:]
        for at in index..<(next ?? nodeCount) where nodes[at].tree == nil { containers[nodes[at].start] = at }
        if isTooDeep {
            // The call fails, and reading the text would exhaust the stack.
            for at in containers.values {
                nodes[at].tree = EncodingTree(isArray: nodes[at].kind == .array)
                nodes[at].isOpen = false
            }
        } else {
            _ = EncodingTree(out.bytes(text), origin: text.lowerBound) {
                containers[$0] != nil
            } found: { start, tree in
                guard let at = containers[start] else { return }
                nodes[at].tree = tree
                nodes[at].kind = tree.isArray ? .array : .object
                nodes[at].isOpen = false
            }
        }
        out.remove(text)
        guard let next else {
            nameCount = nodes[index].firstName
            (current, out.first, out.depth) = (0, 1, nodes[index].depth)
            return
        }
        for at in next..<nodeCount {
            nodes[at].entry -= text.count
            nodes[at].start -= text.count
        }
        guard isSorted else { return }
        for at in nodes[next].firstName..<nameCount { entries[at] -= text.count }
    }
}

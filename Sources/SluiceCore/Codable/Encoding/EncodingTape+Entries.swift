// Members of objects and elements of arrays.

/// An entry of a container whose value is being encoded.
struct OpenEntry {
    /// The token of the value.
    let value: UInt64
    /// The token of the container.
    let container: UInt64
    /// Whether the entry is written in its place in the output. Else the text is moved to a tree.
    let isDirect: Bool
    /// The state of the tape before the entry.
    let previous: UInt64
    let first: Int
    let depth: Int
}

extension EncodingTape {
    /// Writes a member with a scalar.
    @inline(__always)
    func member(_ token: UInt64, _ name: String, _ write: (inout OutputBuffer) -> Void) {
        if token == current, addName(name, Self.index(of: token)) {
            key(name)
            write(&out)
        } else {
            rareMember(token, name, write)
        }
    }

    @inline(never)
    private func rareMember(_ token: UInt64, _ name: String, _ write: (inout OutputBuffer) -> Void) {
        let place = place(of: token, name: name)
        if case .output = place {
            key(name)
            return write(&out)
        }
        let text = aside(token, write)
        if case .tree(let tree) = place { tree[name] = .text(text) }
    }

    /// Writes an element that is a scalar.
    @inline(__always)
    func element(_ token: UInt64, _ write: (inout OutputBuffer) -> Void) {
        if token == current {
            nodes[Self.index(of: token)].count &+= 1
            out.reserve(128)
            out.comma()
            write(&out)
        } else {
            rareElement(token, write)
        }
    }

    @inline(never)
    private func rareElement(_ token: UInt64, _ write: (inout OutputBuffer) -> Void) {
        let place = place(of: token, name: nil)
        if case .output = place { return element(token, write) }
        let text = aside(token, write)
        if case .tree(let tree) = place { tree.append(.text(text)) }
    }

    /// Writes the comma before a member, the key and the colon.
    @inline(__always)
    func key(_ name: String) {
        out.reserve(128)
        out.comma()
        if isSorted { addEntry() }
        out.quoted(name)
        out.reserve(64)
        out.colon()
        out.reserve(64)
    }

    /// Returns text that is not written to the output.
    private func aside(_ token: UInt64, _ write: (inout OutputBuffer) -> Void) -> [UInt8] {
        let (start, first, depth) = (out.count, out.first, out.depth)
        out.first = 1
        if let index = index(of: token) { out.depth = nodes[index].depth + 1 }
        out.reserve(128)
        write(&out)
        let text = Array(out.bytes(start..<out.count))
        out.truncate(start)
        (out.first, out.depth) = (first, depth)
        return text
    }
}

// MARK: Values that are encoded by their types

extension EncodingTape {
    @inline(__always)
    func beginMember(_ token: UInt64, _ name: String, _ key: KeyReference) -> OpenEntry {
        let index = Self.index(of: token)
        guard token == current, addName(name, index) else { return beginRareEntry(token, name, key) }
        return beginDirectMember(token, name, key)
    }

    @inline(__always)
    private func beginDirectMember(_ token: UInt64, _ name: String, _ key: KeyReference) -> OpenEntry {
        let (start, first) = (out.count, out.first)
        self.key(name)
        return beginDirect(token, key, start, first)
    }

    @inline(__always)
    func beginElement(_ token: UInt64) -> OpenEntry {
        guard token == current else { return beginRareEntry(token, nil, .index(count(token))) }
        return beginDirectElement(token)
    }

    @inline(__always)
    private func beginDirectElement(_ token: UInt64) -> OpenEntry {
        let index = Self.index(of: token)
        let (start, first) = (out.count, out.first)
        out.reserve(128)
        out.comma()
        return beginDirect(token, .index(nodes[index].count), start, first)
    }

    @inline(__always)
    private func beginDirect(_ token: UInt64, _ key: KeyReference, _ start: Int, _ first: Int) -> OpenEntry {
        let depth = out.depth
        let value = addValue(key: key, parent: Self.index(of: token), entry: start)
        current = value
        return OpenEntry(
            value: value, container: token, isDirect: true, previous: token, first: first, depth: depth)
    }

    @inline(never)
    private func beginRareEntry(_ token: UInt64, _ name: String?, _ key: KeyReference) -> OpenEntry {
        let (previous, first, depth) = (current, out.first, out.depth)
        if case .output = place(of: token, name: name) {
            if let name { return beginDirectMember(token, name, key) }
            return beginDirectElement(token)
        }
        let container = index(of: token)
        let isConverted = current != previous
        let value = addValue(key: key, parent: container ?? nodeCount - 1, entry: out.count)
        let entry = OpenEntry(
            value: value, container: token, isDirect: false, previous: isConverted ? 0 : previous,
            first: isConverted ? 1 : first, depth: isConverted ? out.depth : depth)
        current = value
        out.first = 1
        out.depth = nodes[Self.index(of: value)].depth
        return entry
    }

    /// Ends an entry whose value has been encoded.
    ///
    /// - Parameter name: The name of a member; nil for an element.
    @inline(__always)
    func end(_ entry: OpenEntry, _ name: String?) {
        let index = Self.index(of: entry.value)
        let (start, offset) = (nodes[index].start, nodes[index].entry)
        endValue(entry.value)
        let container = Self.index(of: entry.container)
        if entry.isDirect, nodes[container].tree == nil {
            current = entry.container
            out.first = 0
            nodes[container].count &+= 1
        } else {
            endRare(entry, name, start, offset)
        }
    }

    @inline(never)
    private func endRare(_ entry: OpenEntry, _ name: String?, _ start: Int, _ offset: Int) {
        let text = Array(out.bytes(start..<out.count))
        out.truncate(offset)
        restore(entry)
        guard let container = index(of: entry.container), let tree = nodes[container].tree else { return }
        if let name { tree[name] = .text(text) } else { tree.append(.text(text)) }
    }

    /// Removes an entry whose value could not be encoded.
    @inline(never)
    func abandon(_ entry: OpenEntry, isMember: Bool) {
        let index = Self.index(of: entry.value)
        out.truncate(nodes[index].entry)
        dropValue(index)
        if entry.isDirect, nodes[Self.index(of: entry.container)].tree == nil {
            current = entry.container
            (out.first, out.depth) = (entry.first, entry.depth)
            if isMember { removeName() }
        } else {
            restore(entry)
        }
    }

    /// Restores the state before an entry that was not written in its place.
    private func restore(_ entry: OpenEntry) {
        guard entry.isDirect else {
            (current, out.first, out.depth) = (entry.previous, entry.first, entry.depth)
            return
        }
        // The container became a tree while its entry was encoded.
        current = 0
        out.first = 1
        out.depth = nodes[value(of: Self.index(of: entry.container))].depth
    }
}

// MARK: Nested containers

extension EncodingTape {
    /// Adds a nested container to an object, or returns the existing one.
    func nestedMember(_ token: UInt64, _ name: String, _ key: any CodingKey, _ kind: EncodingNode.Kind) -> UInt64 {
        let place: Place
        if token == current, addName(name, Self.index(of: token)) {
            place = .output
        } else {
            place = self.place(of: token, name: name)
        }
        switch place {
        case .output:
            self.key(name)
            return openNested(token, key, kind)
        case .tree(let tree):
            let nested: EncodingTree
            switch tree[name] {
            case .container(let known)? where known.isArray == (kind == .array): nested = known
            case .text(let text)? where text.first == UInt8(ascii: kind == .array ? "[" : "{"):
                nested = text.withUnsafeBufferPointer { EncodingTree($0) }
                tree[name] = .container(nested)
            case nil:
                nested = EncodingTree(isArray: kind == .array)
                tree[name] = .container(nested)
            default:
                preconditionFailure(
                    "A nested container was requested for the key \"\(name)\", which has another value already.")
            }
            return addTree(nested, token, key)
        case .nowhere:
            return addTree(EncodingTree(isArray: kind == .array), token, key)
        }
    }

    /// Adds a nested container to an array.
    func nestedElement(_ token: UInt64, _ kind: EncodingNode.Kind) -> UInt64 {
        let place = token == current ? .output : self.place(of: token, name: nil)
        let key = AnyCodingKey(index: count(token))
        switch place {
        case .output:
            nodes[Self.index(of: token)].count += 1
            out.reserve(128)
            out.comma()
            return openNested(token, key, kind)
        case .tree(let tree):
            let nested = EncodingTree(isArray: kind == .array)
            tree.append(.container(nested))
            return addTree(nested, token, key)
        case .nowhere:
            return addTree(EncodingTree(isArray: kind == .array), token, key)
        }
    }

    private func openNested(_ token: UInt64, _ key: any CodingKey, _ kind: EncodingNode.Kind) -> UInt64 {
        let nested = addContainer(kind, key: key, parent: Self.index(of: token))
        open(Self.index(of: nested), kind)
        current = nested
        return nested
    }

    private func addTree(_ tree: EncodingTree, _ token: UInt64, _ key: any CodingKey) -> UInt64 {
        let nested = addContainer(
            tree.isArray ? .array : .object, key: key, parent: index(of: token) ?? nodeCount - 1)
        nodes[Self.index(of: nested)].tree = tree
        return nested
    }

    /// The number of elements of a container.
    func count(_ token: UInt64) -> Int {
        guard let index = index(of: token) else { return 0 }
        return nodes[index].tree?.count ?? nodes[index].count
    }
}

// MARK: Values of superclasses

extension EncodingTape {
    /// Adds a member whose text was written by another tape.
    func add(_ text: UnsafeRawBufferPointer, _ token: UInt64, name: String) {
        member(token, name) { $0.verbatim(text.bindMemory(to: UInt8.self)) }
    }

    /// Inserts an element whose text was written by another tape.
    func insert(_ text: UnsafeRawBufferPointer, _ token: UInt64, at position: Int) {
        guard let index = index(of: token) else { return }
        if nodes[index].tree == nil, nodes[index].count > position { makeTree(value(of: index)) }
        if let tree = nodes[index].tree {
            tree.insert(.text(Array(text)), at: position)
        } else {
            element(token) { $0.verbatim(text.bindMemory(to: UInt8.self)) }
        }
    }
}

import SluiceCore

/// The output of one call of an encoder of `Encodable` values, and the state of the values that are being encoded.
///
/// Values are written to the output at once. Almost all types encode their elements in the order of the output: a nested value
/// is finished before the next element of its container begins. If an element is encoded in another order, or for a name that
/// has a value already, the text of the current value becomes an ``EncodingTree``, which is written at the end of the value.
///
/// Encoders and containers refer to a node of the tape by a token, the node's generation and index. A token that outlives its
/// node has no effect.
///
/// Invariant: the nodes above a value's node belong to the value, or to values inside of it.
package final class EncodingTape {
    // Exclusivity is not checked, because checks would take longer than the accesses. No method calls code of clients, or a
    // closure other than one of this folder, during an access.
    @exclusivity(unchecked) var out: OutputBuffer
    let options: EncodableOptions
    // Copies of options that are read for each member.
    private let types: EncodableTypes
    let keepsKeys: Bool
    let isSorted: Bool
    private let depthLimit: Int
    @exclusivity(unchecked) private var nodes = EncodingNodes()
    /// The token of the node that accepts the next text, as its value or into its container; 0 if no node does.
    @exclusivity(unchecked) private var current: UInt64 = 0
    @exclusivity(unchecked) private var names: ObjectNames
    /// The keys of nested containers.
    @exclusivity(unchecked) private var keptKeys: [any CodingKey] = []
    /// The path of the root.
    private let base: [any CodingKey]
    /// The number of brackets around the root.
    @exclusivity(unchecked) private var baseDepth: Int
    /// The container that receives the value of a superclass; nil for the tape of a call.
    private let superValue: SuperValue?
    /// Whether a container was deeper than the limit. The error is thrown at the end, whatever clients catch.
    @exclusivity(unchecked) private var isTooDeep = false
    /// Whether the reason is the thread's stack, not the limit.
    @exclusivity(unchecked) private var hasUsedUpStack = false
    /// Containers that were used before, for the next value with the same type of keys.
    @exclusivity(unchecked) private var boxes = ContainerBoxes()
    /// Whether `boxes` is used: during a call, whose end makes the containers that clients keep own the tape. The containers of a
    /// superclass's value keep its tape, whose end they determine.
    @exclusivity(unchecked) private var lendsContainers = false

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
        names = ObjectNames(isSorted: isSorted)
    }

    deinit { if let superValue { finish(superValue) } }

    /// Creates a tape for the same calls as another one.
    convenience init(like other: EncodingTape) { self.init(other.options, depth: other.baseDepth) }

    /// Prepares the tape for another call.
    func restart() {
        nodes.removeAll(from: 0)
        names.removeAll(from: 0)
        names.forget { _ in true }
        (current, isTooDeep, hasUsedUpStack) = (0, false, false)
        if !keptKeys.isEmpty { keptKeys = [] }
        out.restart()
        out.depth = baseDepth
        if size > Self.maximumKeptSize {
            nodes.shrink()
            names.shrink()
        }
    }

    /// Calls a closure while the tape writes to a buffer of another writer.
    func withOutput(_ other: inout OutputBuffer, _ body: (EncodingTape) throws -> Void) rethrows {
        swap(&out, &other)
        baseDepth = out.depth
        defer {
            swap(&out, &other)
            baseDepth = 0
        }
        try body(self)
    }

    /// The greatest size of memory that is kept for another call.
    private static var maximumKeptSize: Int { 1 << 18 }

    /// Whether the tape has nodes. Between two calls, these are nodes of nested containers that a kept container was asked for.
    var hasNodes: Bool { nodes.count > 0 }

    /// The size of the memory, without the output and without memory that is freed after each call.
    var size: Int { nodes.size + names.size }
}

// MARK: Nodes

extension EncodingTape {
    /// Returns the token of a node.
    @inline(__always)
    private func token(of index: Int) -> UInt64 {
        UInt64(nodes[index].generation) &<< 32 | UInt64(truncatingIfNeeded: index)
    }

    @inline(__always)
    private static func index(of token: UInt64) -> Int { Int(truncatingIfNeeded: token & 0xFFFF_FFFF) }

    /// Returns the index of a token's node; nil if the node was removed.
    @inline(__always)
    private func index(of token: UInt64) -> Int? {
        let index = Self.index(of: token)
        guard index < nodes.count, nodes[index].generation == UInt32(truncatingIfNeeded: token &>> 32) else {
            return nil
        }
        return index
    }

    /// Adds the node of a value.
    ///
    /// - Parameter entry: The offset of the value's entry in its container.
    /// - Returns: The token.
    @inline(__always)
    private func addValue(key: KeyReference, parent: Int, entry: Int) -> UInt64 {
        add(key: key, parent: parent, entry: entry, isValue: true)
    }

    /// Adds the node of a nested container.
    @inline(never)
    private func addContainer(_ kind: EncodingNode.Kind, key: any CodingKey, parent: Int) -> UInt64 {
        keptKeys.append(key)
        let token = add(key: .kept(keptKeys.count - 1), parent: parent, entry: out.count, isValue: false)
        let index = Self.index(of: token)
        nodes[index].kind = kind
        if nodes[index].depth >= depthLimit { isTooDeep = true }
        return token
    }

    @inline(__always)
    private func add(key: KeyReference, parent: Int, entry: Int, isValue: Bool) -> UInt64 {
        nodes.add(
            EncodingNode(
                isValue: isValue, parent: parent, key: key,
                depth: parent < 0 ? baseDepth : nodes[parent].depth &+ 1, entry: entry, start: out.count,
                firstName: names.count))
    }
}

// MARK: Values

extension EncodingTape {
    /// Ends a value, whose text then is complete. Removes its nodes.
    @inline(__always)
    private func endValue(_ token: UInt64) {
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
    private func dropValue(_ index: Int) {
        if index + 1 < nodes.count { removeContainers(of: index) }
        names.removeAll(from: nodes[index].firstName)
        nodes.removeAll(from: index)
        names.forget { Self.index(of: $0) >= index }
    }

    /// Removes the nodes above that of a value.
    @inline(never)
    private func removeContainers(of index: Int) {
        names.removeAll(from: nodes[index].firstName)
        if index + 1 < nodes.count, case .kept(let first) = nodes[index + 1].key {
            keptKeys.removeSubrange(first...)
        }
        nodes.removeAll(from: index + 1)
    }

    private func emptyObject() {
        out.reserve(64)
        out.open("{")
        out.close("}")
    }

    /// Adds the name of a member that is about to be written. Returns false if the object may have the name already.
    @inline(__always)
    private func addName(_ name: String, _ index: Int) -> Bool {
        names.add(name, first: nodes[index].firstName, bloom: &nodes[index].bloom, token(of: index))
    }

    /// Sorts the members of the last open object.
    @inline(never)
    private func sort(_ index: Int) {
        // The new starts of nested containers, which can be written to later.
        var moves: [(node: Int, start: Int)] = []
        out.sortMembers(at: names.offsets(from: nodes[index].firstName)) { text, start in
            for node in index + 1..<max(nodes.count, index + 1) where text.contains(nodes[node].start) {
                moves.append((node, nodes[node].start - text.lowerBound + start))
            }
        }
        for move in moves { nodes[move.node].start = move.start }
    }

    /// Closes the open containers of a value, up to that of a node.
    ///
    /// - Precondition: The value is the last one, and has no tree.
    private func closeContainers(to index: Int) {
        var at = Self.index(of: current)
        while true {
            if nodes[at].isOpen { close(at) }
            if at <= index { return }
            at = nodes[at].parent
        }
    }

    /// Writes the opening bracket of a node's container.
    @inline(__always)
    private func open(_ index: Int, _ kind: EncodingNode.Kind) {
        if nodes[index].depth >= depthLimit { isTooDeep = true }
        nodes[index].kind = kind
        nodes[index].isOpen = true
        nodes[index].start = out.count
        out.reserve(64)
        out.open(kind == .object ? "{" : "[")
    }

    /// Writes the closing bracket of a node's container.
    @inline(__always)
    private func close(_ index: Int) {
        if isSorted, nodes[index].kind == .object { sort(index) }
        out.close(nodes[index].kind == .object ? "}" : "]")
        nodes[index].isOpen = false
        names.removeAll(from: nodes[index].firstName)
    }
}

// MARK: Calls

extension EncodingTape {
    /// Encodes a value as the root.
    ///
    /// - Throws: `EncodingError`, an error of a plan, or an error of the value.
    func encodeRoot<T>(_ value: T, _ encode: (EncodingTape, UInt64) throws -> Void) throws {
        try withUnsafePointer(to: value) { try encodeRoot(at: $0, encode) }
    }

    /// Encodes a value in memory as the root.
    func encodeRoot<T: Encodable>(at address: UnsafePointer<T>) throws {
        try encodeRoot(at: address) { tape, token in
            try tape.encode(at: address, by: tape.types.writer(for: T.self), token)
        }
    }

    @inline(__always)
    private func encodeRoot<T>(
        at address: UnsafePointer<T>, _ encode: (EncodingTape, UInt64) throws -> Void
    ) throws {
        lendsContainers = true
        defer { releaseContainers() }
        let token = addValue(key: .none, parent: -1, entry: 0)
        current = token
        do { try encode(self, token) } catch is EncodingDepthError {
            throw tooDeep(address.pointee)
        }
        if nodes[0].kind == .empty { throw empty(address.pointee) }
        endValue(token)
        if isTooDeep { throw tooDeep(address.pointee) }
    }

    @inline(never)
    private func empty<T>(_ value: T) -> any Error {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: [], debugDescription: "Top-level \(T.self) did not encode any values."))
    }

    @inline(never)
    private func tooDeep<T>(_ value: T) -> any Error {
        let issue =
            hasUsedUpStack
            ? JSONIssue.stackUsedUp(depthLimit) : .encoding(.limitExceeded(.depth, limit: depthLimit))
        let error = JSONModelError(issues: [issue])
        guard options.throwsEncodingErrors else { return error }
        return EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: [], debugDescription: "Unable to encode the given top-level value to JSON.",
                underlyingError: error))
    }

    /// Measures the thread's stack before the `encode(to:)` of a value is called, which recurses with the levels of the value.
    @inline(__always)
    private func checkStack() throws(EncodingDepthError) {
        if ThreadStack.isUsedUp { throw stackUsedUp() }
        if isTooDeep { throw EncodingDepthError() }
    }

    /// Returns the error of a value that needs more of the thread's stack than is left.
    @inline(never)
    func stackUsedUp() -> EncodingDepthError {
        (isTooDeep, hasUsedUpStack) = (true, true)
        return EncodingDepthError()
    }
}

// MARK: Single values

extension EncodingTape {
    /// Opens the container of a value.
    @inline(__always)
    func openContainer(_ token: UInt64, _ kind: EncodingNode.Kind) {
        let index = Self.index(of: token)
        if token == current, nodes[index].kind == .empty {
            open(index, kind)
        } else {
            reopenContainer(token, kind)
        }
    }

    /// Checks that an existing container is of a kind.
    @inline(never)
    private func reopenContainer(_ token: UInt64, _ kind: EncodingNode.Kind) {
        guard let index = index(of: token) else { return }
        switch nodes[index].kind {
        case kind: return
        case .text where out.start[nodes[index].start] == UInt8(ascii: kind == .object ? "{" : "["):
            // The container continues the object or array that was encoded as a single value.
            makeTree(index)
        default:
            preconditionFailure("A container was requested for a value that has been encoded already.")
        }
    }

    /// Writes a scalar as a value.
    @inline(__always)
    func single(_ token: UInt64, _ write: (inout OutputBuffer) -> Void) {
        let index = Self.index(of: token)
        if token == current, nodes[index].kind == .empty {
            out.reserve(64)
            write(&out)
            nodes[index].kind = .text
            nodes[index].hasSingleValue = true
        } else {
            checkSingle(token)
        }
    }

    /// Checks that a single value can be encoded. The value is ignored if the value has a container.
    @inline(never)
    private func checkSingle(_ token: UInt64) {
        guard let index = index(of: token) else { return }
        precondition(!nodes[index].hasSingleValue, "A second value was encoded in the container of a single value.")
        nodes[index].hasSingleValue = true
    }

    @inline(never)
    func single(_ token: UInt64, nonConforming value: some BinaryFloatingPoint) throws {
        let text = try nonConforming(value, token)
        single(token) { text.write(to: &$0) }
    }

    /// Encodes any value as a single value, with the same encoder.
    func encodeSingle<T: Encodable>(_ value: T, _ token: UInt64) throws {
        guard let index = index(of: token) else { return }
        precondition(!nodes[index].hasSingleValue, "A second value was encoded in the container of a single value.")
        if try encodeFirst(value, token) {
            if nodes[index].kind == .empty {
                emptyObject()
                nodes[index].kind = .text
            }
        } else {
            // The members or elements of the value are added to the container.
            try checkStack()
            try value.encode(to: TapeEncoder(self, token))
        }
        nodes[index].hasSingleValue = true
    }

    /// Encodes a value with the same encoder by its type, unless the encoder has encoded something. Returns whether it has not.
    func encodeFirst<T: Encodable>(_ value: T, _ token: UInt64) throws -> Bool {
        guard let index = index(of: token), token == current, nodes[index].kind == .empty else { return false }
        let (first, depth) = (out.firstByteCount, out.depth)
        do { try encodeContents(of: value, token) } catch {
            // Another value can be encoded.
            resetValue(index, first: first, depth: depth)
            throw error
        }
        return true
    }

    /// Encodes a value by its type.
    @inline(__always)
    func encodeContents<T: Encodable>(of value: T, _ token: UInt64) throws {
        try withUnsafePointer(to: value) { try encode(at: $0, by: types.writer(for: T.self), token) }
    }

    /// Encodes a value in memory by a writer; nil calls the type's own `encode(to:)`.
    @inline(__always)
    func encode<T: Encodable>(
        at address: UnsafePointer<T>, by writer: Unmanaged<ValueWriter>?, _ token: UInt64
    ) throws {
        if let writer {
            try writer._withUnsafeGuaranteedRef { try $0.write(UnsafeRawPointer(address), self, token) }
            nodes[Self.index(of: token)].kind = .text
        } else {
            try checkStack()
            try Self.borrow(address) { try $0.encode(to: TapeEncoder(self, token)) }
        }
    }

    /// Calls a closure with a value in memory. A use of `pointee` would copy the value, if the type can be copied.
    @inline(__always)
    private static func borrow<T: ~Copyable>(
        _ address: UnsafePointer<T>, _ body: (borrowing T) throws -> Void
    ) rethrows {
        try body(address.pointee)
    }

    /// Removes all that was encoded as a value.
    private func resetValue(_ index: Int, first: Int, depth: Int) {
        removeContainers(of: index)
        out.truncate(nodes[index].start)
        (out.firstByteCount, out.depth) = (first, depth)
        nodes[index].kind = .empty
        nodes[index].tree = nil
        nodes[index].isOpen = false
        nodes[index].hasSingleValue = false
        nodes[index].count = 0
        nodes[index].bloom = 0
        current = token(of: index)
    }
}

// MARK: Values that have writers

extension EncodingTape {
    /// Writes the opening bracket of a container without a node.
    func openBracket(_ bracket: Unicode.Scalar) {
        if out.depth >= depthLimit { isTooDeep = true }
        out.reserve(64)
        out.open(bracket)
    }

    /// Writes an array of scalars.
    ///
    /// - Parameter write: Writes a scalar, given its index.
    @inline(__always)
    func array<T>(_ values: [T], _ write: (T, Int) throws -> Void) rethrows {
        openBracket("[")
        for index in values.indices {
            out.reserve(128)
            out.comma()
            try write(values[index], index)
        }
        out.close("]")
    }
}

extension EncodingTape {
    /// Encodes an element of a container that has a writer.
    @inline(__always)
    func encodePart<T: Encodable>(
        at address: UnsafePointer<T>, by writer: Unmanaged<ValueWriter>?, key: KeyReference, of token: UInt64
    ) throws {
        let value = addValue(key: key, parent: Self.index(of: token), entry: out.count)
        let index = Self.index(of: value)
        // Counted from the output, because a container with a writer may contain others without nodes.
        nodes[index].depth = out.depth
        current = value
        try encode(at: address, by: writer, value)
        endValue(value)
        out.firstByteCount = 0
        current = token
    }
}

extension EncodingTape {
    /// Begins a value that replaces another one and has the same path.
    func beginInner(_ token: UInt64) -> UInt64 {
        let inner = addValue(key: .none, parent: Self.index(of: token), entry: out.count)
        let index = Self.index(of: inner)
        nodes[index].depth = nodes[Self.index(of: token)].depth
        current = inner
        return inner
    }

    func endInner(_ inner: UInt64, _ token: UInt64) {
        endValue(inner)
        current = token
    }
}

extension EncodingTape {
    /// Encodes a value as a member.
    @inline(__always)
    func encodeMember<T: Encodable, Key: CodingKey>(
        _ value: UnsafePointer<T>, _ token: UInt64, _ key: Key
    ) throws {
        let name = text(of: key, token)
        try withUnsafePointer(to: key) { key in
            let entry = beginMember(token, name, KeyReference(key))
            do { try encode(at: value, by: types.writer(for: T.self), entry.value) } catch {
                abandon(entry, isMember: true)
                throw error
            }
            end(entry, name)
        }
    }

    /// Returns the text of a key in the output.
    @inline(__always)
    func text(of key: some CodingKey, _ token: UInt64) -> String {
        keepsKeys ? key.stringValue : convertedText(of: key, token)
    }

    @inline(never)
    private func convertedText(of key: some CodingKey, _ token: UInt64) -> String {
        if key is PlainCodingKey { return key.stringValue }
        return switch options.keys {
        case .none: key.stringValue
        case .snakeCase: SnakeCase.snakeCase(key.stringValue)
        case .custom(let convert): convert(path(of: token) + [key]).stringValue
        }
    }
}

// MARK: Entries

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
        let destination = destination(of: token, name: name)
        if case .output = destination {
            key(name)
            return write(&out)
        }
        let text = aside(token, write)
        if case .tree(let tree) = destination { tree[name] = .text(text) }
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
        let destination = destination(of: token, name: nil)
        if case .output = destination { return element(token, write) }
        let text = aside(token, write)
        if case .tree(let tree) = destination { tree.append(.text(text)) }
    }

    /// Writes the comma before a member, the key and the colon.
    @inline(__always)
    private func key(_ name: String) {
        out.reserve(128)
        out.comma()
        if isSorted { names.setOffset(out.count) }
        out.quoted(name)
        out.reserve(64)
        out.colon()
        out.reserve(64)
    }

    /// Returns text that is not written to the output.
    private func aside(_ token: UInt64, _ write: (inout OutputBuffer) -> Void) -> [UInt8] {
        let (start, first, depth) = (out.count, out.firstByteCount, out.depth)
        out.firstByteCount = 1
        if let index = index(of: token) { out.depth = nodes[index].depth + 1 }
        out.reserve(128)
        write(&out)
        let text = Array(out.bytes(start..<out.count))
        out.truncate(start)
        (out.firstByteCount, out.depth) = (first, depth)
        return text
    }
}

// MARK: Values that are encoded by their types

extension EncodingTape {
    @inline(__always)
    private func beginMember(_ token: UInt64, _ name: String, _ key: KeyReference) -> OpenEntry {
        let index = Self.index(of: token)
        guard token == current, addName(name, index) else { return beginRareEntry(token, name, key) }
        return beginDirectMember(token, name, key)
    }

    @inline(__always)
    private func beginDirectMember(_ token: UInt64, _ name: String, _ key: KeyReference) -> OpenEntry {
        let (start, first) = (out.count, out.firstByteCount)
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
        let (start, first) = (out.count, out.firstByteCount)
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
        let (previous, first, depth) = (current, out.firstByteCount, out.depth)
        if case .output = destination(of: token, name: name) {
            if let name { return beginDirectMember(token, name, key) }
            return beginDirectElement(token)
        }
        let container = index(of: token)
        let isConverted = current != previous
        let value = addValue(key: key, parent: container ?? nodes.count - 1, entry: out.count)
        let entry = OpenEntry(
            value: value, container: token, isDirect: false, previous: isConverted ? 0 : previous,
            first: isConverted ? 1 : first, depth: isConverted ? out.depth : depth)
        current = value
        out.firstByteCount = 1
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
            out.firstByteCount = 0
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
            (out.firstByteCount, out.depth) = (entry.first, entry.depth)
            if isMember { names.removeLast() }
        } else {
            restore(entry)
        }
    }

    /// Restores the state before an entry that was not written directly to the output.
    private func restore(_ entry: OpenEntry) {
        guard entry.isDirect else {
            (current, out.firstByteCount, out.depth) = (entry.previous, entry.first, entry.depth)
            return
        }
        // The container became a tree while its entry was encoded.
        current = 0
        out.firstByteCount = 1
        out.depth = nodes[value(of: Self.index(of: entry.container))].depth
    }
}

// MARK: Nested containers

extension EncodingTape {
    /// Adds a nested container to an object, or returns the existing one.
    func nestedMember(_ token: UInt64, _ name: String, _ key: any CodingKey, _ kind: EncodingNode.Kind) -> UInt64 {
        let destination: Destination
        if token == current, addName(name, Self.index(of: token)) {
            destination = .output
        } else {
            destination = self.destination(of: token, name: name)
        }
        switch destination {
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
        let destination = token == current ? .output : self.destination(of: token, name: nil)
        let key = AnyCodingKey(index: count(token))
        switch destination {
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
            tree.isArray ? .array : .object, key: key, parent: index(of: token) ?? nodes.count - 1)
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
    private func add(_ text: UnsafeRawBufferPointer, _ token: UInt64, name: String) {
        member(token, name) { $0.verbatim(text.bindMemory(to: UInt8.self)) }
    }

    /// Inserts an element whose text was written by another tape.
    private func insert(_ text: UnsafeRawBufferPointer, _ token: UInt64, at position: Int) {
        guard let index = index(of: token) else { return }
        if nodes[index].tree == nil, nodes[index].count > position { makeTree(value(of: index)) }
        if let tree = nodes[index].tree {
            tree.insert(.text(Array(text)), at: position)
        } else {
            element(token) { $0.verbatim(text.bindMemory(to: UInt8.self)) }
        }
    }
}

// MARK: Trees

extension EncodingTape {
    /// The destination of an entry.
    enum Destination {
        /// The end of the output. The name of a member has been added.
        case output
        case tree(EncodingTree)
        /// The value of the container has ended.
        case nowhere
    }

    /// Returns the destination of an entry of a container. Closes other containers, or turns the container's value into a tree.
    ///
    /// - Parameter name: The name of a member; nil for an element.
    private func destination(of token: UInt64, name: String?) -> Destination {
        guard let index = index(of: token) else { return .nowhere }
        if let tree = nodes[index].tree { return .tree(tree) }
        let value = value(of: index)
        if nextValue(after: value) == nil, nodes[index].isOpen {
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
    private func value(of index: Int) -> Int {
        var index = index
        while !nodes[index].isValue { index = nodes[index].parent }
        return index
    }

    /// Returns the next value that is being encoded; nil if a value is the last one.
    private func nextValue(after index: Int) -> Int? {
        (index + 1..<max(nodes.count, index + 1)).first { nodes[$0].isValue }
    }

    /// Moves the text of a value to trees, one for each container that may be written to.
    private func makeTree(_ index: Int) {
        let next = nextValue(after: index)
        let text = nodes[index].start..<(next.map { nodes[$0].entry } ?? out.count)
        var containers: [Int: Int] = [:]
        for at in index..<(next ?? nodes.count) where nodes[at].tree == nil { containers[nodes[at].start] = at }
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
            names.removeAll(from: nodes[index].firstName)
            (current, out.firstByteCount, out.depth) = (0, 1, nodes[index].depth)
            return
        }
        for at in next..<nodes.count {
            nodes[at].entry -= text.count
            nodes[at].start -= text.count
        }
        if isSorted { names.moveOffsets(from: nodes[next].firstName, by: text.count) }
    }
}

// MARK: Superclasses

extension EncodingTape {
    /// Returns the encoder of a superclass's value.
    func superEncoder(_ container: UInt64, _ position: SuperValue.Position, key: any CodingKey) -> any Encoder {
        let depth = index(of: container).map { nodes[$0].depth + 1 } ?? 0
        let tape = EncodingTape(
            options, base: path(of: container) + [key], depth: depth,
            superValue: SuperValue(parent: self, container: container, position: position))
        let root = tape.addValue(key: .none, parent: -1, entry: 0)
        tape.current = root
        return TapeEncoder(tape, root)
    }

    /// Writes the value of a superclass to its container.
    private func finish(_ value: SuperValue) {
        // A value without any elements is an empty object.
        endValue(token(of: 0))
        if isTooDeep { (value.parent.isTooDeep, value.parent.hasUsedUpStack) = (true, hasUsedUpStack) }
        switch value.position {
        case .member(let name): value.parent.add(out.written, value.container, name: name)
        case .element(let position): value.parent.insert(out.written, value.container, at: position)
        }
    }
}

// MARK: Keyed containers

extension EncodingTape {
    /// Returns a container for the members of a node's object.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ token: UInt64) -> KeyedEncodingContainer<Key> {
        if lendsContainers, let known = boxes.lend(ObjectIdentifier(Key.self), isShared: false) {
            let state: Unmanaged<KeyedState> = boxes.content(at: known)
            state._withUnsafeGuaranteedRef { $0.token = token }
            return boxes.container(at: known)
        }
        return newKeyedContainer(token)
    }

    @inline(never)
    private func newKeyedContainer<Key: CodingKey>(_ token: UInt64) -> KeyedEncodingContainer<Key> {
        let state = KeyedState(self, token)
        let container = KeyedEncodingContainer(KeyedTapeContainer<Key>(state: state))
        if lendsContainers, Self.reusesContainers, boxes.add(container, ObjectIdentifier(Key.self)) {
            return container
        }
        state.owner = self
        return container
    }

    /// Makes the containers that clients keep own the tape.
    private func releaseContainers() {
        lendsContainers = false
        boxes.removeUsed(KeyedState.self) { $0.owner = self }
    }

    /// Whether containers can be used again.
    private static let reusesContainers: Bool = {
        let types = EncodableTypes(special: { _ in nil })
        let tape = EncodingTape(EncodableOptions(types: types, modelOptions: EncodingOptions(), depthLimit: 1))
        return withExtendedLifetime(tape) {
            let content = KeyedTapeContainer<AnyCodingKey>(state: KeyedState(tape, 0))
            return ContainerBoxes.isReusable(KeyedEncodingContainer(content), content: content)
        }
    }()
}

// MARK: Paths and errors

extension EncodingTape {
    /// Returns the path of a value or container; an empty path if the value has ended.
    func path(of token: UInt64) -> [any CodingKey] {
        guard let index = index(of: token) else { return [] }
        var keys: [any CodingKey] = []
        var at = index
        while at >= 0 {
            if let key = key(nodes[at].key) { keys.append(key) }
            at = nodes[at].parent
        }
        return base + keys.reversed()
    }

    private func key(_ reference: KeyReference) -> (any CodingKey)? {
        switch reference {
        case .none: nil
        case .index(let index): AnyCodingKey(index: index)
        case .key(let address, let type): Self.load(address, type)
        case .name(let name, let isConverted):
            // The standard library's dictionaries have keys with integers, and Foundation's, which keep their text, have not.
            AnyCodingKey(stringValue: name.pointee, mayBeInteger: !isConverted)
        case .kept(let position): keptKeys[position]
        }
    }

    private static func load<Key: CodingKey>(_ address: UnsafeRawPointer, _: Key.Type) -> any CodingKey {
        address.assumingMemoryBound(to: Key.self).pointee
    }

    /// Returns the error for a number that JSON cannot represent.
    @inline(never)
    func nonConformingFloat<Number: BinaryFloatingPoint>(
        _ value: Number, _ token: UInt64, _ key: (any CodingKey)? = nil
    ) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: path(of: token) + (key.map { [$0] } ?? []),
                debugDescription: "Unable to encode \(Number.self).\(value) directly in JSON."))
    }
}

/// The error of a value with too many nested containers. The caller receives an `EncodingError`.
struct EncodingDepthError: Error {}

/// The JSON of a number that JSON cannot represent.
enum NonConformingText {
    case null
    case string(String)

    func write(to out: inout OutputBuffer) {
        switch self {
        case .null: out.literal("null")
        case .string(let text): out.quoted(text)
        }
    }
}

extension EncodingTape {
    /// Returns the JSON of an infinite number or NaN.
    ///
    /// - Parameters:
    ///   - token: The token of the value or, with a key, of its container.
    /// - Throws: `EncodingError` if such numbers are errors.
    @inline(never)
    func nonConforming(
        _ value: some BinaryFloatingPoint, _ token: UInt64, _ key: (any CodingKey)? = nil
    ) throws -> NonConformingText {
        switch options.nonConformingFloats {
        case .throw: throw nonConformingFloat(value, token, key)
        case .null: .null
        case .write(let infinity, let negativeInfinity, let nan):
            .string(value.isNaN ? nan : value < 0 ? negativeInfinity : infinity)
        }
    }
}

/// An entry of a container whose value is being encoded.
struct OpenEntry {
    /// The token of the value.
    let value: UInt64
    /// The token of the container.
    let container: UInt64
    /// Whether the entry is written directly to the output. Otherwise, the text of the entry is moved to a tree.
    let isDirect: Bool
    /// The state of the tape before the entry.
    let previous: UInt64
    let first: Int
    let depth: Int
}

/// The position of a superclass's value, which a tape of its own writes to the container when the last encoder or container of the
/// tape is released.
struct SuperValue {
    enum Position {
        case member(String)
        case element(Int)
    }

    let parent: EncodingTape
    let container: UInt64
    let position: Position
}

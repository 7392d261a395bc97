import SluiceCore

/// The output of one call of an encoder of `Encodable` values, and the state of the values that are being encoded.
///
/// Entries are written to the end of the output at once. Almost all types encode their elements in the order of the output: a nested
/// value is finished before the next element of its container begins. If an element is encoded in another order, or for a name that
/// has a value already, all containers of the value get lists of entries (``EntryLists``), which are written at the end of the value.
///
/// Encoders and containers refer to a node of the tape by a token, the node's generation and index. A token that outlives its
/// node has no effect.
///
/// Invariants: The nodes above a value's node belong to the value, to values inside of it, or to nested containers with lists that
/// were requested from the containers of outer values. The output ends with the text of the value that is being encoded, before which is
/// the text of the outer values whose entries have no lists.
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
    /// The token of the node that accepts the next text, as its value or into its container. If no node does, the sealed token of
    /// a node of the value that is being encoded; 0 between calls.
    @exclusivity(unchecked) private var current: UInt64 = 0
    @exclusivity(unchecked) private var names: ObjectNames
    @exclusivity(unchecked) private var lists = EntryLists()
    /// The node of the outermost value whose containers have lists.
    @exclusivity(unchecked) private var listRoot = Int.max
    /// The last node of a nested container that was requested while a value inside of the container's value was encoded.
    @exclusivity(unchecked) private var lastOuterContainer = -1
    /// Whether a plan writes to the output, so that tokens have no effect.
    @exclusivity(unchecked) var isLent = false
    /// The keys of nested containers.
    @exclusivity(unchecked) private var keptKeys: [any CodingKey] = []
    /// The path of the root.
    private let base: [any CodingKey]
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

    init(_ options: EncodableOptions, base: [any CodingKey] = [], superValue: SuperValue? = nil) {
        self.superValue = superValue
        self.options = options
        (types, keepsKeys, isSorted, depthLimit) = (
            options.types, options.keepsKeys, options.isSorted, options.depthLimit
        )
        self.base = base
        out = OutputBuffer(options.format)
        names = ObjectNames(isSorted: isSorted)
    }

    deinit { if let superValue { finish(superValue) } }

    /// Prepares the tape for another call.
    func restart() {
        nodes.removeAll(from: 0)
        names.removeAll(from: 0)
        removeLists()
        current = 0
        if !keptKeys.isEmpty { keptKeys = [] }
        out.restart()
        if size > Self.maximumKeptSize {
            nodes.shrink()
            names.shrink()
        }
    }

    /// Calls a closure while the tape writes to a buffer of another writer.
    func withOutput(_ other: inout OutputBuffer, _ body: (EncodingTape) throws -> Void) rethrows {
        swap(&out, &other)
        defer { swap(&out, &other) }
        try body(self)
    }

    /// The greatest size of memory that is kept for another call.
    private static var maximumKeptSize: Int { 1 << 18 }

    /// The size of the memory, without the output and without memory that is freed after each call.
    var size: Int { nodes.size + names.size }
}

// MARK: Nodes

extension EncodingTape {
    /// The token of a container whose value has ended.
    private static var ended: UInt64 { .max }
    /// The bit of sealed tokens.
    private static var seal: UInt64 { 1 &<< 31 }

    /// Returns the token of a node.
    @inline(__always)
    private func token(of index: Int) -> UInt64 {
        UInt64(nodes[index].generation) &<< 32 | UInt64(truncatingIfNeeded: index)
    }

    @inline(__always)
    private static func index(of token: UInt64) -> Int { Int(truncatingIfNeeded: token & (seal &- 1)) }

    /// Returns the index of a token's node; nil if the node was removed.
    private func index(of token: UInt64) -> Int? {
        let index = Self.index(of: token)
        guard index < nodes.count, self.token(of: index) == token, !isLent else { return nil }
        return index
    }

    /// The node of the value that is being encoded.
    private var currentValue: Int { nodes.count == 0 ? -1 : nodes[Self.index(of: current)].value }

    /// Adds the node of a value.
    ///
    /// - Parameter entry: The offset of the value's entry in its container.
    /// - Returns: The token.
    @inline(__always)
    private func addValue(key: KeyReference, parent: Int, depth: Int, entry: Int) -> UInt64 {
        let index = nodes.count
        nodes.add(
            EncodingNode(
                parent: parent, value: index, key: key, depth: depth, entry: entry, start: out.count,
                firstName: names.count))
        return token(of: index)
    }

    /// Adds the node of a nested container.
    ///
    /// - Parameter list: The list of the container's entries; 0 for text.
    private func addContainer(_ kind: EncodingNode.Kind, key: any CodingKey, parent: Int, list: Int = 0) -> UInt64 {
        let (index, value, depth) = (nodes.count, nodes[parent].value, nodes[parent].depth + 1)
        keptKeys.append(key)
        nodes.add(
            EncodingNode(
                kind: kind, list: list, parent: parent, value: value, key: .kept(keptKeys.count - 1), depth: depth,
                entry: out.count, start: out.count, firstName: names.count))
        if value != currentValue { lastOuterContainer = index }
        return token(of: index)
    }

    private func key(of index: Int) -> (any CodingKey)? {
        switch nodes[index].key {
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

    /// Returns the path of a value or container; an empty path if the value has ended.
    func path(of token: UInt64) -> [any CodingKey] {
        guard var at = index(of: token) else { return [] }
        var keys: [any CodingKey] = []
        while at >= 0 {
            if let key = key(of: at) { keys.append(key) }
            at = nodes[at].parent
        }
        return base + keys.reversed()
    }
}

// MARK: Values

extension EncodingTape {
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

    /// Writes the closing bracket of a node's container, unless sorting moves the members to a list.
    @inline(__always)
    private func close(_ index: Int) {
        if isSorted, nodes[index].kind == .object, !sort(index) { return }
        out.close(nodes[index].kind == .object ? "}" : "]")
        nodes[index].isOpen = false
        names.removeAll(from: nodes[index].firstName)
    }

    /// Sorts the members of the last open object. Returns false if the members are in a list then, because clients may refer to
    /// containers among them.
    @inline(never)
    private func sort(_ index: Int) -> Bool {
        let offsets = names.offsets(from: nodes[index].firstName)
        guard let order = out.memberOrder(offsets) else { return true }
        if index + 1 < nodes.count {
            makeLists(nodes[index].value)
            return false
        }
        out.reorderMembers(offsets, order)
        return true
    }

    /// Closes the open containers of the current value, up to the one of a node.
    private func closeContainers(to last: Int) {
        var at = Self.index(of: current)
        while at >= last {
            if nodes[at].isOpen { close(at) }
            at = nodes[at].parent
        }
    }

    /// Ends the current value, whose text then is complete, and removes its nodes.
    @inline(__always)
    private func endValue(_ index: Int) {
        finish(index)
        if nodes[index].list != 0 { writeList(index) }
        dropValue(index)
    }

    /// Completes the text or the list of the current value.
    @inline(__always)
    private func finish(_ index: Int) {
        if nodes.count == index &+ 1, nodes[index].isOpen {
            close(index)
        } else if nodes[index].kind != .text {
            finishLate(index)
        }
    }

    @inline(never)
    private func finishLate(_ index: Int) {
        if nodes[index].kind == .empty {
            out.reserve(64)
            out.open("{")
            out.close("}")
        } else if nodes[index].list == 0 {
            closeContainers(to: index)
        }
    }

    @inline(never)
    private func writeList(_ index: Int) {
        out.depth = nodes[index].depth
        if !isTooDeep { lists.write(nodes[index].list, to: &out, isSorted: isSorted) }
    }

    /// Removes the nodes and names of a value that has ended, or that was given up.
    @inline(__always)
    private func dropValue(_ index: Int) {
        names.removeAll(from: nodes[index].firstName)
        if nodes.count == index &+ 1, nodes[index].list == 0 {
            nodes.removeAll(from: index)
        } else {
            dropContainers(index)
        }
    }

    @inline(never)
    private func dropContainers(_ index: Int) {
        if index <= listRoot { removeLists() }
        if index < lastOuterContainer {
            for at in index..<nodes.count where nodes[at].value >= index { nodes.renew(at) }
            return
        }
        for at in index + 1..<max(nodes.count, index + 1) {
            guard case .kept(let first) = nodes[at].key else { continue }
            keptKeys.removeSubrange(first...)
            break
        }
        nodes.removeAll(from: index)
    }
}

// MARK: Lists

extension EncodingTape {
    private func removeLists() {
        if listRoot < .max { lists = EntryLists() }
        (listRoot, lastOuterContainer) = (.max, -1)
    }

    /// Moves the entries of a value's containers from the output to lists, to which entries can be added in each order.
    @inline(never)
    private func makeLists(_ value: Int) {
        // The value inside of this one.
        var inner = nodes.count
        var at = currentValue
        while at != value {
            let outer = nodes[at].outerValue
            (inner, at) = (at, outer < 0 ? nodes[nodes[at].parent].value : outer)
        }
        let start = nodes[value].start
        let text = start..<(inner < nodes.count ? nodes[inner].entry : out.count)
        var containers: [(offset: Int, list: Int)] = []
        for at in value..<inner where nodes[at].value == value {
            nodes[at].list = lists.make(isArray: nodes[at].kind == .array)
            nodes[at].isOpen = false
            if at > value { containers.append((nodes[at].start - start, nodes[at].list)) }
        }
        if !text.isEmpty { lists.add(contentsOf: out.bytes(text), to: nodes[value].list, containers) }
        out.remove(text)
        listRoot = min(listRoot, value)
        if inner == nodes.count {
            names.removeAll(from: nodes[value].firstName)
            current = token(of: value) | Self.seal
        } else {
            for at in inner..<nodes.count {
                nodes[at].entry -= text.count
                nodes[at].start -= text.count
            }
            if isSorted { names.moveOffsets(from: nodes[inner].firstName, by: text.count) }
        }
    }

    /// Returns the list of a container, to which an entry is added; 0 if the entry is written to the output, and nil if the
    /// container's value has ended.
    ///
    /// Closes nested containers, or moves the entries of the container's value to lists.
    ///
    /// - Parameter name: The name of a member, which is added to the open names; nil for an element.
    private func destination(of token: UInt64, _ name: String?) -> Int? {
        guard !isTooDeep, let index = index(of: token) else { return nil }
        if nodes[index].isOpen, nodes[index].value == currentValue {
            closeContainers(to: index + 1)
            if nodes[index].isOpen {
                current = token
                if add(name, index) { return 0 }
            }
        }
        if nodes[index].list == 0 { makeLists(nodes[index].value) }
        return nodes[index].list
    }

    /// Adds the name of a member that is about to be written. Returns false if the object may have the name already.
    @inline(__always)
    private func add(_ name: String?, _ index: Int) -> Bool {
        guard let name else { return true }
        return names.add(name, first: nodes[index].firstName, bloom: &nodes[index].bloom)
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
        (isTooDeep, hasUsedUpStack) = (false, false)
        let token = addRoot()
        do { try encode(self, token) } catch is EncodingDepthError {
            throw tooDeep(address.pointee)
        }
        if nodes[0].kind == .empty { throw empty(address.pointee) }
        endValue(0)
        if isTooDeep { throw tooDeep(address.pointee) }
    }

    @inline(__always)
    private func addRoot() -> UInt64 {
        current = addValue(key: .none, parent: -1, depth: out.depth, entry: 0)
        return current
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
        guard let index = index(of: token), nodes[index].kind != kind else { return }
        switch nodes[index].kind {
        case .empty: break  // Another value is encoded as the single value.
        case .text where out.start[nodes[index].start] == UInt8(ascii: kind == .object ? "{" : "["): break
        default:
            preconditionFailure("A container was requested for a value that has been encoded already.")
        }
        // The container continues the object or array that is encoded as a single value.
        nodes[index].kind = kind
        makeLists(index)
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
    @inline(never) @discardableResult
    private func checkSingle(_ token: UInt64) -> Bool {
        guard let index = index(of: token) else { return false }
        precondition(!nodes[index].hasSingleValue, "A second value was encoded in the container of a single value.")
        nodes[index].hasSingleValue = true
        return true
    }

    @inline(never)
    func single(_ token: UInt64, nonConforming value: some BinaryFloatingPoint) throws {
        let text = try nonConforming(value, token)
        single(token) { text.write(to: &$0) }
    }

    /// Encodes any value as a single value.
    func encodeSingle<T: Encodable>(_ value: T, _ token: UInt64) throws {
        if try encodeFirst(value, token) { return }
        guard checkSingle(token) else { return }
        // The members or elements of the value are added to the container.
        try checkStack()
        try value.encode(to: TapeEncoder(self, token))
    }

    /// Encodes a value in place of another one by its type, unless the encoder has encoded something. Returns whether it has not.
    ///
    /// A value that cannot be encoded leaves nothing, so that another one can be encoded.
    func encodeFirst<T: Encodable>(_ value: T, _ token: UInt64) throws -> Bool {
        let index = Self.index(of: token)
        guard token == current, nodes[index].kind == .empty else { return false }
        let (first, depth) = (out.firstByteCount, out.depth)
        do {
            if let writer = types.writer(for: T.self) {
                try withUnsafePointer(to: value) { try encode(at: $0, by: writer, token) }
            } else {
                // The value has a node of its own, so that its containers have no effect after its end.
                let inner = beginInner(token)
                try encodeContents(of: value, inner)
                endInner(inner, token)
            }
        } catch {
            dropContainers(index + 1)
            names.removeAll(from: nodes[index].firstName)
            out.truncate(nodes[index].start)
            resume(token)
            (out.firstByteCount, out.depth) = (first, depth)
            throw error
        }
        if nodes[index].list == 0 {
            nodes[index].kind = .text
        } else {
            addSingle(index)
        }
        nodes[index].hasSingleValue = true
        return true
    }

    /// Adds the members or elements of a single value to a container that was requested while the value was encoded.
    private func addSingle(_ index: Int) {
        let start = nodes[index].start
        if start < out.count, out.start[start] == UInt8(ascii: nodes[index].kind == .object ? "{" : "[") {
            lists.add(contentsOf: out.bytes(start..<out.count), to: nodes[index].list)
        }
        out.truncate(start)
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
        // The depth is that of the output, because a container with a writer may contain others without nodes.
        let part = addValue(key: key, parent: Self.index(of: token), depth: out.depth, entry: out.count)
        current = part
        try encode(at: address, by: writer, part)
        endValue(Self.index(of: part))
        out.firstByteCount = 0
        current = token
    }

    /// Begins a value that replaces another one and has the same path.
    @inline(__always)
    func beginInner(_ token: UInt64) -> UInt64 {
        let index = Self.index(of: token)
        current = addValue(key: .none, parent: index, depth: nodes[index].depth, entry: out.count)
        return current
    }

    @inline(__always)
    func endInner(_ inner: UInt64, _ token: UInt64) {
        endValue(Self.index(of: inner))
        if nodes[Self.index(of: token)].list == 0 { current = token } else { resume(token) }
        out.firstByteCount = 0
    }
}

// MARK: Entries

/// An entry of a container whose value is being encoded.
struct OpenEntry {
    /// The token of the value.
    let value: UInt64
    /// The token of the container.
    let container: UInt64
    /// Whether the entry is written in the order of the output.
    let isInOrder: Bool
    /// The state of the tape before the entry.
    let previous: UInt64
    let first: Int
    let depth: Int
}

extension EncodingTape {
    /// Writes a scalar as a member, or as an element if the name is nil.
    @inline(__always)
    func entry(_ token: UInt64, _ name: String?, _ write: (inout OutputBuffer) -> Void) {
        let index = Self.index(of: token)
        if token == current, add(name, index) {
            prefix(name)
            if name == nil { nodes[index].count &+= 1 }
            write(&out)
        } else {
            lateEntry(token, name, write)
        }
    }

    @inline(never)
    private func lateEntry(_ token: UInt64, _ name: String?, _ write: (inout OutputBuffer) -> Void) {
        let entry = beginLate(token, name, .none)
        out.reserve(128)
        write(&out)
        nodes[Self.index(of: entry.value)].kind = .text
        end(entry, name)
    }

    /// Writes the comma before an entry, and the key and the colon of a member.
    @inline(__always)
    private func prefix(_ name: String?) {
        out.reserve(128)
        out.comma()
        guard let name else { return }
        if isSorted { names.setOffset(out.count) }
        out.quoted(name)
        out.reserve(64)
        out.colon()
        out.reserve(64)
    }

    /// Encodes a value as a member.
    @inline(__always)
    func encodeMember<T: Encodable, Key: CodingKey>(
        _ value: UnsafePointer<T>, _ token: UInt64, _ key: Key
    ) throws {
        let name = text(of: key, token)
        try withUnsafePointer(to: key) { key in
            let isInOrder = token == current && add(name, Self.index(of: token))
            let entry =
                isInOrder
                ? beginInOrder(token, name, KeyReference(key)) : beginLate(token, name, KeyReference(key))
            try encode(value, entry, name)
        }
    }

    /// Encodes a value as an element.
    @inline(__always)
    func encodeElement<T: Encodable>(_ value: UnsafePointer<T>, _ token: UInt64) throws {
        let entry =
            token == current
            ? beginInOrder(token, nil, .index(nodes[Self.index(of: token)].count))
            : beginLate(token, nil, .index(count(token)))
        try encode(value, entry, nil)
    }

    @inline(__always)
    private func encode<T: Encodable>(_ value: UnsafePointer<T>, _ entry: OpenEntry, _ name: String?) throws {
        do { try encode(at: value, by: types.writer(for: T.self), entry.value) } catch {
            abandon(entry, name)
            throw error
        }
        end(entry, name)
    }

    @inline(__always)
    private func beginInOrder(_ token: UInt64, _ name: String?, _ key: KeyReference) -> OpenEntry {
        let (start, first, depth) = (out.count, out.firstByteCount, out.depth)
        prefix(name)
        current = addValue(key: key, parent: Self.index(of: token), depth: depth, entry: start)
        return OpenEntry(
            value: current, container: token, isInOrder: true, previous: token, first: first, depth: depth)
    }

    /// Begins an entry of a container that is not current, or a member whose name may have a value.
    @inline(never)
    private func beginLate(_ token: UInt64, _ name: String?, _ key: KeyReference) -> OpenEntry {
        if destination(of: token, name) == 0 { return beginInOrder(token, name, key) }
        let (previous, first, depth) = (current, out.firstByteCount, out.depth)
        let outer = currentValue
        let parent = index(of: token) ?? outer
        out.depth = parent < 0 ? 0 : nodes[parent].depth + 1
        out.firstByteCount = 1
        current = addValue(key: key, parent: parent, depth: out.depth, entry: out.count)
        nodes[Self.index(of: current)].outerValue = outer
        return OpenEntry(
            value: current, container: token, isInOrder: false, previous: previous, first: first, depth: depth)
    }

    /// Ends an entry whose value has been encoded.
    ///
    /// - Parameter name: The name of a member; nil for an element.
    @inline(__always)
    private func end(_ entry: OpenEntry, _ name: String?) {
        let (index, container) = (Self.index(of: entry.value), Self.index(of: entry.container))
        if entry.isInOrder, nodes[container].list == 0 {
            endValue(index)
            current = entry.container
            out.firstByteCount = 0
            nodes[container].count &+= 1
        } else {
            endLate(entry, index, name)
        }
    }

    @inline(never)
    private func endLate(_ entry: OpenEntry, _ index: Int, _ name: String?) {
        finish(index)
        if let container = self.index(of: entry.container), nodes[container].list != 0 {
            if nodes[index].list != 0 {
                lists.add(nodes[index].list, to: nodes[container].list, name)
            } else {
                lists.add(out.bytes(nodes[index].start..<out.count), to: nodes[container].list, name)
            }
        }
        removeEntry(entry, index)
    }

    /// Removes an entry whose value could not be encoded.
    @inline(never)
    private func abandon(_ entry: OpenEntry, _ name: String?) {
        removeEntry(entry, Self.index(of: entry.value))
        if name != nil, entry.isInOrder, nodes[Self.index(of: entry.container)].list == 0 { names.removeLast() }
    }

    private func removeEntry(_ entry: OpenEntry, _ index: Int) {
        out.truncate(nodes[index].entry)
        dropValue(index)
        resume(entry.previous)
        (out.firstByteCount, out.depth) = (entry.first, entry.depth)
    }

    /// Makes a node accept text again, unless its container got a list in the meantime.
    private func resume(_ token: UInt64) {
        let index = Self.index(of: token)
        current = index < nodes.count && nodes[index].list != 0 ? token | Self.seal : token
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

// MARK: Nested containers

extension EncodingTape {
    /// Adds a nested container to an object, or returns the existing one. Adds one to an array if the name is nil.
    func nestedContainer(
        _ token: UInt64, _ name: String?, _ key: any CodingKey, _ kind: EncodingNode.Kind
    ) -> UInt64 {
        var list = 0
        if token != current || !add(name, Self.index(of: token)) {
            guard let destination = destination(of: token, name) else { return Self.ended }
            list = destination
        }
        let parent = Self.index(of: token)
        guard nodes[parent].depth + 1 < depthLimit else {
            isTooDeep = true
            return Self.ended
        }
        if list != 0 {
            list = lists.container(name, in: list, isArray: kind == .array)
            return addContainer(kind, key: key, parent: parent, list: list)
        }
        prefix(name)
        nodes[parent].count += 1
        current = addContainer(kind, key: key, parent: parent)
        open(Self.index(of: current), kind)
        return current
    }

    /// The number of elements of a container.
    func count(_ token: UInt64) -> Int {
        guard let index = index(of: token) else { return 0 }
        return nodes[index].list == 0 ? nodes[index].count : lists.count(nodes[index].list)
    }
}

// MARK: Superclasses

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

extension EncodingTape {
    /// Returns the encoder of a superclass's value.
    func superEncoder(_ container: UInt64, _ position: SuperValue.Position, key: any CodingKey) -> any Encoder {
        let tape = EncodingTape(
            options, base: path(of: container) + [key],
            superValue: SuperValue(parent: self, container: container, position: position))
        if let index = index(of: container) { tape.out.depth = nodes[index].depth + 1 }
        return TapeEncoder(tape, tape.addRoot())
    }

    /// Writes the value of a superclass to its container.
    private func finish(_ value: SuperValue) {
        // A value without any elements is an empty object.
        endValue(0)
        let parent = value.parent
        if isTooDeep { (parent.isTooDeep, parent.hasUsedUpStack) = (true, hasUsedUpStack) }
        let text = out.bytes(0..<out.count)
        switch value.position {
        case .member(let name): parent.entry(value.container, name) { $0.verbatim(text) }
        case .element(let position): parent.insert(text, value.container, at: position)
        }
    }

    /// Inserts an element whose text was written by another tape.
    private func insert(_ text: UnsafeBufferPointer<UInt8>, _ token: UInt64, at position: Int) {
        if let index = index(of: token), count(token) > position, !isTooDeep {
            if nodes[index].list == 0 { makeLists(nodes[index].value) }
            lists.add(text, to: nodes[index].list, nil, at: position)
        } else {
            entry(token, nil) { $0.verbatim(text) }
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

// MARK: Errors

extension EncodingTape {
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

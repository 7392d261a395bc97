import SluiceCore

/// The output of one call of an encoder of `Encodable` values, and the state of the values that are being encoded.
///
/// Entries are written to the end of the output at once. Almost all types encode their elements in the order of the output: a nested
/// value is finished before the next element of its container begins. If an element is encoded in another order, or for a name that
/// has a value already, all containers of the value get lists of entries (``EntryLists``), which are written at the end of the value.
///
/// Encoders and containers refer by a token to a node of the tape, by its generation and index, or to a list without a node. A token
/// that outlives its value has no effect.
///
/// Invariants: The nodes are a stack. Above a value's node are those of the value's nested containers, and then those of the value
/// inside that is being encoded. If a value has no lists, its text is the output from the value's start to the entry of the value inside.
/// The containers of a value have lists all at once; the value's text in the output then has no meaning, and is replaced at the
/// end of the value.
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
    /// The token of the node that accepts the next text, as its value or into its container; 0 if the containers of the value that is
    /// being encoded have lists, and between calls.
    @exclusivity(unchecked) private var current: UInt64 = 0
    @exclusivity(unchecked) private var names = ObjectNames()
    @exclusivity(unchecked) private var lists = EntryLists()
    /// The node of the outermost value whose containers have lists.
    @exclusivity(unchecked) private var listRoot = Int.max
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

    /// The greatest size of memory that is kept for another call.
    private static var maximumKeptSize: Int { 1 << 18 }

    /// The size of the memory, without the output and without memory that is freed after each call.
    var size: Int { nodes.size + names.size }
}

// MARK: Nodes

extension EncodingTape {
    /// The token of a container whose value has ended.
    private static var ended: UInt64 { .max }

    /// Returns the token of a node.
    @inline(__always)
    private func token(of index: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: nodes[index].generation) &<< 32 | UInt64(truncatingIfNeeded: index)
    }

    @inline(__always)
    private static func index(of token: UInt64) -> Int { Int(truncatingIfNeeded: token & 0xFFFF_FFFF) }

    /// Returns the index of a token's node; nil if the node was removed, or if the token refers to a list.
    private func index(of token: UInt64) -> Int? {
        let index = Self.index(of: token)
        guard index < nodes.count, self.token(of: index) == token, !isLent else { return nil }
        return index
    }

    /// Returns the list of a token's container; nil if the container is in the output, or if its value has ended.
    private func list(of token: UInt64) -> Int? {
        if let index = index(of: token) { return nodes[index].list == 0 ? nil : nodes[index].list }
        return lists.list(of: token).flatMap { index(of: lists[$0].value) == nil ? nil : $0 }
    }

    /// Returns the index of a token's node, or the complement of the number of its list; nil if the container's value has ended.
    private func place(of token: UInt64) -> Int? { index(of: token) ?? list(of: token).map { ~$0 } }

    /// Returns the number of brackets around the container at a place; -1 for the place around the root.
    private func depth(of place: Int) -> Int {
        place >= 0 ? nodes[place].depth : place == -1 ? -1 : lists[~place].depth
    }

    /// The node of the value that is being encoded; -1 between calls.
    private var currentValue: Int { nodes.count == 0 ? -1 : nodes[nodes.count - 1].value }

    /// Adds the node of a value.
    ///
    /// - Parameters:
    ///   - parent: The place of the enclosing container; -1 for the root.
    ///   - entry: The offset of the value's entry in its container.
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
    private func addContainer(key: any CodingKey, parent: Int) -> UInt64 {
        let index = nodes.count
        keptKeys.append(key)
        nodes.add(
            EncodingNode(
                parent: parent, value: nodes[parent].value, key: .kept(keptKeys.count - 1),
                depth: nodes[parent].depth + 1, entry: out.count, start: out.count, firstName: names.count))
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
        guard var at = place(of: token) else { return [] }
        var keys: [any CodingKey] = []
        while at >= 0 {
            if let key = key(of: at) { keys.append(key) }
            at = nodes[at].parent
        }
        return (at == -1 ? base : lists[~at].path) + keys.reversed()
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
        let members = names.names(from: nodes[index].firstName)
        guard let order = out.memberOrder(members) else { return true }
        if index + 1 < nodes.count {
            makeLists(nodes[index].value)
            return false
        }
        out.reorderMembers(members, order)
        return true
    }

    /// Closes the open containers of the current value, up to the one of a node.
    private func closeContainers(to last: Int) {
        var at = nodes.count - 1
        while at >= last {
            if nodes[at].isOpen { close(at) }
            at = nodes[at].parent
        }
    }

    /// Ends the current value, whose text then is complete, and removes its nodes.
    @inline(__always)
    private func endValue(_ index: Int) {
        finish(index)
        dropValue(index)
    }

    /// Completes the text of the current value.
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
            return
        }
        if nodes[index].list == 0 { closeContainers(to: index) }
        // Sorting may have moved the members to a list.
        if nodes[index].list != 0 {
            out.truncate(nodes[index].start)
            out.depth = nodes[index].depth
            if !isTooDeep { lists.write(nodes[index].list, to: &out, isSorted: isSorted) }
        }
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
        if listRoot < .max { lists.removeAll() }
        listRoot = .max
    }

    /// Copies the entries of a value's containers from the output to lists, to which entries can be added in each order.
    @inline(never)
    private func makeLists(_ value: Int) {
        // The value inside of this one.
        let inner = (value..<nodes.count).first { nodes[$0].value != value } ?? nodes.count
        let start = nodes[value].start
        let text = start..<(inner < nodes.count ? nodes[inner].entry : out.count)
        var containers: [(offset: Int, list: Int)] = []
        for at in value..<inner {
            nodes[at].list = lists.make(
                isArray: nodes[at].kind == .array, value: token(of: value), depth: nodes[at].depth)
            nodes[at].isOpen = false
            if at > value { containers.append((nodes[at].start - start, nodes[at].list)) }
        }
        if !text.isEmpty { lists.add(contentsOf: out.bytes(text), to: nodes[value].list, containers) }
        listRoot = min(listRoot, value)
        if inner == nodes.count {
            names.removeAll(from: nodes[value].firstName)
            current = 0
        }
    }

    /// Returns the list of a container, to which an entry is added; 0 if the entry is written to the output, and nil if the
    /// container's value has ended.
    ///
    /// Closes nested containers, or copies the entries of the container's value to lists.
    ///
    /// - Parameter name: The name of a member, which is added to the open names; nil for an element.
    private func destination(of token: UInt64, _ name: String?) -> Int? {
        if isTooDeep { return nil }
        guard let index = index(of: token), nodes[index].list == 0 else { return list(of: token) }
        if nodes[index].isOpen, nodes[index].value == currentValue {
            closeContainers(to: index + 1)
            if nodes[index].isOpen {
                current = token
                if add(name, index) { return 0 }
            }
        }
        // Closing sorted members may have made the lists.
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
    /// Encodes a value in memory as the root.
    func encodeRoot<T: Encodable>(at address: UnsafePointer<T>) throws {
        try encodeRoot(address.pointee) { try encode(at: address, by: types.writer(for: T.self), $0) }
    }

    /// Encodes a value as the root by a closure, which receives the token.
    ///
    /// - Throws: `EncodingError`, an error of a plan, or an error of the value.
    @inline(__always)
    func encodeRoot<T>(_ value: @autoclosure () -> T, _ encode: (UInt64) throws -> Void) throws {
        lendsContainers = true
        defer { releaseContainers() }
        (isTooDeep, hasUsedUpStack) = (false, false)
        let token = addRoot()
        do { try encode(token) } catch is DepthError { throw tooDeep(value()) }
        if nodes[0].kind == .empty {
            throw invalid(value(), "Top-level \(T.self) did not encode any values.", at: [])
        }
        endValue(0)
        if isTooDeep { throw tooDeep(value()) }
    }

    @inline(__always)
    private func addRoot() -> UInt64 {
        current = addValue(key: .none, parent: -1, depth: out.depth, entry: 0)
        return current
    }

    @inline(never)
    private func tooDeep(_ value: Any) -> any Error {
        let issue =
            hasUsedUpStack
            ? JSONIssue.stackUsedUp(depthLimit) : .encoding(.limitExceeded(.depth, limit: depthLimit))
        let error = JSONModelError(issues: [issue])
        guard options.throwsEncodingErrors else { return error }
        return invalid(value, "Unable to encode the given top-level value to JSON.", at: [], error)
    }

    /// Measures the thread's stack before the `encode(to:)` of a value is called, which recurses with the levels of the value.
    @inline(__always)
    private func checkStack() throws(DepthError) {
        if ThreadStack.isUsedUp { throw stackUsedUp() }
        if isTooDeep { throw DepthError() }
    }

    /// Returns the error of a value that needs more of the thread's stack than is left.
    @inline(never)
    func stackUsedUp() -> DepthError {
        (isTooDeep, hasUsedUpStack) = (true, true)
        return DepthError()
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
        single(token) { $0.quoted(orNull: text) }
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
            try withUnsafePointer(to: value) { address in
                if let writer = types.writer(for: T.self) { return try encode(at: address, by: writer, token) }
                try encodeInner(token) { try encode(at: address, by: nil, $0) }
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
    /// Encodes a value with a node of its own inside of a value that is written without containers: an element of that value or, without
    /// a key, the value itself.
    @inline(__always)
    func encodeInner(_ token: UInt64, _ key: KeyReference = .none, _ encode: (UInt64) throws -> Void) rethrows {
        // The depth is that of the output, because a container with a writer may contain others without nodes.
        let inner = addValue(key: key, parent: Self.index(of: token), depth: out.depth, entry: out.count)
        current = inner
        try encode(inner)
        endValue(Self.index(of: inner))
        out.firstByteCount = 0
        resume(token)
    }
}

// MARK: Entries

/// An entry of a container whose value is being encoded.
struct OpenEntry {
    /// The token of the value.
    let value: UInt64
    /// The token of the container.
    let container: UInt64
    /// The state of the tape before the entry.
    let previous: UInt64
    let first: Int
    let depth: Int

    /// Whether the entry began in the order of the output.
    var isInOrder: Bool {
        @inline(__always) get { previous == container }
    }
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
        return OpenEntry(value: current, container: token, previous: token, first: first, depth: depth)
    }

    /// Begins an entry of a container that is not current, or a member whose name may have a value.
    @inline(never)
    private func beginLate(_ token: UInt64, _ name: String?, _ key: KeyReference) -> OpenEntry {
        if destination(of: token, name) == 0 { return beginInOrder(token, name, key) }
        let (previous, first, depth) = (current, out.firstByteCount, out.depth)
        // The value of an entry without effect belongs to the current value.
        let parent = place(of: token) ?? currentValue
        out.depth = self.depth(of: parent) + 1
        out.firstByteCount = 1
        current = addValue(key: key, parent: parent, depth: out.depth, entry: out.count)
        return OpenEntry(value: current, container: token, previous: previous, first: first, depth: depth)
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
        if let list = list(of: entry.container) {
            lists.add(out.bytes(nodes[index].start..<out.count), to: list, name)
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
    @inline(__always)
    private func resume(_ token: UInt64) {
        current = token != 0 && nodes[Self.index(of: token)].list == 0 ? token : 0
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
        if token != current || !add(name, Self.index(of: token)) {
            guard let list = destination(of: token, name) else { return Self.ended }
            if list != 0 { return lateContainer(token, list, name, key, kind) }
        }
        let parent = Self.index(of: token)
        guard nodes[parent].depth + 1 < depthLimit else {
            isTooDeep = true
            return Self.ended
        }
        prefix(name)
        nodes[parent].count += 1
        current = addContainer(key: key, parent: parent)
        open(Self.index(of: current), kind)
        return current
    }

    @inline(never)
    private func lateContainer(
        _ token: UInt64, _ list: Int, _ name: String?, _ key: any CodingKey, _ kind: EncodingNode.Kind
    ) -> UInt64 {
        guard lists[list].depth + 1 < depthLimit else {
            isTooDeep = true
            return Self.ended
        }
        let inner = lists.container(name, in: list, isArray: kind == .array)
        lists[inner].path = path(of: token) + [key]
        return lists.token(of: inner)
    }

    /// The number of elements of a container.
    func count(_ token: UInt64) -> Int {
        if let index = index(of: token), nodes[index].list == 0 { return nodes[index].count }
        return list(of: token).map { lists[$0].count } ?? 0
    }
}

// MARK: Superclasses

/// The position of a superclass's value, which a tape of its own writes to the container when the last encoder or container of the
/// tape is released.
struct SuperValue {
    let parent: EncodingTape
    let container: UInt64
    /// The name of a member; nil for an element.
    let name: String?
    /// The position of an element.
    let position: Int
}

extension EncodingTape {
    /// Returns the encoder of a superclass's value.
    ///
    /// - Parameters:
    ///   - name: The name of a member; nil for an element.
    ///   - position: The position of an element.
    func superEncoder(
        _ container: UInt64, _ name: String?, at position: Int = 0, key: any CodingKey
    ) -> any Encoder {
        let tape = EncodingTape(
            options, base: path(of: container) + [key],
            superValue: SuperValue(parent: self, container: container, name: name, position: position))
        if let place = place(of: container) { tape.out.depth = depth(of: place) + 1 }
        return TapeEncoder(tape, tape.addRoot())
    }

    /// Writes the value of a superclass to its container.
    private func finish(_ value: SuperValue) {
        // A value without any elements is an empty object.
        endValue(0)
        let parent = value.parent
        if isTooDeep { (parent.isTooDeep, parent.hasUsedUpStack) = (true, hasUsedUpStack) }
        parent.insert(out.bytes(0..<out.count), value.container, value.name, at: value.position)
    }

    /// Adds a member, or inserts an element, whose text was written by another tape.
    private func insert(
        _ text: UnsafeBufferPointer<UInt8>, _ token: UInt64, _ name: String?, at position: Int
    ) {
        guard name == nil, count(token) > position, !isTooDeep else {
            return entry(token, name) { $0.verbatim(text) }
        }
        if let index = index(of: token), nodes[index].list == 0 { makeLists(nodes[index].value) }
        if let list = list(of: token) { lists.add(text, to: list, nil, at: position) }
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
        invalid(
            value, "Unable to encode \(Number.self).\(value) directly in JSON.",
            at: path(of: token) + (key.map { [$0] } ?? []))
    }

    @inline(never)
    func invalid(
        _ value: Any, _ text: String, at path: [any CodingKey], _ underlying: (any Error)? = nil
    ) -> EncodingError {
        .invalidValue(
            value, EncodingError.Context(codingPath: path, debugDescription: text, underlyingError: underlying))
    }
}

extension OutputBuffer {
    /// Writes a string, or null.
    mutating func quoted(orNull text: String?) {
        if let text { quoted(text) } else { literal("null") }
    }
}

extension EncodingTape {
    /// Returns the string in place of an infinite number or NaN; nil for null.
    ///
    /// - Parameters:
    ///   - token: The token of the value or, with a key, of its container.
    /// - Throws: `EncodingError` if such numbers are errors.
    @inline(never)
    func nonConforming(
        _ value: some BinaryFloatingPoint, _ token: UInt64, _ key: (any CodingKey)? = nil
    ) throws -> String? {
        switch options.nonConformingFloats {
        case .throw: throw nonConformingFloat(value, token, key)
        case .null: nil
        case .write(let infinity, let negativeInfinity, let nan):
            value.isNaN ? nan : value < 0 ? negativeInfinity : infinity
        }
    }
}

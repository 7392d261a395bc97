import SluiceCore

/// Decodes the value of a tape's entry. One object serves as the decoder, and as the state of its containers.
///
/// The decoders of nested values are reused: after the initializer of a value returns, its decoder serves for the next value,
/// with the boxes of its containers, unless the initializer has kept one of them.
///
/// Invariant: `owner`, `parent` and the key are valid. While the initializer of a nested value runs, its caller keeps them
/// alive. A decoder that may live longer owns them.
package final class TapeDecoder {
    /// The key of a value in its container.
    private enum Position: Equatable {
        case root
        case element(Int)
        /// The key of a container, by address.
        case borrowedKey
        case ownedKey
        /// The key before the value on the tape.
        case tapeKey
    }

    /// The form in which the value is decoded, for the paths of errors.
    private enum Role {
        /// By a container of another decoder.
        case value
        /// By an initializer that receives this decoder, or as if by an initializer.
        case initializer
        /// As a dictionary, without an initializer.
        case dictionary
        /// As a nested container of another decoder, without an initializer.
        case nestedContainer
    }

    @exclusivity(unchecked) private(set) var tape: TapeView
    package let options: CodableDecodingOptions
    /// The types of the options, which keep them alive. A use of the property of the options would retain them.
    let types: Unmanaged<DecodableTypes>
    /// The entry of the value. Entry 0, which is `null`, represents a missing value.
    @exclusivity(unchecked) private(set) var index: Int
    /// The entry of the key that is expected next.
    @exclusivity(unchecked) private var expectedKey: Int
    /// Whether `valuesByKey` or `knownPath` is used.
    @exclusivity(unchecked) private var hasDerivedState = false
    /// Whether `valuesByKey` is used.
    @exclusivity(unchecked) private var hasTable = false
    /// The path of the value, made for the first error: initializers that try several types cause one error after another.
    @exclusivity(unchecked) private var knownPath: [any CodingKey]?
    /// The values by key, if the keys are converted, or compared by more than their bytes.
    @exclusivity(unchecked) private var valuesByKey: [String: Int] = [:] {
        didSet { (hasTable, hasDerivedState) = (true, true) }
    }
    @exclusivity(unchecked) private var position: Position
    @exclusivity(unchecked) private var role = Role.value
    @exclusivity(unchecked) private var keyAddress: UnsafeRawPointer?
    @exclusivity(unchecked) private var keyType: any CodingKey.Type = AnyCodingKey.self
    @exclusivity(unchecked) private var ownedKey: (any CodingKey)?
    @exclusivity(unchecked) private var owner: Unmanaged<AnyObject>
    @exclusivity(unchecked) private unowned(unsafe) var parent: TapeDecoder?
    /// The owned objects of a decoder that may live longer than the call of an initializer.
    @exclusivity(unchecked) private var owned: (parent: TapeDecoder?, tape: AnyObject)?
    /// The decoder of nested values.
    @exclusivity(unchecked) private var child: TapeDecoder?
    /// Whether the initializer of a nested value runs.
    @exclusivity(unchecked) private var isChildInUse = false
    @exclusivity(unchecked) private var boxes = ContainerBoxes()
    /// For the decoder of the root: whether a container was refused because the thread's stack is used up. The call fails, whatever
    /// clients catch.
    @exclusivity(unchecked) private(set) var hasUsedUpStack = false

    /// Creates the decoder of the root.
    convenience init(_ tape: Tape, options: CodableDecodingOptions) {
        self.init(tape.view, owner: .passUnretained(tape), at: Tape.root, options: options)
    }

    /// Creates the decoder of a value.
    ///
    /// - Parameter owner: The owner of the tape.
    init(_ tape: TapeView, owner: Unmanaged<AnyObject>, at index: Int, options: CodableDecodingOptions) {
        self.owner = owner
        self.tape = tape
        self.options = options
        types = .passUnretained(options.types)
        self.index = index
        expectedKey = index &+ 1
        position = .root
        parent = nil
    }

    /// Targets the decoder of the root at another document.
    func restart() { targetRoot(Tape.root) }

    /// Targets the decoder of the root at a value of another tape.
    func restart(_ tape: TapeView, owner: Unmanaged<AnyObject>, at index: Int) {
        (self.tape, self.owner) = (tape, owner)
        targetRoot(index)
    }

    private func targetRoot(_ index: Int) {
        target(index)
        hasUsedUpStack = false
    }

    /// Targets the decoder of the root array at an element.
    func restart(at index: Int, position: Int) {
        targetRoot(index)
        self.position = .element(position)
    }

    @inline(__always)
    private func target(_ index: Int) {
        self.index = index
        expectedKey = index &+ 1
        role = .value
        if hasDerivedState { resetDerivedState() }
    }

    @inline(never)
    private func resetDerivedState() {
        valuesByKey = [:]
        knownPath = nil
        (hasTable, hasDerivedState) = (false, false)
    }

    // MARK: Nested decoders

    /// Whether no client has kept a decoder or a container. Otherwise the decoder becomes independent of its parent.
    @inline(__always)
    static func isUnused(_ decoder: inout TapeDecoder) -> Bool {
        if isKnownUniquelyReferenced(&decoder), decoder.boxes.areUnused() { return true }
        decoder.retainOwners()
        return false
    }

    /// Owns the parent, the tape and the key, because a client has kept the decoder or a container.
    @inline(never)
    private func retainOwners() {
        if position == .borrowedKey {
            ownedKey = borrowedKey
            position = .ownedKey
        }
        owned = (parent, owner.takeUnretainedValue())
        boxes.removeUsed(TapeDecoderReference.self) { $0 = .owned(self) }
    }

    // The functions that decode nested values are on the stack once for each level of the input, and have no closures but one: a
    // closure of a generic function has a frame of its own.

    /// Decodes the value of a key.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, _ index: Int, _ key: some CodingKey) throws -> T {
        try withUnsafePointer(to: key) { key in
            let nested = beginNested(index, at: .borrowedKey)
            defer { endNested(nested) }
            return try nested._withUnsafeGuaranteedRef { decoder in
                decoder.setKey(key)
                return try decoder.decodeSelf(type)
            }
        }
    }

    /// Decodes an element.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, _ index: Int, at position: Int) throws -> T {
        let nested = beginNested(index, at: .element(position))
        defer { endNested(nested) }
        return try nested._withUnsafeGuaranteedRef { try $0.decodeSelf(type) }
    }

    /// Decodes an element by the method of its type.
    @inline(__always)
    func decode<T: Decodable>(
        _ type: T.Type, _ index: Int, at position: Int, by method: DecodableTypes.Method
    ) throws -> T {
        let nested = beginNested(index, at: .element(position))
        defer { endNested(nested) }
        return try nested._withUnsafeGuaranteedRef { try $0.decodeSelf(type, by: method) }
    }

    /// Decodes a value whose key is the entry before, by the method of its type.
    @inline(__always)
    func decodeMember<T: Decodable>(_ type: T.Type, _ index: Int, by method: DecodableTypes.Method) throws -> T {
        let nested = beginNested(index, at: .tapeKey)
        defer { endNested(nested) }
        return try nested._withUnsafeGuaranteedRef { try $0.decodeSelf(type, by: method) }
    }

    @inline(__always)
    private func setKey<Key: CodingKey>(_ key: UnsafePointer<Key>) {
        keyAddress = UnsafeRawPointer(key)
        keyType = Key.self
    }

    /// Returns the decoder of a nested value, which is used until `endNested`.
    ///
    /// The decoder is not retained, which would cost as much as the rest of this function.
    @inline(__always)
    private func beginNested(_ index: Int, at position: Position) -> Unmanaged<TapeDecoder> {
        if isChildInUse { return beginSeparate(index, at: position) }
        if child == nil { child = TapeDecoder(tape, owner: owner, at: index, options: options) }
        isChildInUse = true
        let nested = Unmanaged.passUnretained(child.unsafelyUnwrapped)
        nested._withUnsafeGuaranteedRef { $0.target(index, position, in: self) }
        return nested
    }

    /// Returns a decoder of its own, because the initializer of a nested value uses a container of the outer one.
    @inline(never)
    private func beginSeparate(_ index: Int, at position: Position) -> Unmanaged<TapeDecoder> {
        let decoder = TapeDecoder(tape, owner: owner, at: index, options: options)
        decoder.target(index, position, in: self)
        return .passRetained(decoder)
    }

    @inline(__always)
    private func endNested(_ nested: Unmanaged<TapeDecoder>) {
        guard nested.toOpaque() == Unmanaged.passUnretained(child.unsafelyUnwrapped).toOpaque() else {
            return endSeparate(nested)
        }
        isChildInUse = false
        if !TapeDecoder.isUnused(&child!) { child = nil }
    }

    @inline(never)
    private func endSeparate(_ nested: Unmanaged<TapeDecoder>) {
        var decoder = nested.takeRetainedValue()
        _ = TapeDecoder.isUnused(&decoder)
    }

    @inline(__always)
    private func target(_ index: Int, _ position: Position, in parent: TapeDecoder) {
        (tape, owner) = (parent.tape, parent.owner)
        target(index)
        self.position = position
        self.parent = parent
    }

    /// Returns a decoder of its own for a nested container.
    func nestedContainer(_ index: Int, _ key: any CodingKey) -> TapeDecoder {
        let decoder = nested(index, key)
        decoder.role = .nestedContainer
        return decoder
    }

    /// Returns a decoder of its own for the value of a superclass.
    func nested(_ index: Int, _ key: any CodingKey) -> TapeDecoder {
        let decoder = TapeDecoder(tape, owner: owner, at: index, options: options)
        decoder.position = .ownedKey
        decoder.ownedKey = key
        decoder.parent = self
        decoder.retainOwners()
        return decoder
    }

    // MARK: Paths

    package var codingPath: [any CodingKey] {
        if let knownPath { return knownPath }
        // Values of one container share most of their paths.
        var path = parent?.containerPath ?? []
        if let lastKey { path.append(lastKey) }
        (knownPath, hasDerivedState) = (path, true)
        return path
    }

    /// The path of the value, as the parent of other values.
    private var containerPath: [any CodingKey] {
        if let knownPath { return knownPath }
        var path: [any CodingKey] = []
        var decoder: TapeDecoder? = self
        while let current = decoder {
            if let key = current.lastKey { path.append(key) }
            decoder = current.parent
        }
        path.reverse()
        (knownPath, hasDerivedState) = (path, true)
        return path
    }

    /// The path of the innermost value whose initializer runs.
    package var initializerPath: [any CodingKey] {
        var decoder = role == .initializer ? self : parent
        while let current = decoder, current.role == .dictionary || current.role == .nestedContainer {
            decoder = current.parent
        }
        return decoder?.codingPath ?? []
    }

    /// Records that the value is decoded by an initializer.
    func beginInitializer() { role = .initializer }

    /// Records that the value is decoded as a dictionary. Foundation calls the initializer of a dictionary in a dictionary.
    func beginDictionary() {
        if role == .value { role = parent?.role == .dictionary ? .initializer : .dictionary }
    }

    /// The last key of the path.
    private var lastKey: (any CodingKey)? {
        switch position {
        case .root: nil
        case .element(let position): AnyCodingKey(index: position)
        case .borrowedKey: borrowedKey
        case .ownedKey: ownedKey
        case .tapeKey: tapeKey
        }
    }

    private var borrowedKey: any CodingKey {
        func load<Key: CodingKey>(_ type: Key.Type) -> any CodingKey {
            keyAddress.unsafelyUnwrapped.assumingMemoryBound(to: type).pointee
        }
        return load(keyType)
    }

    private var tapeKey: AnyCodingKey {
        let name = tape.string(tape[TapeView.key(ofValue: index)])
        return AnyCodingKey(stringValue: name, mayBeInteger: !options.convertsKeys)
    }

    // MARK: The value

    @inline(__always)
    var entry: TapeEntry { tape[index] }

    /// Whether the value is `null` or missing.
    package var isNull: Bool { tape[index].kind == .null }
}

extension TapeDecoder: Decoder {
    package var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try prepareKeys()
        // The decoder may be released before its containers.
        if owned != nil { return KeyedDecodingContainer(KeyedTapeDecodingContainer(owning: self)) }
        // The container has no state but the decoder, so that all users of the decoder can share it.
        if let known = boxes.lend(ObjectIdentifier(type), isShared: true) { return boxes.container(at: known) }
        return newContainer()
    }

    @inline(never)
    private func newContainer<Key: CodingKey>() -> KeyedDecodingContainer<Key> {
        if Self.reusesContainers {
            let container = KeyedDecodingContainer(
                KeyedTapeDecodingContainer<Key>(borrowing: .passUnretained(self)))
            if boxes.add(container, ObjectIdentifier(Key.self)) { return container }
        }
        return KeyedDecodingContainer(KeyedTapeDecodingContainer(owning: self))
    }

    /// Whether `boxes` is used.
    private static let reusesContainers: Bool = {
        let tape = Tape(input: nil, capacity: 0)
        let decoder = TapeDecoder(tape, options: CodableDecodingOptions(types: DecodableTypes { _ in nil }))
        return withExtendedLifetime((tape, decoder)) {
            let content = KeyedTapeDecodingContainer<AnyCodingKey>(borrowing: .passUnretained(decoder))
            return ContainerBoxes.isReusable(KeyedDecodingContainer(content), content: content)
        }
    }()

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if ThreadStack.isUsedUp { throw stackUsedUp() }
        guard entry.kind == .array else { throw notAContainer([Any].self, "unkeyed") }
        return UnkeyedTapeDecodingContainer(self)
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TapeDecoder: JSONValueDecoder {
    package func decodeJSONValue() throws -> JSONValue { try decodeByShape(JSONValue.self) }
}

// MARK: The thread's stack

// Initializers of clients recurse with the levels of the input. Each asks for a container, or for an array or a dictionary, where the
// stack is measured.

extension TapeDecoder {
    /// Returns the error of a container that needs more of the thread's stack than is left.
    @inline(never)
    func stackUsedUp() -> any Error {
        var root = self
        while let parent = root.parent { root = parent }
        root.hasUsedUpStack = true
        return StackUsedUp(path: codingPath)
    }

    /// Throws if a container was refused, and clients have caught the error.
    func checkStack() throws {
        if hasUsedUpStack { throw StackUsedUp(path: []) }
    }

    /// Returns the error of a call: that of the stack if a container was refused, also if clients have thrown another error instead.
    func decisive(_ error: any Error) -> any Error {
        hasUsedUpStack && !(error is StackUsedUp) ? StackUsedUp(path: []) : error
    }
}

// MARK: Values by key

extension TapeDecoder {
    /// Checks that the value is an object, and prepares the search for keys.
    @inline(__always)
    func prepareKeys() throws {
        if ThreadStack.isUsedUp { throw stackUsedUp() }
        let object = entry
        guard object.kind == .object else { throw notAContainer([String: Any].self, "keyed") }
        if options.convertsKeys || !object.flags.isDisjoint(with: [.hasUnicodeKeys, .mayRepeatKeys]) {
            prepareTable()
        }
    }

    @inline(never)
    private func prepareTable() {
        let needsTable =
            options.convertsKeys || entry.flags.contains(.hasUnicodeKeys) || tape.repeatsKeys(of: index)
        if needsTable, !hasTable { makeTable() }
    }

    /// The owner of the tape, which a recording of a value needs.
    var tapeOwner: AnyObject { owner.takeUnretainedValue() }

    /// Makes the table of values by key. The first of equal keys counts.
    @inline(never)
    private func makeTable() {
        let path = options.needsPath ? codingPath : []
        var values: [String: Int] = [:]
        values.reserveCapacity(Int(entry.count))
        tape.forEachKey(of: index) { key in
            let name = options.converted(tape.string(tape[key]), path)
            if values[name] == nil { values[name] = TapeView.value(ofKey: key) }
        }
        valuesByKey = values
    }

    /// Returns the entry of a key's value, or 0.
    @inline(__always)
    func value(of key: some CodingKey) -> Int { value(named: key.stringValue) }

    private func value(named name: String) -> Int {
        if hasTable { return valuesByKey[name] ?? 0 }
        guard tape.isSmallKnown, let words = SmallString.words(of: name) else { return value(longName: name) }
        let expected = expectedKey
        if expected < entry.value, tape.isKey(expected, small: TapeKey(small: words)) { return found(expected) }
        let value = search {
            tape.isKey($0, small: TapeKey(small: words))
        } orByTable: {
            name
        }
        return value != 0 || SmallString.isASCII(words) ? value : equivalentValue(name)
    }

    @inline(never)
    private func value(longName: String) -> Int {
        var name = longName
        let value = name.withUTF8 { name in
            if expectedKey < entry.value, tape.isKey(expectedKey, name) { return found(expectedKey) }
            return search {
                tape.isKey($0, name)
            } orByTable: {
                longName
            }
        }
        return value != 0 || name.utf8.allSatisfy { $0 < 0x80 } ? value : equivalentValue(name)
    }

    /// Returns the value of a key of ASCII that is equal to a name with other characters, such as the sign of the kelvin, or 0.
    @inline(never)
    private func equivalentValue(_ name: String) -> Int {
        makeTable()
        return valuesByKey[name] ?? 0
    }

    /// Searches the keys after the expected one, then those before.
    @inline(__always)
    private func search(_ isKey: (Int) -> Bool, orByTable name: () -> String) -> Int {
        if entry.count > Self.maximumSearchedCount {
            makeTable()
            return valuesByKey[name()] ?? 0
        }
        let (first, end) = (index + 1, entry.value)
        var key = expectedKey
        while key < end {
            if isKey(key) { return found(key) }
            key = tape.nextKey(key)
        }
        key = first
        while key < expectedKey {
            if isKey(key) { return found(key) }
            key = tape.nextKey(key)
        }
        return 0
    }

    @inline(__always)
    private func found(_ key: Int) -> Int {
        let value = TapeView.value(ofKey: key)
        expectedKey = tape.next(value)
        return value
    }

    /// The greatest number of members that are searched one by one. With more members, a search in another order would take
    /// quadratic time.
    private static var maximumSearchedCount: UInt32 { 64 }

    /// All keys, converted, without repeated ones.
    var allKeys: [String] {
        if hasTable { return Array(valuesByKey.keys) }
        var keys: [String] = []
        keys.reserveCapacity(Int(entry.count))
        tape.forEachKey(of: index) { keys.append(tape.string(tape[$0])) }
        return keys
    }
}

// The values of an object by key.

extension TapeDecoder {
    /// Checks that the value is an object, and prepares the search for keys.
    @inline(__always)
    func prepareKeys() throws {
        let object = entry
        guard object.kind == .object else { throw notAContainer([String: Any].self, "keyed") }
        if options.convertsKeys || object.flags.contains(.hasUnicodeKeys), valuesByKey == nil { convertKeys() }
    }

    /// Makes the table of values by key. The first of equal keys counts.
    @inline(never)
    private func convertKeys() {
        let path = options.needsPath ? codingPath : []
        var values: [String: Int] = [:]
        values.reserveCapacity(Int(entry.count))
        tape.forEachKey(of: index) { key in
            let name = options.converted(tape.string(tape[key]), path)
            if values[name] == nil { values[name] = key + 1 }
        }
        valuesByKey = values
    }

    /// Returns the entry of a key's value, or 0.
    @inline(__always)
    func value(of key: some CodingKey) -> Int {
        var name = key.stringValue
        if let valuesByKey { return valuesByKey[name] ?? 0 }
        return name.withUTF8 { find($0) }
    }

    @inline(__always)
    private func find(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        let expected = expectedKey
        if expected < entry.value, isKey(expected, name) {
            expectedKey = tape.next(expected &+ 1)
            return expected &+ 1
        }
        return findUnexpected(name)
    }

    @inline(__always)
    private func isKey(_ key: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = tape[key]
        guard Int(entry.count) == name.count else { return false }
        guard let base = name.baseAddress else { return true }
        return Kernels.haveEqualBytes(tape.text(entry), base, name.count)
    }

    /// Searches the keys after the expected one, then those before.
    @inline(never)
    private func findUnexpected(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        let (first, end) = (index + 1, entry.value)
        if entry.count > Self.mostSearched {
            convertKeys()
            return valuesByKey?[String(decoding: name, as: UTF8.self)] ?? 0
        }
        var key = expectedKey
        while key < end {
            if isKey(key, name) { return found(key) }
            key = tape.next(key &+ 1)
        }
        key = first
        while key < expectedKey {
            if isKey(key, name) { return found(key) }
            key = tape.next(key &+ 1)
        }
        return 0
    }

    @inline(__always)
    private func found(_ key: Int) -> Int {
        expectedKey = tape.next(key &+ 1)
        return key &+ 1
    }

    /// The greatest number of members that are searched one by one. With more members, a search in another order would take
    /// quadratic time.
    private static var mostSearched: UInt32 { 64 }

    /// All keys, converted, without repeated ones.
    var allKeys: [String] {
        if let valuesByKey { return Array(valuesByKey.keys) }
        var keys: [String] = []
        keys.reserveCapacity(Int(entry.count))
        tape.forEachKey(of: index) { keys.append(tape.string(tape[$0])) }
        return keys
    }
}

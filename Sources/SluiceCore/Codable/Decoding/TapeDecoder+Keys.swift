// The values of an object by key.

extension TapeDecoder {
    /// Checks that the value is an object, and prepares the search for keys.
    @inline(__always)
    func prepareKeys() throws {
        let object = entry
        guard object.kind == .object else { throw notAContainer([String: Any].self, "keyed") }
        if options.convertsKeys || object.flags.contains(.hasUnicodeKeys), !hasTable { makeTable() }
    }

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
        guard let words = SmallString.words(of: name) else { return value(longName: name) }
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
        if entry.count > Self.mostSearched {
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
    private static var mostSearched: UInt32 { 64 }

    /// All keys, converted, without repeated ones.
    var allKeys: [String] {
        if hasTable { return Array(valuesByKey.keys) }
        var keys: [String] = []
        keys.reserveCapacity(Int(entry.count))
        tape.forEachKey(of: index) { keys.append(tape.string(tape[$0])) }
        return keys
    }
}

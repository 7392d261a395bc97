// Keys: a guess at the field after the one just read, then one probe of the table.

extension Driver {
    /// Tries the field that the order of the last one suggests. A hit needs no validation of the key: the plan's
    /// own bytes are valid.
    @inline(__always)
    mutating func guessedKey(_ key: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard skipDepth == 0, top.pointee.form == .object else { return false }
        let entry = top.pointee.guess.unsafelyUnwrapped
        guard entry.pointee.keyCount == count, KeyHash.equal(entry.pointee.key, key, count) else { return false }
        // A field of the plain kind that is not filled yet; all others go the other way.
        guard entry.pointee.bit != 0, top.pointee.owner.pointee.mask & entry.pointee.bit == 0 else { return false }
        top.pointee.guess = entry + 1
        aim(entry)
        return true
    }

    /// A key, unescaped and valid. The answer `.go` with `kind == .skip` means that nobody wants the value.
    @inline(__always)
    mutating func key(_ key: UnsafePointer<UInt8>, _ count: Int) -> Answer {
        skipDepth == 0 ? wantedKey(key, count) : .go
    }

    @inline(never)
    private mutating func wantedKey(_ key: UnsafePointer<UInt8>, _ count: Int) -> Answer {
        guard top.pointee.form == .object else { return pairKey(key, count) }
        let table = top.pointee.table.unsafelyUnwrapped
        guard let entry = table.pointee.find(key, count) else {
            kind = .skip
            top.pointee.entry = nil
            if table.pointee.hasRequired { unknownKeys.note(key, count, object: top.pointee.index) }
            return .go
        }
        top.pointee.guess = entry + 1
        if entry.pointee.bit == 0 || top.pointee.owner.pointee.mask & entry.pointee.bit != 0 {
            guard prepare(entry) else {
                kind = .skip
                return failure == nil ? .go : .stop
            }
            aim(entry)
            if entry.pointee.isRanked, replaces(entry) { kind = .replace }
            return .go
        }
        aim(entry)
        return .go
    }

    private mutating func pairKey(_ key: UnsafePointer<UInt8>, _ count: Int) -> Answer {
        let container = top.pointee.shape
        let text = UnsafeBufferPointer(start: key, count: count)
        let pair = top.pointee.cursor
        if rejectsDuplicates,
            !seenKeys[top - frames, default: []].insert(String(checkedUTF8: text)).inserted
        {
            return fail(.duplicateKey(String(checkedUTF8: text)))
        }
        let isKey = container.pointee.shape._withUnsafeGuaranteedRef { $0.makeKey.unsafelyUnwrapped(text, pair) }
        guard isKey else {
            return fail(
                .invalidKey(String(checkedUTF8: text), type: container.pointee.shape.takeUnretainedValue().typeName)
            )
        }
        top.pointee.hasKey = true
        let value = container.pointee.element.unsafelyUnwrapped
        kind = value.pointee.kind
        shape = value
        target = pair + container.pointee.valueOffset
        scratch.raise(to: pair + container.pointee.runStride)
        return .go
    }
}

/// The last few keys that no plan knew, so that an error can tell which of them looks misspelt.
struct UnknownKeys {
    private static let capacity = 16
    private static let longest = 32
    private var keys: [(object: Int, length: Int)] = []
    private var bytes: [UInt8] = []
    private var next = 0

    @inline(never)
    mutating func note(_ key: UnsafePointer<UInt8>, _ count: Int, object: Int) {
        guard count <= Self.longest else { return }
        if keys.isEmpty {
            keys = Array(repeating: (-1, 0), count: Self.capacity)
            bytes = Array(repeating: 0, count: Self.capacity * Self.longest)
        }
        keys[next] = (object, count)
        bytes.withUnsafeMutableBufferPointer {
            ($0.baseAddress! + next * Self.longest).update(from: key, count: count)
        }
        next = next + 1 == Self.capacity ? 0 : next + 1
    }

    /// The unknown keys of an object, by its serial number.
    func known(of object: Int) -> [String] {
        keys.indices.filter { keys[$0].object == object }.map { index in
            let start = index * Self.longest
            return String(decoding: bytes[start..<(start + keys[index].length)], as: UTF8.self)
        }
    }
}

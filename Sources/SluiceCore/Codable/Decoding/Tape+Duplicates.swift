// Repeated keys. The first one counts, as in Foundation.

extension Tape {
    /// Hides the keys of an object that repeat an earlier key.
    ///
    /// - Parameter object: The index of a complete object with at least two members.
    func hideRepeatedKeys(of object: Int) {
        let count = Int(entries[object].count)
        if count > Self.mostCompared { return hideRepeatedKeys(ofLarge: object) }
        // A set of the keys' hashes. Only keys with a hash in the set are compared.
        var seen = SIMD16<UInt64>()
        let end = entries[object].value
        var key = object + 1
        while key < end {
            let hash = entries[key].hash
            let (word, bit) = (Int(hash & 15), UInt64(1) &<< UInt64((hash &>> 4) & 63))
            if seen[word] & bit == 0 {
                seen[word] |= bit
            } else if hasKey(equalTo: key, from: object + 1) {
                hide(key)
            }
            key = next(key + 1)
        }
    }

    /// The greatest number of keys that are compared with one another.
    private static var mostCompared: Int { 64 }

    /// Hides the repeated keys of an object with so many members that hashes without a seed would allow an attack.
    private func hideRepeatedKeys(ofLarge object: Int) {
        var seen = Set<String>(minimumCapacity: Int(entries[object].count))
        forEachKey(of: object) { key in
            if !seen.insert(string(entries[key])).inserted { hide(key) }
        }
    }

    private func hide(_ key: Int) {
        entries[key].kind = .hiddenKey
        // The length of no key.
        entries[key].count = .max
    }

    /// Whether a key equals one of the keys before.
    private func hasKey(equalTo key: Int, from first: Int) -> Bool {
        let entry = entries[key]
        var other = first
        while other < key {
            let candidate = entries[other]
            if candidate.hash == entry.hash, candidate.count == entry.count,
                Kernels.haveEqualBytes(text(candidate), text(entry), Int(entry.count))
            {
                return true
            }
            other = next(other + 1)
        }
        return false
    }
}

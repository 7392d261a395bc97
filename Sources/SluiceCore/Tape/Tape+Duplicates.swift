// Repeated keys. The first one counts, as in Foundation.

extension Tape {
    /// Hides the keys of an object that repeat an earlier key.
    ///
    /// - Parameter object: The index of a complete object.
    @inline(never)
    func hideRepeatedKeys(of object: Int) {
        if view[object].count > Self.mostCompared { return hideRepeatedKeys(ofLarge: object) }
        view.forEachKey(of: object) { key in
            if hasKey(equalTo: key, from: object + 1) { hide(key) }
        }
    }

    /// The greatest number of keys that are compared with one another.
    private static var mostCompared: UInt32 { 64 }

    /// Hides the repeated keys of an object with so many members that comparing each with all others takes too long.
    private func hideRepeatedKeys(ofLarge object: Int) {
        var seen = Set<String>(minimumCapacity: Int(view[object].count))
        view.forEachKey(of: object) { key in
            if !seen.insert(view.string(view[key])).inserted { hide(key) }
        }
    }

    private func hide(_ key: Int) { entries[key].kind = .hiddenKey }

    /// Whether a key equals one of the keys before.
    private func hasKey(equalTo key: Int, from first: Int) -> Bool {
        let words = view.words(ofKey: key)
        var other = first
        while other < key {
            if view.words(ofKey: other) == words, view.isKey(other, view.bytes(view[key])) { return true }
            other = view.nextKey(other)
        }
        return false
    }
}

extension TapeView {
    /// Whether a key of an object equals an earlier one.
    func repeatsKeys(of object: Int) -> Bool {
        var seen = Set<String>(minimumCapacity: Int(self[object].count))
        var isRepeated = false
        forEachKey(of: object) { key in
            if !isRepeated { isRepeated = !seen.insert(string(self[key])).inserted }
        }
        return isRepeated
    }
}

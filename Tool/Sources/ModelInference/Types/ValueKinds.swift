/// The kinds of JSON values other than null.
struct ValueKinds: OptionSet, Hashable {
    let rawValue: UInt8

    static let bool = ValueKinds(rawValue: 1)
    static let number = ValueKinds(rawValue: 2)
    static let string = ValueKinds(rawValue: 4)
    static let array = ValueKinds(rawValue: 8)
    static let object = ValueKinds(rawValue: 16)

    /// Whether the values have several kinds.
    var isMixed: Bool { rawValue & (rawValue &- 1) != 0 }
}

extension ValueObservation {
    /// The kinds of the values.
    var kinds: ValueKinds {
        var kinds: ValueKinds = []
        if bools > 0 { kinds.insert(.bool) }
        if numbers.count > 0 { kinds.insert(.number) }
        if strings.count > 0 { kinds.insert(.string) }
        if arrays > 0 { kinds.insert(.array) }
        if let objects = objects?.resolved, objects.count > 0 { kinds.insert(.object) }
        return kinds
    }

    /// The objects, if all values other than null are observed objects.
    var onlyObjects: ObjectObservation? { kinds == .object && !isOpaque ? objects?.resolved : nil }

    /// Whether a type for the values of both would lose the type of one: the values have different kinds, or different
    /// contents.
    func conflicts(with other: ValueObservation) -> Bool {
        var search = ConflictSearch()
        return search.isConflict(self, other, depth: ConflictSearch.depth)
    }
}

/// A search for a difference between observations. Each pair of objects is compared once, because objects can contain themselves.
private struct ConflictSearch {
    /// The depth of the compared contents.
    static let depth = 6

    private struct Pair: Hashable {
        let one: ObjectIdentifier
        let other: ObjectIdentifier
    }

    /// The compared objects, with the depth of their compared contents.
    private var compared: [Pair: Int] = [:]

    mutating func isConflict(_ one: ValueObservation, _ other: ValueObservation, depth: Int) -> Bool {
        let (kinds, otherKinds) = (one.kinds, other.kinds)
        if kinds.isEmpty || otherKinds.isEmpty || depth == 0 { return false }
        if kinds != otherKinds { return true }
        if let elements = one.elements, let others = other.elements,
            isConflict(elements, others, depth: depth - 1)
        {
            return true
        }
        guard let objects = one.objects?.resolved, let others = other.objects?.resolved else { return false }
        return isConflict(objects, others, depth: depth - 1)
    }

    mutating func isConflict(_ one: ObjectObservation, _ other: ObjectObservation, depth: Int) -> Bool {
        if one === other || depth == 0 { return false }
        let pair = Pair(one: ObjectIdentifier(one), other: ObjectIdentifier(other))
        if let known = compared[pair], known >= depth { return false }
        compared[pair] = depth
        if let value = one.dictionaryValue, let otherValue = other.dictionaryValue {
            return isConflict(value, otherValue, depth: depth)
        }
        for field in one.fields {
            if let otherField = other.field(field.key), isConflict(otherField.value, field.value, depth: depth) {
                return true
            }
        }
        return false
    }
}

extension ObjectObservation {
    /// Whether a type for both objects would lose the type of a member.
    func conflicts(with other: ObjectObservation) -> Bool {
        var search = ConflictSearch()
        return search.isConflict(self, other, depth: ConflictSearch.depth)
    }

    /// The keys that occurred.
    var keys: Set<String> { Set(fields.lazy.filter { $0.count > 0 }.map(\.key)) }

    /// The variants that occurred.
    var liveVariants: [(tag: String, objects: ObjectObservation)] {
        variants.filter { $0.objects.count > 0 }.map { ($0.tag, $0.objects.resolved) }
    }
}

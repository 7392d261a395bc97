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
    ///
    /// - Parameter depth: The depth of the compared contents.
    func conflicts(with other: ValueObservation, depth: Int = 6) -> Bool {
        let (one, two) = (kinds, other.kinds)
        if one.isEmpty || two.isEmpty || depth == 0 { return false }
        if one != two { return true }
        if let inner = elements, let otherInner = other.elements,
            inner.conflicts(with: otherInner, depth: depth - 1)
        {
            return true
        }
        guard let objects = objects?.resolved, let others = other.objects?.resolved else { return false }
        return objects.conflicts(with: others, depth: depth - 1)
    }
}

extension ObjectObservation {
    /// Whether a type for both objects would lose the type of a member.
    func conflicts(with other: ObjectObservation, depth: Int = 6) -> Bool {
        if self === other { return false }
        if let value = dictionaryValue, let otherValue = other.dictionaryValue {
            return value.conflicts(with: otherValue, depth: depth)
        }
        return fields.contains { field in
            other.field(field.key).map { $0.value.conflicts(with: field.value, depth: depth) } ?? false
        }
    }

    /// The keys that occurred.
    var keys: Set<String> { Set(fields.lazy.filter { $0.count > 0 }.map(\.key)) }

    /// The variants that occurred.
    var liveVariants: [(tag: String, objects: ObjectObservation)] {
        variants.filter { $0.objects.count > 0 }.map { ($0.tag, $0.objects.resolved) }
    }
}

/// The observed values at one position of a document, such as a member of an object or the elements of an array.
final class ValueObservation {
    // Each token changes an observation. The checks of exclusive access would take longer than the change.
    /// The number of values, of any kind.
    @exclusivity(unchecked) var count = 0
    @exclusivity(unchecked) var nulls = 0
    @exclusivity(unchecked) var bools = 0
    @exclusivity(unchecked) var arrays = 0
    @exclusivity(unchecked) var numbers = NumberObservation()
    @exclusivity(unchecked) var strings = StringObservation()
    /// The elements of all arrays; nil without an array.
    @exclusivity(unchecked) var elements: ValueObservation?
    @exclusivity(unchecked) var objects: ObjectObservation?
    /// Whether the values have contents that were not observed, because they exceed a bound.
    @exclusivity(unchecked) var isOpaque = false

    /// The number of values other than null.
    var presentCount: Int { count - nulls }

    /// The objects among the values, and those in arrays.
    var parts: [ObjectObservation] { (objects.map { [$0] } ?? []) + (elements?.parts ?? []) }

    /// Adds the observations of another position. The recursion is that of arrays in arrays, whose depth is bounded.
    func merge(_ other: ValueObservation, _ merging: inout Merging) {
        guard other.count > 0 else { return }
        count += other.count
        nulls += other.nulls
        bools += other.bools
        arrays += other.arrays
        numbers.merge(other.numbers)
        strings.merge(other.strings)
        isOpaque = isOpaque || other.isOpaque
        if let added = other.elements {
            if elements == nil { elements = ValueObservation() }
            elements?.merge(added, &merging)
        }
        if let added = other.objects?.resolved {
            if let objects = objects?.resolved {
                merging.merge(added, into: objects)
            } else {
                objects = merging.first(added)
            }
        }
    }

    /// Forgets all values, and keeps the memory of keys.
    func reset() {
        (count, nulls, bools, arrays, isOpaque) = (0, 0, 0, 0, false)
        numbers = NumberObservation()
        strings.reset()
        elements?.reset()
        objects?.reset()
    }
}

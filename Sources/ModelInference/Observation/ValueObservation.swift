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

    /// Adds the observations of another position.
    ///
    /// The depth of the recursion is that of the observed values, which is bounded.
    func merge(_ other: ValueObservation) {
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
            elements?.merge(added)
        }
        if let added = other.objects?.resolved {
            if let known = objects?.resolved {
                // An object whose model contains itself may have been merged already.
                if known !== added { known.merge(added) }
            } else {
                objects = ObjectObservation(copying: added)
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

/// A merge of observations.
///
/// While documents are observed, the observations are a tree of bounded depth, and a merge copies. The inference unites objects
/// instead: one object takes the members of the other and replaces it everywhere. Models of recursive data contain themselves after
/// that, so the objects in the members are united by a loop and not by recursion. Each object is replaced once.
struct Merging {
    private let unites: Bool
    private var pairs: [(ObjectObservation, ObjectObservation)] = []
    /// The objects that have taken the members of others.
    private(set) var changed: [ObjectObservation] = []

    /// A merge that copies objects.
    static var copying: Merging { Merging(unites: false) }
    /// A merge that unites objects, by ``finish()``.
    static var uniting: Merging { Merging(unites: true) }

    private init(unites: Bool) { self.unites = unites }

    /// Adds objects to others.
    mutating func merge(_ added: ObjectObservation, into objects: ObjectObservation) {
        if unites { pairs.append((objects, added)) } else { objects.merge(added, &self) }
    }

    /// Returns the objects of a value that has none so far.
    mutating func first(_ added: ObjectObservation) -> ObjectObservation {
        if unites { return added }
        let copy = ObjectObservation(tagging: .none)
        copy.merge(added, &self)
        return copy
    }

    /// Returns objects without tags that have the members of others.
    mutating func withoutTags(_ objects: ObjectObservation) -> ObjectObservation {
        let divided = unites ? objects : first(objects)
        divided.removeTags(&self)
        return divided
    }

    /// Unites the objects that wait for it, and the objects in their members.
    mutating func finish() {
        while let (objects, added) = pairs.popLast() {
            let (one, other) = (objects.resolved, added.resolved)
            guard one !== other else { continue }
            other.mergedInto = one
            one.merge(other, &self)
            changed.append(one)
        }
    }

    mutating func forgetChanged() { changed = [] }
}

/// The evidence that a tag determines the members of objects.
struct UnionEvidence {
    /// The form of a union.
    enum Form {
        /// The members belong to the case: `{"type": "circle", "radius": 1}`.
        case whole
        /// One member belongs to the case, and the others to all objects: `{"id": 1, "type": "push", "payload": {…}}`.
        case content(key: String)
    }

    /// The form of the union; nil if the tag does not determine the members.
    let form: Form?

    private typealias Variants = [(tag: String, objects: ObjectObservation)]

    /// The number of objects with a member, of those with each tag. The members of inner objects count among the inner objects.
    private struct Presence {
        var present: Int
        var all: Int
    }

    init(_ object: ObjectObservation) {
        let variants = object.liveVariants
        form = variants.count < 2 ? nil : Self.form(variants)
    }

    private static func form(_ variants: Variants) -> Form? {
        var keys: [String] = []
        for variant in variants {
            if variant.objects.dictionaryValue != nil { return nil }
            for field in variant.objects.fields where field.count > 0 && !keys.contains(field.key) {
                keys.append(field.key)
            }
        }
        // An enum has no empty key of contents.
        if keys.contains("") { return nil }

        let conflicting = keys.filter { hasConflict(variants, $0) }
        let own = keys.map { key in variants.map { ownPresence($0.objects, key) } }
        var ownSummary = PresenceSummary()
        for row in own { ownSummary.add(row) }
        var innerSummaries: [(key: String, summary: PresenceSummary)] = []
        for key in keys {
            var summary = PresenceSummary()
            for row in innerPresences(variants, key) { summary.add(row) }
            innerSummaries.append((key, summary))
        }
        let determined = innerSummaries.filter(\.summary.isDetermined)

        // One member that is an object in every case.
        let candidates = Set(determined.map(\.key) + conflicting)
        if candidates.count == 1, let key = candidates.first, isContent(variants, key),
            ownSummary.exclusive <= (determined.first?.summary.exclusive ?? 0)
        {
            return .content(key: key)
        }
        return !conflicting.isEmpty || ownSummary.isDetermined || !determined.isEmpty ? .whole : nil
    }

    private static func isContent(_ variants: Variants, _ key: String) -> Bool {
        variants.allSatisfy { variant in
            guard let field = variant.objects.field(key), field.count == variant.objects.count else { return false }
            return field.value.onlyObjects != nil && field.value.nulls == 0
        }
    }

    private static func hasConflict(_ variants: Variants, _ key: String) -> Bool {
        let values = variants.compactMap { $0.objects.field(key)?.value }
        guard let first = values.first(where: { !$0.kinds.isEmpty }) else { return false }
        return values.contains { !$0.kinds.isMixed && first.conflicts(with: $0) }
    }

    private static func ownPresence(_ objects: ObjectObservation, _ key: String) -> (present: Int, all: Int) {
        (objects.field(key)?.count ?? 0, objects.count)
    }

    /// Returns the presences of the members of a member, for each variant.
    private static func innerPresences(_ variants: Variants, _ key: String) -> [[(present: Int, all: Int)]] {
        let inner = variants.map { $0.objects.field(key)?.value.onlyObjects }
        var keys: [String] = []
        for objects in inner {
            // Keys that are data say nothing.
            if objects?.dictionaryValue != nil { return [] }
            for field in objects?.fields ?? [] where field.count > 0 && !keys.contains(field.key) {
                keys.append(field.key)
            }
        }
        return keys.map { key in
            inner.map { objects in
                guard let objects else { return (0, 0) }
                return ownPresence(objects, key)
            }
        }
    }
}

/// How far tags determine the presence of members.
private struct PresenceSummary {
    /// The number of members that all objects with one tag have, and no object with another tag, each of several objects.
    private(set) var exclusive = 0
    /// The number of objects whose tag determines the presence of an optional member, and that of all objects, for all members.
    private var decided = 0
    private var all = 0

    mutating func add(_ row: [(present: Int, all: Int)]) {
        guard row.contains(where: { $0.present < $0.all }) else { return }
        for (present, all) in row {
            self.all += all
            if present == 0 || present == all { decided += all }
        }
        if row.contains(where: { $0.all >= 2 && $0.present == $0.all }),
            row.contains(where: { $0.all >= 2 && $0.present == 0 })
        {
            exclusive += 1
        }
    }

    /// Whether tags determine at least three quarters, and some members belong to some tags.
    var isDetermined: Bool { exclusive > 0 && decided * 4 >= all * 3 }
}

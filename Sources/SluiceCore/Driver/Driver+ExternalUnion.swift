// External tagging: one key of the object is the case name. `{"circle": {…}}`, or `"point"` without a payload.
// Other keys are ignored, in any order. If no key is a known case name, the first key is the name of an unknown case. If the name
// of a case is repeated, the last value applies.

extension Driver {
    mutating func externalKey(_ name: String, _ union: ResolvedUnion) -> TokenAction {
        guard let index = union.find(name) else { return unknownName(name, union) }
        if let other = top.unionCase {
            if other == index {
                // As with any other key, the last value applies.
                if rejectsDuplicates, let entry = top.entry { return failDuplicate(entry) }
                return aimPayload(index, union)
            }
            let names = [other, index].map { union.cases[$0].names[0] }.joined(separator: " and ")
            return fail(.invalidValue(expected: union.expectation, reason: "it has \(names)"), at: .key)
        }
        return aimPayload(index, union)
    }

    private mutating func unknownName(_ name: String, _ union: ResolvedUnion) -> TokenAction {
        let extras = top.makeExtras()
        guard top.unionCase == nil, extras.key == nil else { return .proceed }
        extras.key = name
        guard union.fallback == nil else { return .proceed }
        announce(Failure(unknownCase(name, union), at: .key), .defer(nil))
        return .attend
    }

    /// Ends the object of an enum that has no known case name.
    mutating func endWithoutName(_ union: ResolvedUnion) -> TokenAction {
        if let failure = takeDeferred().first { return handle(failure.failure) }
        guard let name = top.extras?.key else {
            return fail(.invalidValue(expected: union.expectation, reason: "it has no case"), at: .closingBracket)
        }
        let action = useFallback(for: name, union, at: .closingBracket)
        return action == .proceed ? endUnion() : action
    }
}

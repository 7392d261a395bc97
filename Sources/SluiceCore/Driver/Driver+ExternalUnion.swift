// External tagging: one key of the object is the case name. `{"circle": {…}}`, or `"point"` without a payload.
// Other keys are ignored, in any order. If no key is a known case name, the only name of a fallback with the name is that key.
// If the name of a case is repeated, the last value applies. Two different names are an error, also those of one case: the
// order of an object's members has no meaning, so none of the names comes first.

extension Driver {
    mutating func externalKey(_ name: String, _ union: ResolvedUnion) -> TokenAction {
        guard let index = union.find(name) else { return unknownName(name, union) }
        if let other = top.unionCase {
            let known = union.cases[other].names.count > 1 ? top.extras?.key : union.cases[other].names.first
            if let known, known != name { return fail(severalNames(known, name, union), at: .key) }
            // As with any other key, the last value applies.
            if rejectsDuplicates, let entry = top.entry { return failDuplicate(entry) }
        } else if union.cases[index].names.count > 1 {
            top.makeExtras().key = name
        }
        return aimPayload(index, union)
    }

    private mutating func unknownName(_ name: String, _ union: ResolvedUnion) -> TokenAction {
        guard top.unionCase == nil else { return .proceed }
        let extras = top.makeExtras()
        if let first = extras.key {
            guard union.fallbackValue == .tag, first != name, extras.deferred.isEmpty else { return .proceed }
            announce(Failure(severalNames(first, name, union), at: .key), .defer(nil))
            return .handlePending
        }
        extras.key = name
        guard union.fallback == nil else { return .proceed }
        announce(Failure(unknownCase(name, union), at: .key), .defer(nil))
        return .handlePending
    }

    private func severalNames(_ first: String, _ second: String, _ union: ResolvedUnion) -> JSONIssue.Kind {
        .invalidValue(expected: union.expectation, reason: "it has \(first) and \(second)")
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

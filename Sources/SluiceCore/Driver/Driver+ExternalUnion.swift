// External tagging: the one key of the object is the name of the case. `{"circle": {…}}`, or `"point"` without a payload.

extension Driver {
    mutating func externalKey(_ name: String, _ union: CompiledUnion) -> Answer {
        guard let index = union.find(name) else {
            // Further keys beside the case are ignored.
            return top.pointee.unionCase != nil ? .go : useFallback(for: name, union, at: .key)
        }
        if let other = top.pointee.unionCase {
            let names = [other, index].map { union.cases[$0].names[0] }.joined(separator: " and ")
            return fail(.invalidValue(expected: union.expectation, reason: "it has \(names)"), at: .key)
        }
        return aimPayload(index, union)
    }
}

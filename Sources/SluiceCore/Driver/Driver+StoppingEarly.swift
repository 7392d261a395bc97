// The end of a parse when all requested values are present. The rest of the input is not read.

extension Driver {
    /// Ends the parse after the value at a path.
    mutating func stopWithResult() -> TokenAction {
        isComplete = true
        return .stop
    }

    /// Whether the array or object that was closed held all elements of a stream.
    var hasEndedElements: Bool {
        guard emit != nil, top.owner == root, replayDepth == 0 else { return false }
        return frames(above: root).allSatisfy { $0.form != .every && $0.form != .members }
    }

    /// Whether the innermost model is the result, and has all values that its plan decodes.
    ///
    /// Checked at keys that the plan does not expect next. When all fields have values, no other key is expected. A model whose
    /// end reads more of the input does not stop early.
    var hasAllFields: Bool {
        guard emit == nil, merging == nil, replayDepth == 0, let plan = top.ownerPlan else { return false }
        guard plan.flattenedEnums.isEmpty, !plan.hasValueHooks, !plan.fields.contains(where: \.isExtra) else {
            return false
        }
        let owner = top.owner
        let isResult = frames(above: root).allSatisfy { $0.isNode && ($0.owner == owner || $0.owner == root) }
        return isResult && plan.fields.indices.allSatisfy { !plan.fields[$0].isRead || owner.isFilled($0) }
    }

    /// Closes the open containers of the result, which is complete.
    mutating func endEarly() -> TokenAction {
        while top > root {
            let action = top.form == .object || top.form == .members ? endObject() : endArray()
            guard action == .proceed else { return action }
        }
        return .stop
    }
}

/// The functions that are called before a model is encoded.
///
/// A class, so that a call of a closure retains nothing but borrows the object.
final class EncodingHooks {
    /// Calls the hooks of the model; nil without hooks.
    let own: ((_ model: UnsafeRawPointer) throws -> Void)?
    /// Calls the hooks of flattened models, given the memory of the fields: that of the model, or its storage.
    let flattened: ((_ base: UnsafeRawPointer) throws -> Void)?

    /// Returns nil if no function would be called.
    init?(_ own: [ModelHooks], _ flattened: [(offset: Int, hooks: ModelHooks)], _ groups: [FieldGroup]) {
        let calls = own.compactMap(\.beforeEncoding)
        self.own = calls.count < 2 ? calls.first : { model in for call in calls { try call(model) } }
        let inner = Self.calls(flattened)
        let optional = groups.map { ($0, Self.calls($0.hooks)) }.filter { !$0.1.isEmpty }
        self.flattened =
            inner.isEmpty && optional.isEmpty
            ? nil
            : { base in
                for (offset, call) in inner { try call(base + offset) }
                for (group, calls) in optional where !group.isNil(in: base) {
                    for (offset, call) in calls { try call(base + offset) }
                }
            }
        if self.own == nil, self.flattened == nil { return nil }
    }

    private static func calls(
        _ hooks: [(offset: Int, hooks: ModelHooks)]
    ) -> [(offset: Int, call: (UnsafeRawPointer) throws -> Void)] {
        hooks.compactMap { offset, hooks in hooks.beforeEncoding.map { (offset, $0) } }
    }
}

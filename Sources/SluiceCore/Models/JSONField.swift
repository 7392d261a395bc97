/// One stored property of a model, and the keys that fill it.
///
/// `JSONField(\.name, key: "full_name")`. A key is a path: `a.b`, `a[0]`, `a[*].b`, `a.*.b`, `\.` for a dot in a key; without one, the
/// key is made of the property's name by the key strategy. Further candidates follow as `or:`; the earliest of them
/// that is there (and not null) wins, whatever the order of the text. A property that is neither optional nor has a
/// default is required.
public struct JSONField<Model> {
    var declared: DeclaredField

    @usableFromInline
    init<V>(
        _ keyPath: KeyPath<Model, V>, name: String?, key: String?, or candidates: [String], of shape: JSONShape?,
        role: FieldRole = .value, default makeDefault: (() -> V)? = nil
    ) {
        let known = name ?? DeclaredField.name(of: keyPath)
        declared = DeclaredField(
            name: known ?? key ?? "?", isNamed: known != nil, isWritable: keyPath is WritableKeyPath<Model, V>,
            offset: MemoryLayout<Model>.offset(of: keyPath), size: MemoryLayout<V>.size, type: V.self, key: key,
            candidates: candidates, shape: shape, role: role,
            makeDefault: makeDefault.map { make in
                { $0.assumingMemoryBound(to: V.self).initialize(to: make()) }
            },
            destroy: { $0.assumingMemoryBound(to: V.self).deinitialize(count: 1) })
    }
}

/// What a field is filled from.
@usableFromInline
enum FieldRole {
    /// The value at its keys.
    case value
    /// Nothing: it always has its default.
    case ignored
    /// The keys of its model, in the same object.
    case flattened(() -> AnyModelPlan)
    /// What no other field took.
    case extra
}

/// A field without its model's type.
struct DeclaredField {
    var name: String
    /// Whether the name is the property's own, and not made of its key.
    var isNamed: Bool
    var isWritable: Bool
    /// Nil for what has no memory of its own.
    var offset: Int?
    var size: Int
    var type: Any.Type
    /// Nil where the key is made of the name.
    var key: String?
    var candidates: [String]
    var shape: JSONShape?
    var role: FieldRole
    var makeDefault: ((UnsafeMutableRawPointer) -> Void)?
    /// When the default serves.
    var defaultCases: JSONDefaultCases = [.missing, .null]
    var destroy: (UnsafeMutableRawPointer) -> Void
    var coercion: JSONCoercion?
    var isDecoded = true
    var isEncoded = true
    /// Whether elements that fail are dropped and reported.
    var isLossy = false
}

extension DeclaredField {
    /// The last component of `\Model.name`, as the standard library prints it.
    static func name(of keyPath: AnyKeyPath) -> String? {
        let text = "\(keyPath)"
        guard text.hasPrefix("\\"), let dot = text.lastIndex(of: ".") else { return nil }
        let name = text[text.index(after: dot)...]
        // Of a computed property the library prints an address.
        return name.contains(" ") || name.contains("<") || name.contains(")") ? nil : String(name)
    }
}

// MARK: Further facts, chained behind a field

extension JSONField {
    private func with(_ change: (inout DeclaredField) -> Void) -> JSONField {
        var copy = self
        change(&copy.declared)
        return copy
    }

    /// The same field, with conversions of its own.
    public func coercion(_ coercion: JSONCoercion) -> JSONField { with { $0.coercion = coercion } }

    /// The same field; elements of its array, set or dictionary that fail are dropped, and the decoder's report is told.
    public func lossy() -> JSONField { with { $0.isLossy = true } }

    /// The same field, whose default serves in these cases and no others.
    public func defaulting(on cases: JSONDefaultCases) -> JSONField { with { $0.defaultCases = cases } }

    /// The same field, left out in one direction or both.
    public func ignored(_ direction: JSONIgnoreDirection) -> JSONField {
        with {
            if direction != .encoding { $0.isDecoded = false }
            if direction != .decoding { $0.isEncoded = false }
        }
    }
}

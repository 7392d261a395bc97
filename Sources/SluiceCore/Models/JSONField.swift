/// One stored property of a model, and the keys that fill the property.
///
/// In `JSONField(\.name, key: "full_name")`, the key is a path: `a.b`, `a[0]`, `a[*].b`, `a.*.b`, or `["a.b"]` for
/// any other key. Without a key, the key strategy derives one from the property's name. Further candidates follow as `or:`. The
/// first candidate that is present and not null wins, whatever the order of the members. A property that is neither
/// optional nor has a default is required.
public struct JSONField<Model> {
    var declared: DeclaredField

    /// Creates a field.
    ///
    /// Inlinable, so that the optimizer replaces a literal key path by the offset of the property. A key path takes longer to make than
    /// the rest of a field.
    @inlinable @inline(__always)
    package init<V>(
        _ keyPath: KeyPath<Model, V>, name: String?, key: String?, or candidates: [String], of shape: JSONShape?,
        role: FieldRole = .value, default makeDefault: (() -> V)? = nil
    ) {
        let offset = MemoryLayout<Model>.offset(of: keyPath)
        let isKnown = name != nil && offset != nil
        self.init(
            at: offset, by: isKnown ? nil : keyPath, name: name, key: key, or: candidates, of: shape, role: role,
            type: V.self, default: makeDefault)
    }

    /// - Parameter keyPath: The key path of a property whose name or offset is unknown.
    @usableFromInline
    init<V>(
        at offset: Int?, by keyPath: KeyPath<Model, V>?, name: String?, key: String?, or candidates: [String],
        of shape: JSONShape?, role: FieldRole, type: V.Type, default makeDefault: (() -> V)?
    ) {
        declared = DeclaredField(
            name: name ?? key ?? "?", unnamedKeyPath: name == nil ? keyPath : nil,
            isWritable: offset == nil && keyPath is WritableKeyPath<Model, V>, offset: offset,
            size: MemoryLayout<V>.size, type: type, key: key,
            candidates: candidates, shape: shape, role: role,
            makeDefault: makeDefault.map { make in
                { $0.assumingMemoryBound(to: V.self).initialize(to: make()) }
            },
            destroy: { $0.assumingMemoryBound(to: V.self).deinitialize(count: 1) })
        if declared.shape?.readsTokens == true, declared.collects { declared.decodeElements() }
    }
}

/// The source of a field's value.
@usableFromInline
package enum FieldRole {
    /// The value at the field's keys.
    case value
    /// No source: the field always has its default.
    case ignored
    /// The keys of the field's model, in the object of the enclosing model.
    case flattened(() -> _AnyModelPlan)
    /// The members that no other field reads.
    case extra
}

/// A field without the type of its model.
package struct DeclaredField {
    package var name: String
    /// The key path of the property whose name the field has, until the name is known; nil if the field was given a name.
    var unnamedKeyPath: AnyKeyPath?
    /// Whether a property without memory of its own can be set.
    var isWritable: Bool
    /// Nil for a property without memory of its own.
    package var offset: Int?
    package var size: Int
    var type: Any.Type
    /// Nil if the key is derived from the name.
    var key: String?
    var candidates: [String]
    var shape: JSONShape?
    package var role: FieldRole
    package var makeDefault: ((UnsafeMutableRawPointer) -> Void)?
    /// The cases in which the default applies, if the field states them.
    var statedCases: JSONDefaultCases?
    /// Whether the default can be created on the main actor only.
    package var isDefaultIsolated = false
    /// The cases in which the default applies.
    var defaultCases: JSONDefaultCases { statedCases ?? [.missing, .null] }
    var destroy: (UnsafeMutableRawPointer) -> Void
    var coercion: JSONCoercion?
    /// The options of the superclass that declares the field; nil for a field of the plan's own class.
    var inheritedOptions: PlanOptions?
    var isDecoded = true
    package var isEncoded = true
    /// Whether elements that fail are dropped and reported.
    package var isLossy = false
    /// Whether a value that is not complete is left out of partial values.
    var isHiddenUntilComplete = false
}

extension DeclaredField {
    /// Returns the last component of `\Model.name`, as the standard library prints the key path.
    package static func name(of keyPath: AnyKeyPath) -> String? {
        // Printing would search conformances to other protocols first.
        let text = keyPath.debugDescription
        guard text.hasPrefix("\\"), let dot = text.lastIndex(of: ".") else { return nil }
        let name = text[text.index(after: dot)...]
        // The library prints an address for a computed property.
        return name.contains(" ") || name.contains("<") || name.contains(")") ? nil : String(name)
    }
}

extension DeclaredField {
    /// States the cases of the field's default, unless the field does or has none. A field that collects the values at a path with
    /// wildcards is unchanged.
    mutating func useDefault(on cases: JSONDefaultCases) {
        guard role.hasKey, isDecoded, statedCases == nil, !collects else { return }
        if makeDefault != nil || cases.contains(.mismatch) { state(cases) }
    }

    /// States the cases of the field's default. On a mismatch, an optional without a default becomes nil.
    fileprivate mutating func state(_ cases: JSONDefaultCases) {
        statedCases = cases
        guard makeDefault == nil, cases.contains(.mismatch), role.hasKey, !collects, let shape else { return }
        if let values = shape.nullValues {
            makeDefault = values.makeAbsent
        } else if shape.layout.pointee.isOptional {
            makeDefault = { LayoutReference(shape.layout).loadNil($0) }
        } else {
            return
        }
        // Without a value, the property is nil, too.
        statedCases = .all
    }

    /// Whether a key of the field has wildcards.
    fileprivate var collects: Bool {
        (candidates + [key].compactMap(\.self)).contains { (try? JSONPath(parsing: $0))?.selectsSeveral == true }
    }

    /// Decodes the elements of a container one by one, also if the container is only `Decodable`.
    fileprivate mutating func decodeElements() { shape = shape?.withElements(of: type) }

    /// The field with its name as its only key, also for a model or a dictionary whose keys are members of the enclosing object.
    var keyedByName: DeclaredField {
        var field = self
        (field.key, field.candidates) = (JSONPath([.key(name)]).description, [])
        switch role {
        case .value, .ignored: break
        // An encoder reads nothing. As a value of its own, a field that is not decoded would need a default.
        case .flattened, .extra: (field.role, field.isDecoded) = (.value, true)
        }
        return field
    }
}

// MARK: Modifiers

extension JSONField {
    private func with(_ change: (inout DeclaredField) -> Void) -> JSONField {
        var copy = self
        change(&copy.declared)
        return copy
    }

    /// Returns the field with a coercion of its own.
    public func coercion(_ coercion: JSONCoercion) -> JSONField { with { $0.coercion = coercion } }

    /// Returns the field with a lossy container. Elements that fail are dropped and passed to the decoder's issue handler.
    public func lossy() -> JSONField {
        with {
            $0.isLossy = true
            $0.decodeElements()
        }
    }

    /// Returns the field, left out of snapshots and partial values until its value is complete: an array or a string that is cut must not
    /// be seen.
    public func whenComplete() -> JSONField { with { $0.isHiddenUntilComplete = true } }

    /// Returns the field with a default that applies in these cases and no others. With ``JSONDefaultCases/mismatch``, an optional without
    /// a default becomes nil.
    public func defaulting(on cases: JSONDefaultCases) -> JSONField { with { $0.state(cases) } }

    /// Returns the field with a default that is created on the main actor only. Elsewhere, the program stops.
    package func defaultingOnMainActor() -> JSONField {
        with { field in
            field.isDefaultIsolated = field.makeDefault != nil
            field.makeDefault = field.makeDefault.map { make in
                let name = field.name
                return {
                    MainActor.preconditionIsolated(
                        "the default of '\(name)' is isolated to the main actor, but the model is decoded elsewhere"
                    )
                    make($0)
                }
            }
        }
    }

    /// Returns the field, left out in one direction or both.
    public func ignored(_ direction: JSONIgnoreDirection) -> JSONField {
        with {
            if direction != .encoding { $0.isDecoded = false }
            if direction != .decoding { $0.isEncoded = false }
        }
    }
}

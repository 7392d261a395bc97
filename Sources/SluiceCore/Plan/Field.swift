/// One stored property of a model, and the keys that fill it.
///
/// `Field(\.name, key: "full_name")`. A key is a path: `a.b`, `a[0]`, `\.` for a dot in a key. Further candidates
/// follow as `or:`; the earliest of them that is there (and not null) wins, whatever the order of the text.
/// A property that is neither optional nor has a default is required.
public struct Field<Model> {
    let offset: Int?
    let name: String
    let paths: [String]
    let shape: JSONShape?
    let typeSize: Int
    let makeDefault: ((UnsafeMutableRawPointer) -> Void)?
    let destroy: (UnsafeMutableRawPointer) -> Void

    @usableFromInline
    init<V>(
        _ keyPath: KeyPath<Model, V>, name: String?, paths: [String], shape: JSONShape?,
        makeDefault: ((UnsafeMutableRawPointer) -> Void)?
    ) {
        offset = MemoryLayout<Model>.offset(of: keyPath)
        self.name = name ?? Self.name(of: keyPath) ?? paths.first ?? "?"
        self.paths = paths
        self.shape = shape
        typeSize = MemoryLayout<V>.size
        self.makeDefault = makeDefault
        destroy = { $0.assumingMemoryBound(to: V.self).deinitialize(count: 1) }
    }

    /// The last component of `\Model.name`, as the standard library prints it.
    private static func name(of keyPath: AnyKeyPath) -> String? {
        let text = "\(keyPath)"
        guard text.hasPrefix("\\"), let dot = text.lastIndex(of: ".") else { return nil }
        let name = text[text.index(after: dot)...]
        // Of a computed property the library prints an address.
        return name.contains(" ") || name.contains("<") ? nil : String(name)
    }

    /// A property that is filled from `key`, or from the first candidate of `or` that is there.
    @inlinable
    public init<V: JSONFillable>(_ keyPath: KeyPath<Model, V>, name: String? = nil, key: String, or: String...) {
        self.init(keyPath, name: name, paths: [key] + or, shape: JSONShape.of(V.self), makeDefault: nil)
    }

    /// A property that is filled from `key`, and by `default` where the text has nothing for it, or null.
    @inlinable
    public init<V: JSONFillable>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String, or: String...,
        default: @autoclosure @escaping () -> V
    ) {
        self.init(keyPath, name: name, paths: [key] + or, shape: JSONShape.of(V.self)) { target in
            target.assumingMemoryBound(to: V.self).initialize(to: `default`())
        }
    }

    /// A property that the text does not fill: it always has this value.
    @inlinable
    public init<V>(
        ignoring keyPath: KeyPath<Model, V>, name: String? = nil, default: @autoclosure @escaping () -> V
    ) {
        self.init(keyPath, name: name, paths: [], shape: nil) { target in
            target.assumingMemoryBound(to: V.self).initialize(to: `default`())
        }
    }

    /// A property of a shape that is given.
    @usableFromInline
    init<V>(_ keyPath: KeyPath<Model, V>, name: String?, paths: [String], of shape: JSONShape) {
        self.init(keyPath, name: name, paths: paths, shape: shape, makeDefault: nil)
    }

    @usableFromInline
    init<V>(
        _ keyPath: KeyPath<Model, V>, name: String?, paths: [String], of shape: JSONShape,
        default: @escaping () -> V
    ) {
        self.init(keyPath, name: name, paths: paths, shape: shape) { target in
            target.assumingMemoryBound(to: V.self).initialize(to: `default`())
        }
    }
}

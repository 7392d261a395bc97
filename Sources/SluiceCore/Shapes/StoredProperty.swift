@_spi(Reflection) import Swift

/// A stored property, as listed by the runtime.
struct StoredProperty {
    let name: String
    let bytes: Range<Int>
    let type: Any.Type
    private let kind: _MetadataKind

    /// Whether the type is a struct or a tuple.
    var isAggregate: Bool { kind == .struct || kind == .tuple }

    /// Whether the type is a struct, an enum or a tuple.
    var isValue: Bool { isAggregate || kind == .enum }

    /// Returns the stored properties of a struct or tuple.
    ///
    /// - Parameter includesEmpty: Whether properties without bytes are listed, such as those of an enum with one case.
    static func all(of type: Any.Type, includesEmpty: Bool = false) -> [StoredProperty] {
        var properties: [StoredProperty] = []
        _ = _forEachField(of: type, options: .none) { name, offset, type, kind in
            func size<T>(_: T.Type) -> Int { MemoryLayout<T>.size }
            let bytes = offset..<offset + _openExistential(type, do: size)
            if includesEmpty || !bytes.isEmpty {
                properties.append(StoredProperty(name: Self.name(name), bytes: bytes, type: type, kind: kind))
            }
            return true
        }
        return properties
    }

    /// Returns the names of the stored properties of a class.
    static func names(in type: AnyClass) -> [String] {
        var names: [String] = []
        _ = _forEachField(of: type, options: .classType) { name, _, _, _ in
            names.append(Self.name(name))
            return true
        }
        return names
    }

    /// Whether the only stored property of a struct has another type, so that both types have the same memory layout.
    static func isWrapper(_ type: Any.Type, of other: ObjectIdentifier) -> Bool {
        guard !(type is AnyClass) else { return false }
        let properties = all(of: type)
        guard properties.count == 1, properties[0].bytes.lowerBound == 0 else { return false }
        return ObjectIdentifier(properties[0].type) == other || isWrapper(properties[0].type, of: other)
    }

    /// Returns the name as in source code: tuple elements come with a dot, lazy properties with a prefix.
    private static func name(_ name: UnsafePointer<CChar>) -> String {
        let text = String(cString: name)
        let lazy = "$__lazy_storage_$_"
        return text.hasPrefix(lazy) ? String(text.dropFirst(lazy.count)) : String(text.drop { $0 == "." })
    }

    /// Whether a type is a struct or a tuple. The runtime cannot list the fields of other types without a value.
    static func isAggregate<T>(_ type: T.Type) -> Bool {
        var isAggregate = true
        _ = _forEachField(of: Holder<T>.self, options: .none) { _, _, _, kind in
            isAggregate = kind == .struct || kind == .tuple
            return true
        }
        return isAggregate
    }
}

/// Copies a stored property of a struct to another struct, if the runtime lists a property of this name.
package func copyStoredProperty<Model>(named name: String, from old: Model, to new: inout Model) {
    guard let property = StoredProperty.all(of: Model.self).first(where: { $0.name == name }) else { return }
    withUnsafeBytes(of: old) { old in
        withUnsafeMutableBytes(of: &new) { new in
            func copy<Value>(_: Value.Type) {
                let offset = property.bytes.lowerBound
                new.baseAddress!.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee =
                    old.baseAddress!.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
            }
            _openExistential(property.type, do: copy)
        }
    }
}

/// A struct whose only property gives the kind of its type.
private struct Holder<T> {
    var value: T
}

// The standard library's own options are global variables and an empty set literal, whose first use takes long.
extension _EachFieldOptions {
    fileprivate static var none: Self { Self(rawValue: 0) }
    fileprivate static var classType: Self { Self(rawValue: 1) }
}

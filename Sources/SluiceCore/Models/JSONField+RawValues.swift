// Raw-value enums that do not declare `JSONConvertible`, alone and in the most frequent containers. Deeper nestings
// (`[[Color]]`) need `enum Color: String, JSONConvertible`.

/// A raw value with the conformance that its type lacks. Both types have the same memory layout.
@usableFromInline
@frozen
struct RawValueBox<R: RawRepresentable>: JSONConvertible where R.RawValue: JSONConvertible {
    @usableFromInline var value: R

    @inlinable init(value: R) { self.value = value }

    @usableFromInline
    static var jsonShape: JSONShape { .rawValue(R.self).serving(Self.self) }
}

@usableFromInline
enum RawValueShape {
    @inlinable
    static func one<R: RawRepresentable>(_ type: R.Type) -> JSONShape where R.RawValue: JSONConvertible {
        JSONShape.of(RawValueBox<R>.self)
    }
    @inlinable
    static func optional<R: RawRepresentable>(_ type: R?.Type) -> JSONShape where R.RawValue: JSONConvertible {
        JSONShape.of(RawValueBox<R>?.self)
    }
    @inlinable
    static func array<R: RawRepresentable>(_ type: [R].Type) -> JSONShape where R.RawValue: JSONConvertible {
        JSONShape.of([RawValueBox<R>].self)
    }
    @inlinable
    static func optionals<R: RawRepresentable>(_ type: [R?].Type) -> JSONShape where R.RawValue: JSONConvertible {
        JSONShape.of([RawValueBox<R>?].self)
    }
    @inlinable
    static func optionalArray<R: RawRepresentable>(_ type: [R]?.Type) -> JSONShape
    where R.RawValue: JSONConvertible {
        JSONShape.of([RawValueBox<R>]?.self)
    }
    @inlinable
    static func set<R: RawRepresentable & Hashable>(_ type: Set<R>.Type) -> JSONShape
    where R.RawValue: JSONConvertible {
        JSONShape.array(Set<R>.self, of: RawValueBox<R>.self) { run in
            defer { run.deinitialize() }
            return Set(run.lazy.map(\.value))
        }.gathering {
            ElementBuffer(copying: $0.assumingMemoryBound(to: Set<R>.self).pointee) { RawValueBox(value: $0) }
        }
    }
    @inlinable
    static func values<K: JSONDictionaryKey, R: RawRepresentable>(_ type: [K: R].Type) -> JSONShape
    where R.RawValue: JSONConvertible {
        JSONShape.dictionary(
            [K: R].self, key: K.self, value: RawValueBox<R>.self, makeKey: { K(jsonKey: $0) },
            make: { run in
                defer { run.deinitialize() }
                return Dictionary(run.lazy.map { ($0, $1.value) }, uniquingKeysWith: { $1 })
            }
        ).gathering {
            ElementBuffer(copying: $0.assumingMemoryBound(to: [K: R].self).pointee) {
                ($0.key, RawValueBox(value: $0.value))
            }
        }
    }
    @inlinable
    static func keys<R: RawRepresentable & Hashable, V: JSONConvertible>(_ type: [R: V].Type) -> JSONShape
    where R.RawValue: JSONDictionaryKey {
        JSONShape.dictionary(
            [R: V].self, key: R.self, value: V.self,
            makeKey: { R.RawValue(jsonKey: $0).flatMap(R.init(rawValue:)) },
            make: { Dictionary(taking: $0) }
        ).gathering {
            ElementBuffer(copying: $0.assumingMemoryBound(to: [R: V].self).pointee) { ($0.key, $0.value) }
        }
    }
    @inlinable
    static func optionalValues<K: JSONDictionaryKey, R: RawRepresentable>(_ type: [K: R]?.Type) -> JSONShape
    where R.RawValue: JSONConvertible {
        JSONShape.of(RawValueDictionary<K, R>?.self)
    }
}

/// A dictionary of raw values with the conformance that its type lacks. Both types have the same memory layout.
@usableFromInline
@frozen
struct RawValueDictionary<K: JSONDictionaryKey, R: RawRepresentable>: JSONConvertible
where R.RawValue: JSONConvertible {
    @usableFromInline var value: [K: R]

    @usableFromInline
    static var jsonShape: JSONShape { RawValueShape.values([K: R].self).serving(Self.self) }
}

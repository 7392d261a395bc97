// The containers of the standard library. Their shapes are built from the shapes of their elements, so that a transform
// can replace the shape of the elements at any depth.

/// A container whose shape is built from the shape of its elements: `Optional`, `Array`, `Set` or `Dictionary`.
///
/// No other type needs to conform.
public protocol _JSONContainer {
    /// The type of the elements: an optional's payload, or a dictionary's values.
    associatedtype _JSONElement
    /// Returns the shape of a container whose elements have the given shape.
    static func _jsonShape(of element: JSONShape) -> JSONShape
}

extension Optional: _JSONContainer {
    public typealias _JSONElement = Wrapped

    @inlinable
    public static func _jsonShape(of element: JSONShape) -> JSONShape { .optional(Wrapped.self, of: element) }
}

extension Array: _JSONContainer {
    public typealias _JSONElement = Element

    @inlinable
    public static func _jsonShape(of element: JSONShape) -> JSONShape {
        JSONShape.sequence(
            Self.self, elementShape: element, isBorrowed: true,
            access: ElementAccess(
                Self.self, elements: { $0 }, make: { [] }, append: { $0.append($1) },
                remove: { $0.removeSubrange($1) }),
            append: { $0.append($1) }, make: { Array(taking: $0) },
            elements: { ElementBuffer(borrowing: $0.assumingMemoryBound(to: Self.self)) })
    }
}

extension Set: _JSONContainer {
    public typealias _JSONElement = Element

    @inlinable
    public static func _jsonShape(of element: JSONShape) -> JSONShape {
        JSONShape.sequence(
            Self.self, elementShape: element, isOrdered: false, append: { $0.insert($1) },
            make: { Set(taking: $0) },
            elements: { ElementBuffer(copying: $0.assumingMemoryBound(to: Self.self).pointee) { $0 } })
    }
}

extension Dictionary: _JSONContainer where Key: JSONDictionaryKey {
    public typealias _JSONElement = Value

    @inlinable
    public static func _jsonShape(of element: JSONShape) -> JSONShape {
        JSONShape.members(
            Self.self, valueShape: element, makeKey: { Key(jsonKey: $0) }, keyText: { $0.jsonKey },
            access: MemberAccess(
                Self.self, key: { Key(jsonKey: $0) }, load: { $0[$1] },
                store: { dictionary, key, value in
                    if let value {
                        dictionary.updateValue(value, forKey: key)
                    } else {
                        dictionary.removeValue(forKey: key)
                    }
                }),
            insert: { $0[$1] = $2 }, make: { Dictionary(taking: $0) },
            elements: {
                ElementBuffer(copying: $0.assumingMemoryBound(to: Self.self).pointee) { ($0.key, $0.value) }
            }
        )
    }
}

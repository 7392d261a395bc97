/// A type that can be decoded from JSON and encoded to JSON.
///
/// The standard library's scalars, `Optional`, `Array`, `Dictionary` and `Set` conform, and so does every
/// ``JSONModel``. A raw-value enum declares the conformance: `enum Color: String, JSONConvertible`. Any other type returns
/// a shape with both conversions, such as ``JSONShape/scalar(_:expecting:read:write:)``.
public protocol JSONConvertible {
    /// The conversions between tokens and values of this type. Call ``JSONShape/of(_:)``, which keeps one shape per type.
    static var jsonShape: JSONShape { get }
    /// The type of a value that is read in part: that of the option `.partial` of `@JSONModel`, or the type itself.
    associatedtype _JSONPartial: JSONConvertible = Self
}

// MARK: Containers

// Types are cast to `JSONConvertible`, so these conformances are in the file of the protocol. See `WritableContainer`.

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    public typealias _JSONPartial = Wrapped._JSONPartial?
    @_documentation(visibility: internal) @inlinable public static var jsonShape: JSONShape {
        _jsonShape(of: JSONShape.of(Wrapped.self))
    }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    public typealias _JSONPartial = [Element._JSONPartial]
    @_documentation(visibility: internal) @inlinable public static var jsonShape: JSONShape {
        _jsonShape(of: JSONShape.of(Element.self))
    }
}

extension Set: JSONConvertible where Element: JSONConvertible {
    /// The elements in the order of the text: whether two of them are equal is known at their end.
    public typealias _JSONPartial = [Element._JSONPartial]
    @_documentation(visibility: internal) @inlinable public static var jsonShape: JSONShape {
        _jsonShape(of: JSONShape.of(Element.self))
    }
}

// The keys decide at run time whether the dictionary is an object. See `KeyText`.
extension Dictionary: JSONConvertible where Value: JSONConvertible {
    public typealias _JSONPartial = [Key: Value._JSONPartial]
    @_documentation(visibility: internal) @inlinable public static var jsonShape: JSONShape {
        _jsonShape(of: JSONShape.of(Value.self))
    }
}

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
            access: ElementAccess(of: Element.self),
            append: { $0.append($1) }, reserve: { $0.reserveCapacity($1) }, make: { Array(taking: $0) },
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
            elements: { ElementBuffer(copying: $0.assumingMemoryBound(to: Self.self).pointee) { $0 } },
            visit: { ContainerWitness.visit($0.assumingMemoryBound(to: Self.self).pointee, $1) { $0 } })
    }
}

extension Dictionary: _JSONContainer {
    public typealias _JSONElement = Value

    @inlinable
    public static func _jsonShape(of element: JSONShape) -> JSONShape {
        guard let keys = KeyText(of: Key.self) else { return .withoutKeyText(Self.self, key: Key.self, element) }
        return JSONShape.members(
            Self.self, valueShape: element, keys: keys,
            access: MemberAccess(
                Self.self, key: keys.make, load: { $0[$1] },
                store: { dictionary, key, value in
                    if let value {
                        dictionary.updateValue(value, forKey: key)
                    } else {
                        dictionary.removeValue(forKey: key)
                    }
                },
                equalKey: { dictionary, key in dictionary.index(forKey: key).map { keys.text(dictionary[$0].key) } }
            ),
            mergesEquivalentKeys: true, mayRepeatTexts: keys.mayRepeat,
            insert: { value, text, container in
                let value = value.assumingMemoryBound(to: Value.self)
                // No closure makes the key: each value of a dictionary of extra keys comes here.
                if Key.self == String.self {
                    container.assumingMemoryBound(to: [String: Value].self).pointee[text] = value.move()
                    return true
                }
                guard let key = keys.make(text) else { return false }
                container.assumingMemoryBound(to: Self.self).pointee[key] = value.move()
                return true
            }, reserve: { $0 = Self(minimumCapacity: $1) }, make: { Dictionary(taking: $0) },
            elements: {
                ElementBuffer(copying: $0.assumingMemoryBound(to: Self.self).pointee) { ($0.key, $0.value) }
            },
            visit: {
                ContainerWitness.visit($0.assumingMemoryBound(to: Self.self).pointee, $1) { ($0.key, $0.value) }
            }
        )
    }
}

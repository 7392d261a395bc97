// Shapes of values whose JSON is, or may be, the contents of a string.

/// The closures of a value whose JSON is the contents of a string.
final class EmbeddedWitness {
    /// The shape of strings.
    let string = JSONShape.of(String.self)
    /// The shape of the value in the string.
    let contents: JSONShape

    init(contents: JSONShape) { self.contents = contents }
}

extension JSONShape {
    /// Returns the shape of a value whose JSON is the contents of a string. `null` is not a string.
    static func embedded<T: JSONConvertible>(_ type: T.Type) -> JSONShape {
        let inner = JSONShape.of(T.self)
        let embedded = EmbeddedWitness(contents: inner)
        let isOptional = inner.layout.pointee.isOptional
        let shape = JSONShape(
            type, .embedded(embedded), expectation: "a string of JSON", isFixed: true,
            presence: isOptional || inner.nullValues != nil ? inner.presence : nil)
        shape.layout.pointee.contents = LayoutReference(inner.layout)
        if isOptional {
            // `null` is the nil of the optional type.
            shape.layout.pointee.isOptional = true
            shape.layout.pointee.none = inner.layout.pointee.none
        }
        return shape
    }
    // MARK: Values with and without a string

    /// Returns the shape of a value that is decoded from JSON or from a string of JSON, and encoded as JSON.
    static func either<T: JSONConvertible>(_ type: T.Type) -> JSONShape { either(type, isElement: false) }

    /// - Parameter isElement: Whether the value is an element of a container. Of the elements, only models have both forms.
    private static func either<T: JSONConvertible>(_ type: T.Type, isElement: Bool) -> JSONShape {
        var shape = JSONShape.of(type)
        if shape.container != nil || shape.payload != nil, shape.containsModels,
            let container = type as? any _JSONContainer.Type
        {
            let areElements = isElement || shape.payload == nil
            shape = eitherElements(of: container, areElements: areElements) ?? shape
        }
        let isReading = isElement ? shape.containsModels : shape.canReadText
        return isReading && !shape.layout.pointee.readsText ? JSONShape(readingText: shape) : shape
    }

    /// Returns the shape, or a copy whose values are also read from a string of JSON if those of the shape that it replaces are.
    func replacing(_ other: JSONShape) -> JSONShape {
        other.layout.pointee.readsText && canReadText ? JSONShape(readingText: self) : self
    }

    /// Returns the shape of a container whose elements have both forms.
    private static func eitherElements<C: _JSONContainer>(of type: C.Type, areElements: Bool) -> JSONShape? {
        guard let element = C._JSONElement.self as? any JSONConvertible.Type else { return nil }
        return C._jsonShape(of: either(element, isElement: areElements))
    }

    /// Whether values are models, or containers of models.
    private var containsModels: Bool { container.map { $0.element.shape.containsModels } ?? (model != nil) }

    /// Whether a string can be the JSON text of a value: the value's own JSON is not a string.
    private var canReadText: Bool {
        switch category {
        case .basic(let kind): ![.string, .raw, .recording, .ignored].contains(kind)
        case .scalar, .embedded: false
        case .conversion(let conversion): conversion.inner.canReadText
        case .array, .dictionary, .model: true
        }
    }
}

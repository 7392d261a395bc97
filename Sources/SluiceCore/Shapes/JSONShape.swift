import Synchronization

// Unchecked because closures capture generic types, which are not formally `Sendable`. All other captured values are
// `Sendable`.
/// The conversions between JSON tokens and the values of one type. Shapes are immutable, except for the length of the last output.
///
/// Use this type to conform a type of your own to ``JSONConvertible``, by ``scalar(_:expecting:read:write:)`` or
/// ``rawValue(_:values:fallback:)``.
public final class JSONShape: @unchecked Sendable {
    /// The memory layout of the type. Read-only once the shape is made. A ``PlanCache`` has a copy of its own, with resolved
    /// plans.
    let layout: UnsafeMutablePointer<TypeLayout>
    package let type: Any.Type
    /// The name of the type for messages. Made when a message needs the name, because the search for a type's description is long.
    var typeName: String { ErrorText.name(of: type) }
    let expectation: String
    /// The category of the type, with its closures. An optional has the category of its payload.
    let category: ShapeCategory
    /// The object of the category. Leak detectors do not recognize the address in the category, whose unused bits hold the
    /// number of the case.
    private let witness: AnyObject?
    /// The owner of an optional's nil, to which the layout points.
    let nilMemory: NilMemory?
    /// The shape of an optional's payload; nil for other types.
    package let payload: JSONShape?
    /// Whether the options of a decoder leave the shape unchanged because a property named the conversion.
    let isFixed: Bool
    /// The schema that the shape states itself; nil for the schema of its category.
    package let schemaHint: SchemaHint?
    /// Destroys a number of values of the type.
    let destroy: (UnsafeMutableRawPointer, Int) -> Void
    /// Returns the form in which a value is written.
    @usableFromInline let presence: (UnsafeRawPointer) -> Presence
    /// The reason why the shape is unusable, or nil.
    private(set) var defect: String?
    /// The length of the last JSON of a value, if that JSON was long, else 0.
    let outputLength = Atomic<Int>(0)

    /// Creates the shape of a type.
    ///
    /// - Parameters:
    ///   - schemaHint: The schema that the shape states itself; nil for the schema of its category.
    ///   - presence: Returns the form in which a value is written; nil if a value is always present.
    init<T>(
        _ type: T.Type, _ category: ShapeCategory, expectation: String? = nil, isFixed: Bool = false,
        schemaHint: SchemaHint? = nil, presence: ((UnsafeRawPointer) -> Presence)? = nil
    ) {
        self.type = type
        self.expectation = expectation ?? category.kind.expectation
        self.category = category
        witness = category.witness
        (payload, nilMemory) = (nil, nil)
        self.isFixed = isFixed
        self.schemaHint = schemaHint
        destroy = { $0.assumingMemoryBound(to: T.self).deinitialize(count: $1) }
        self.presence = presence ?? { _ in .value }
        layout = .allocate(capacity: 1)
        layout.initialize(
            to: TypeLayout(
                kind: category.kind, size: MemoryLayout<T>.size, stride: MemoryLayout<T>.stride,
                alignmentMask: MemoryLayout<T>.alignment - 1, unretainedShape: .passUnretained(self)))
        layout.pointee.element = element.map { LayoutReference($0.layout) }
        layout.pointee.unretainedWriter = writer.map { .passUnretained($0) }
        if presence != nil { layout.pointee.nilTest = .closure }
    }

    /// Creates a shape that no plan can use.
    convenience init<T>(unusable type: T.Type, because defect: String) {
        self.init(type, kind: .ignored)
        self.defect = defect
    }

    /// Creates the shape of a type whose kind alone selects the code.
    convenience init<T>(_ type: T.Type, kind: ValueKind, expectation: String? = nil) {
        self.init(type, .basic(kind), expectation: expectation)
    }

    /// Creates the shape of a container that is decoded from and encoded to an array.
    @usableFromInline
    convenience init<T, Element>(_ type: T.Type, _ array: ArrayWitness, of element: Element.Type) {
        self.init(type, .array(array))
        layout.pointee.setElements(array.element)
        if type == [Double].self { layout.pointee.inlineElementKind = .double }
        if type == [Int].self { layout.pointee.inlineElementKind = .int }
        if type == [String].self { layout.pointee.inlineElementKind = .string }
        checkElement(element)
    }

    /// Creates the shape of a container that is decoded from and encoded to an object with any keys.
    @usableFromInline
    convenience init<T, Value>(_ type: T.Type, _ dictionary: DictionaryWitness, of value: Value.Type) {
        self.init(type, .dictionary(dictionary))
        layout.pointee.setElements(dictionary.element)
        layout.pointee.hasTextKeys = dictionary.keys.areStrings
        layout.pointee.mergesEquivalentKeys = dictionary.mergesEquivalentKeys
        layout.pointee.mayRepeatTexts = dictionary.mayRepeatTexts
        checkElement(value)
    }

    /// Creates the shape of an optional: that of its payload, with another layout.
    init(
        optional type: Any.Type, of payload: JSONShape, _ layout: TypeLayout,
        _ nilMemory: NilMemory?,
        destroy: @escaping (UnsafeMutableRawPointer, Int) -> Void,
        presence: @escaping (UnsafeRawPointer) -> Presence
    ) {
        self.type = type
        (self.payload, self.nilMemory) = (payload, nilMemory)
        self.destroy = destroy
        self.presence = presence
        (expectation, category, witness) = (payload.expectation, payload.category, payload.witness)
        (isFixed, defect, schemaHint) = (payload.isFixed, payload.defect, payload.schemaHint)
        self.layout = .allocate(capacity: 1)
        self.layout.initialize(to: layout)
        self.layout.pointee.unretainedShape = .passUnretained(self)
    }

    /// Creates a copy of a shape that the options of a decoder leave unchanged.
    convenience init(fixing other: JSONShape) {
        self.init(other, isFixed: true, hint: other.schemaHint)
    }

    /// Creates a copy of a shape whose values are also read from a string of JSON.
    convenience init(readingText other: JSONShape) {
        self.init(
            other, expectation: "\(other.expectation) or a string of JSON", isFixed: other.isFixed,
            hint: other.schemaHint)
        layout.pointee.readsText = true
    }

    /// Creates a copy of a shape with a schema.
    convenience init(_ other: JSONShape, hint: SchemaHint) {
        self.init(other, isFixed: other.isFixed, hint: hint)
    }

    private init(_ other: JSONShape, expectation: String? = nil, isFixed: Bool, hint: SchemaHint?) {
        (type, payload) = (other.type, other.payload)
        (destroy, presence) = (other.destroy, other.presence)
        (category, defect) = (other.category, other.defect)
        (witness, nilMemory) = (other.witness, other.nilMemory)
        self.expectation = expectation ?? other.expectation
        self.isFixed = isFixed
        schemaHint = hint
        layout = .allocate(capacity: 1)
        layout.initialize(to: other.layout.pointee)
        layout.pointee.unretainedShape = .passUnretained(self)
    }

    deinit { layout.deallocate() }

    /// The identity of the type.
    var typeID: ObjectIdentifier { ObjectIdentifier(type) }
}

extension JSONShape {
    /// Returns the shape of a type. A type has one shape for the life of the process.
    // Inlinable, so that the closures of a container's shape are specialized in the module that knows its elements. A
    // generic closure costs several times as much for each array.
    @inlinable
    public static func of<T: JSONConvertible>(_ type: T.Type) -> JSONShape {
        unretained(of: type).takeUnretainedValue()
    }

    /// Returns the shape of a type, which may be a subclass of `T`, without retaining the shape. Threads that retain the same object slow
    /// each other down.
    @inlinable
    package static func unretained<T: JSONConvertible>(of type: T.Type) -> Unmanaged<JSONShape> {
        // Created outside of the lock, because creating a shape looks up the shapes of its parts.
        lookUp(ObjectIdentifier(type))
            ?? .passUnretained(ofSubclass(type, of: T.self) ?? keep(T.jsonShape, as: type))
    }

    /// Returns the shape of a type that is a subclass of another type; nil for that type itself.
    // Not inlined, and without the static type: the optimizer would take the type for `T`. Opening the existential gives the subclass.
    @usableFromInline @inline(never)
    static func ofSubclass(_ type: Any.Type, of superclass: Any.Type) -> JSONShape? {
        if type == superclass { return nil }
        return (type as? any JSONConvertible.Type).map { of($0) }
    }

    @usableFromInline
    static func lookUp(_ id: ObjectIdentifier) -> Unmanaged<JSONShape>? {
        known[id]
    }

    @usableFromInline
    static func keep<T>(_ candidate: JSONShape, as type: T.Type) -> JSONShape {
        var shape = candidate
        if !candidate.fits(type) {
            // The shape would write values of another type into memory of this type.
            shape = JSONShape(unusable: type, because: "its jsonShape is that of \(candidate.typeName)")
        }
        return known.insert(shape, for: type).takeUnretainedValue()
    }

    /// The shapes of all types that were used, by the type's identity. Shapes are never released.
    private static let known = TypeTable<JSONShape>(capacity: 64)

    /// Marks the shape as unusable if the shape of its elements, or of a dictionary's values, is of another type.
    private func checkElement<T>(_ type: T.Type) {
        guard let element, !element.fits(type) else { return }
        defect = "the shape of its elements is that of \(element.typeName)"
    }

    /// Whether this shape can write values of a type, as the shape of the type itself or of its only stored property.
    private func fits<T>(_ type: T.Type) -> Bool {
        let id = ObjectIdentifier(type)
        return typeID == id || StoredProperty.isWrapper(type, of: typeID)
    }
}

import Synchronization

// Unchecked because closures capture generic types, which are not formally `Sendable`. All other captured values are
// `Sendable`.
/// The way in which values of one type are decoded from JSON tokens and encoded. Shapes are immutable once made.
///
/// Use this type to conform a type of your own to ``JSONConvertible``, by ``scalar(_:expecting:read:write:)`` or
/// ``rawValue(_:values:fallback:)``.
public final class JSONShape: @unchecked Sendable {
    /// The memory layout of the type. Read-only once the shape is made. A ``PlanCache`` has a copy of its own, with resolved
    /// plans.
    let layout: UnsafeMutablePointer<TypeLayout>
    let typeName: String
    let expectation: String
    /// Destroys a number of values of the type.
    let destroy: (UnsafeMutableRawPointer, Int) -> Void
    /// Moves collected elements or pairs to other memory.
    let moveRun: ((_ from: UnsafeMutableRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer) -> Void)?
    /// Destroys collected elements or pairs.
    let destroyRun: ((UnsafeMutableRawPointer, Int) -> Void)?
    /// Makes the container from the collected elements, which are moved out; or a class from its storage.
    let finish: ((_ run: UnsafeMutableRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer) -> Void)?
    /// Makes a dictionary's key at the start of a pair. Returns false if the string is not a key.
    let makeKey: ((UnsafeBufferPointer<UInt8>, UnsafeMutableRawPointer) -> Bool)?
    let destroyKey: ((UnsafeMutableRawPointer) -> Void)?
    /// Returns the description of a dictionary's key, for paths.
    let keyText: ((UnsafeMutableRawPointer) -> String)?
    /// Returns the key at the start of a pair, for the search for duplicates.
    let hashableKey: ((UnsafeRawPointer) -> AnyHashable)?
    /// Makes the value from a scalar.
    let read: ((borrowing JSONScalar, UnsafeMutableRawPointer) throws -> Void)?
    /// Returns the model's plan. Called late because a model may contain itself.
    let erasedPlan: (() -> AnyModelPlan)?
    /// The model's type, which its plan must describe. An optional has the model of its payload.
    let model: ObjectIdentifier?
    let children: [JSONShape]
    /// The resolved layout in the standard plan cache.
    let standardLayout = Atomic<UnsafePointer<TypeLayout>?>(nil)
    let typeID: ObjectIdentifier
    /// The reason why the shape is unusable, or nil.
    private(set) var defect: String?
    // Properties that few shapes have. They are set while the shape is made.
    /// The shape of an optional's payload; nil for other types.
    var payload: JSONShape?
    /// Makes the value from a value of another type (`children[0]`), which is moved out of its memory.
    var convert: Conversion?
    /// Whether the options of a decoder leave the shape unchanged because a property named the conversion.
    var isFixed = false
    /// Whether the value requires complete JSON, and is never made from the part of a value before an early end of the input.
    var needsWhole = false
    /// Makes the value of `null` for types that treat `null` as a value.
    var convertNull: ((UnsafeMutableRawPointer) -> Void)?
    /// Makes the value of a property whose key is missing.
    var makeAbsent: ((UnsafeMutableRawPointer) -> Void)?
    /// Makes a container without elements.
    @usableFromInline var makeEmpty: ((UnsafeMutableRawPointer) -> Void)?
    /// Adds an element, or the value of a key, to a container. The value is moved out of its memory. Returns false if the
    /// container cannot have the key.
    @usableFromInline
    var absorb: ((_ value: UnsafeMutableRawPointer, _ key: String, _ container: UnsafeMutableRawPointer) -> Bool)?
    /// Returns the shape of an object's own class if that is a subclass; set for classes.
    var dynamicShape: ((UnsafeRawPointer) -> JSONShape?)?
    /// Whether values are objects of a class.
    var isClass: Bool { dynamicShape != nil }
    /// The access to the members of a container that can be changed in place.
    var members: MemberAccess?
    /// The access to the elements of an array that can be changed one by one.
    var elements: ElementAccess?
    // Closures for encoding.
    /// Returns the form in which a value is written; nil if a value is always present.
    @usableFromInline var presence: ((UnsafeRawPointer) -> Presence)?
    /// Returns the elements of a container, or its pairs.
    var gather: ((UnsafeRawPointer) -> ElementBuffer)?
    /// Whether `gather` lends the elements in their order, as an array does.
    var lendsElements = false
    /// Makes the value, of `children[0]`, that is written instead of this type's value.
    var takeApart: Separation?

    @usableFromInline
    init<T>(
        _ type: T.Type, kind: ValueKind, expectation: String? = nil, children: [JSONShape] = [],
        moveRun: ((UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer) -> Void)? = nil,
        destroyRun: ((UnsafeMutableRawPointer, Int) -> Void)? = nil,
        finish: ((UnsafeMutableRawPointer, Int, UnsafeMutableRawPointer) -> Void)? = nil,
        makeKey: ((UnsafeBufferPointer<UInt8>, UnsafeMutableRawPointer) -> Bool)? = nil,
        destroyKey: ((UnsafeMutableRawPointer) -> Void)? = nil,
        keyText: ((UnsafeMutableRawPointer) -> String)? = nil,
        hashableKey: ((UnsafeRawPointer) -> AnyHashable)? = nil,
        read: ((borrowing JSONScalar, UnsafeMutableRawPointer) throws -> Void)? = nil,
        erasedPlan: (() -> AnyModelPlan)? = nil, model: ObjectIdentifier? = nil
    ) {
        self.typeName = String(describing: type)
        self.typeID = ObjectIdentifier(type)
        self.expectation = expectation ?? kind.expectation
        self.destroy = { address, count in
            address.assumingMemoryBound(to: T.self).deinitialize(count: count)
        }
        self.moveRun = moveRun
        self.destroyRun = destroyRun
        self.finish = finish
        self.makeKey = makeKey
        self.destroyKey = destroyKey
        self.keyText = keyText
        self.hashableKey = hashableKey
        self.read = read
        self.erasedPlan = erasedPlan
        self.model = model
        self.children = children
        layout = .allocate(capacity: 1)
        layout.initialize(
            to: TypeLayout(
                kind: kind, size: MemoryLayout<T>.size, stride: MemoryLayout<T>.stride,
                alignmentMask: MemoryLayout<T>.alignment - 1, shape: Unmanaged.passUnretained(self)))
        if let child = children.first {
            layout.pointee.element = UnsafePointer(child.layout)
        }
        if type == [Double].self { layout.pointee.leaf = .double }
        if type == [Int].self { layout.pointee.leaf = .int }
        if type == [String].self { layout.pointee.leaf = .string }
    }

    /// Creates the shape of a type whose values start with a value of another shape's type, and are filled by that shape.
    convenience init<T>(_ type: T.Type, like inner: JSONShape) {
        self.init(
            ObjectIdentifier(type), String(describing: type),
            destroy: { $0.assumingMemoryBound(to: T.self).deinitialize(count: $1) }, like: inner)
    }

    /// Creates a copy of a shape for another type. The caller sets the layout.
    init(
        _ typeID: ObjectIdentifier, _ typeName: String, destroy: @escaping (UnsafeMutableRawPointer, Int) -> Void,
        like inner: JSONShape
    ) {
        self.typeID = typeID
        self.typeName = typeName
        self.destroy = destroy
        expectation = inner.expectation
        moveRun = inner.moveRun
        destroyRun = inner.destroyRun
        finish = inner.finish
        makeKey = inner.makeKey
        destroyKey = inner.destroyKey
        keyText = inner.keyText
        hashableKey = inner.hashableKey
        defect = inner.defect
        read = inner.read
        erasedPlan = inner.erasedPlan
        model = inner.model
        children = inner.children
        layout = .allocate(capacity: 1)
        payload = inner
        convert = inner.convert
        isFixed = inner.isFixed
        needsWhole = inner.needsWhole
        absorb = inner.absorb
        dynamicShape = inner.dynamicShape
        members = inner.members
        elements = inner.elements
        gather = inner.gather
        lendsElements = inner.lendsElements
        takeApart = inner.takeApart
        layout.initialize(to: inner.layout.pointee)
        makeEmpty = inner.makeEmpty.map { makeEmpty in
            { [layout] in
                makeEmpty($0)
                layout.pointee.injectTag($0)
            }
        }
    }

    deinit { layout.deallocate() }
}

extension JSONShape {
    /// Returns the shape of a type. A type has one shape for the life of the process.
    // Inlinable, so that the closures of a container's shape are specialized in the module that knows its elements. A
    // generic closure costs several times as much for each array.
    @inlinable
    public static func of<T: JSONConvertible>(_ type: T.Type) -> JSONShape {
        let id = ObjectIdentifier(type)
        if let known = lookUp(id) { return known }
        // Made outside of the lock, because a shape asks for the shapes of its parts.
        return keep(T.jsonShape, as: type)
    }

    @usableFromInline
    static func lookUp(_ id: ObjectIdentifier) -> JSONShape? {
        lookUpUnretained(id)?.takeUnretainedValue()
    }

    /// Returns the shape of a type without counting a reference, so that threads do not share the count.
    @inlinable
    static func unretained<T: JSONConvertible>(of type: T.Type) -> Unmanaged<JSONShape> {
        let id = ObjectIdentifier(type)
        return lookUpUnretained(id) ?? .passUnretained(keep(T.jsonShape, as: type))
    }

    @usableFromInline
    static func lookUpUnretained(_ id: ObjectIdentifier) -> Unmanaged<JSONShape>? {
        known[UnsafeRawPointer(bitPattern: UInt(bitPattern: id)).unsafelyUnwrapped].map { .fromOpaque($0) }
    }

    @usableFromInline
    static func keep<T>(_ made: JSONShape, as type: T.Type) -> JSONShape {
        let id = ObjectIdentifier(type)
        var shape = made
        if !made.fits(type) {
            // The shape would write values of another type into memory of this type.
            shape = JSONShape(type, kind: .skip)
            shape.defect = "its jsonShape is that of \(made.typeName)"
        }
        let first = known.insert(
            Unmanaged.passRetained(shape).toOpaque(),
            for: UnsafeRawPointer(bitPattern: UInt(bitPattern: id)).unsafelyUnwrapped)
        let kept = Unmanaged<JSONShape>.fromOpaque(first).takeUnretainedValue()
        if kept !== shape { Unmanaged.passUnretained(shape).release() }
        return kept
    }

    /// The shapes of all types that were used, by the type's identity. Shapes are never released.
    private static let known = AddressTable(capacity: 64)

    /// Marks the shape as unusable if the shape of its elements, or of a dictionary's values, is of another type.
    @usableFromInline
    func checkElement<T>(_ type: T.Type) {
        if !children[0].fits(type) { defect = "the shape of its elements is that of \(children[0].typeName)" }
    }

    /// Whether this shape can write values of a type, as the shape of the type itself or of its only stored property.
    private func fits<T>(_ type: T.Type) -> Bool {
        let id = ObjectIdentifier(type)
        return typeID == id || PlanCoverage.isWrapper(type, of: typeID)
    }
}

import Synchronization

// Unchecked, because its closures capture generic types, which aren't `Sendable` by the letter; they capture nothing
// else but what is `Sendable` itself.
/// How values of one type are filled from JSON tokens: made once per type, immutable, never freed.
///
/// Users meet it only to give a type of their own a conformance to ``JSONConvertible``, by
/// ``scalar(_:expecting:read:write:)`` or ``rawValue(_:values:fallback:)``.
public final class JSONShape: @unchecked Sendable {
    /// The memory's facts. Written while the shape is made; read-only afterwards. An environment has a copy of its own,
    /// in which the plans are settled.
    let record: UnsafeMutablePointer<TypeLayout>
    let typeName: String
    let expectation: String
    /// Destroys values of the type.
    let destroy: (UnsafeMutableRawPointer, Int) -> Void
    /// Moves what has been gathered (elements or pairs) to other memory.
    let moveRun: ((_ from: UnsafeMutableRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer) -> Void)?
    /// Destroys what has been gathered.
    let destroyRun: ((UnsafeMutableRawPointer, Int) -> Void)?
    /// Makes the container of what has been gathered, which is moved out; or a class from its storage.
    let finish: ((_ run: UnsafeMutableRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer) -> Void)?
    /// Makes a dictionary's key at the head of a pair; false if the text is no such key.
    let makeKey: ((UnsafeBufferPointer<UInt8>, UnsafeMutableRawPointer) -> Bool)?
    let destroyKey: ((UnsafeMutableRawPointer) -> Void)?
    /// A dictionary's key as text, for paths.
    let keyText: ((UnsafeMutableRawPointer) -> String)?
    /// The key at the head of a pair, for the search of keys that are equal; nil where keys are not `Hashable`.
    let hashableKey: ((UnsafeRawPointer) -> AnyHashable)?
    /// Makes a scalar from a token.
    let read: ((borrowing JSONScalar, UnsafeMutableRawPointer) throws -> Void)?
    /// Where a model's plan is found. Called late, because a model may contain itself.
    let erasedPlan: (() -> AnyModelPlan)?
    /// The model's type, which its plan must be of; an optional has that of its payload.
    let model: ObjectIdentifier?
    let children: [JSONShape]
    /// The settled record of the standard environment.
    let standardRecord = Atomic<UnsafePointer<TypeLayout>?>(nil)
    let typeID: ObjectIdentifier
    /// Of a shape that also serves for a type which wraps the one that it fills: that type.
    private(set) var standInID: ObjectIdentifier?
    /// What makes the shape unusable, or nil.
    private(set) var defect: String?
    // What few shapes have; set while they are made.
    /// Of an optional: the shape of what it holds.
    var payload: JSONShape?
    /// Makes the value of one of another type (`children[0]`), which is moved out of its memory.
    var convert: Conversion?
    /// Whether a decoder's options for its type do not touch it: it was asked for by name.
    var isFixed = false
    /// Whether the value is made of a complete value alone, and never of what was read of one before the text ended.
    var needsWhole = false
    /// Makes the value of `null`, where that is more than the absence of one.
    var convertNull: ((UnsafeMutableRawPointer) -> Void)?
    /// Makes the value of a property whose key is missing.
    var makeAbsent: ((UnsafeMutableRawPointer) -> Void)?
    /// Makes a container without elements.
    @usableFromInline var makeEmpty: ((UnsafeMutableRawPointer) -> Void)?
    /// Puts one more element, or value of a key, which is moved out of its memory, into a container; false if the key
    /// is none of its.
    @usableFromInline
    var absorb: ((_ value: UnsafeMutableRawPointer, _ key: String, _ container: UnsafeMutableRawPointer) -> Bool)?
    /// Of a class: the shape of an object's own class, where that is a subclass.
    var dynamicShape: ((UnsafeRawPointer) -> JSONShape?)?
    /// Whether values are objects of a class.
    var isClass: Bool { dynamicShape != nil }
    /// Access to the members of a container that can be changed in place.
    var members: MemberAccess?
    /// Access to the elements of an array that can be changed one by one.
    var elements: ElementAccess?
    // What taking values apart needs, for encoding.
    /// Whether there is a value; nil where there always is.
    @usableFromInline var presence: ((UnsafeRawPointer) -> Presence)?
    /// The elements of a container, or its pairs.
    @usableFromInline var gather: ((UnsafeRawPointer) -> ElementBuffer)?
    /// Whether `gather` lends the elements in their order, as an array does.
    var lendsElements = false
    /// Makes what is written in a value's place: one of `children[0]`.
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
        record = .allocate(capacity: 1)
        record.initialize(
            to: TypeLayout(
                kind: kind, size: MemoryLayout<T>.size, stride: MemoryLayout<T>.stride,
                alignmentMask: MemoryLayout<T>.alignment - 1, shape: Unmanaged.passUnretained(self)))
        if let child = children.first {
            record.pointee.element = UnsafePointer(child.record)
        }
        if type == [Double].self { record.pointee.leaf = .double }
        if type == [Int].self { record.pointee.leaf = .int }
        if type == [String].self { record.pointee.leaf = .string }
    }

    /// The shape of a type whose values are filled as those of another, which lie at its start.
    convenience init<T>(_ type: T.Type, like inner: JSONShape) {
        self.init(
            ObjectIdentifier(type), String(describing: type),
            destroy: { $0.assumingMemoryBound(to: T.self).deinitialize(count: $1) }, like: inner)
    }

    /// The record is to be set yet.
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
        record = .allocate(capacity: 1)
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
        record.initialize(to: inner.record.pointee)
        makeEmpty = inner.makeEmpty.map { makeEmpty in
            { [record] in
                makeEmpty($0)
                record.pointee.injectTag($0)
            }
        }
    }

    deinit { record.deallocate() }
}

extension JSONShape {
    /// The shape of a type, one for the life of the process.
    // Inlinable, so that the closures of a container's shape are made in the module that knows its elements, for
    // these elements: a generic one costs several times as much for each array.
    @inlinable
    public static func of<T: JSONConvertible>(_ type: T.Type) -> JSONShape {
        let id = ObjectIdentifier(type)
        if let known = lookUp(id) { return known }
        // Made outside of the lock: a shape asks for those of its parts.
        return keep(T.jsonShape, as: type)
    }

    @usableFromInline
    static func lookUp(_ id: ObjectIdentifier) -> JSONShape? { known.withLock { $0[id] } }

    @usableFromInline
    static func keep<T>(_ made: JSONShape, as type: T.Type) -> JSONShape {
        let id = ObjectIdentifier(type)
        var shape = made
        if !made.fits(type) {
            // Values of another type would be written into memory of this one.
            shape = JSONShape(type, kind: .skip)
            shape.defect = "its jsonShape is that of \(made.typeName)"
        }
        return known.withLock { [shape] table in
            if let other = table[id] { return other }
            table[id] = shape
            return shape
        }
    }

    /// Refuses a shape of the elements, or of a dictionary's values, that is of another type than they are.
    @usableFromInline
    func checkElement<T>(_ type: T.Type) {
        if !children[0].fits(type) { defect = "the shape of its elements is that of \(children[0].typeName)" }
    }

    /// Whether values of a type can be written by this shape: the shape is the type's own, or that of its only property.
    private func fits<T>(_ type: T.Type) -> Bool {
        let id = ObjectIdentifier(type)
        return typeID == id || standInID == id || PlanCoverage.isWrapper(type, of: typeID)
    }

    /// The same shape, which also serves for a type that has nothing but a value of the shape's type in it.
    func serving<T>(_ wrapper: T.Type) -> JSONShape {
        standInID = ObjectIdentifier(wrapper)
        return self
    }

    private static let known = Mutex<[ObjectIdentifier: JSONShape]>([:])
}

// The closures of a shape. Each category of types has a witness, a type whose properties are the closures that all types of the
// category need. Most witnesses are classes with constant properties, so that a call of a closure of a borrowed witness
// retains nothing.

/// The closures of a type that is decoded from and encoded to one scalar.
final class ScalarWitness {
    /// The shape of the value that is encoded instead: of `JSONValue`, or of the raw value.
    let written: JSONShape
    /// Makes the value from a scalar.
    let read: (borrowing JSONScalar, UnsafeMutableRawPointer) throws -> Void
    /// Makes the value that is encoded instead of a value.
    let takeApart: Separation

    init(
        written: JSONShape, read: @escaping (borrowing JSONScalar, UnsafeMutableRawPointer) throws -> Void,
        takeApart: @escaping Separation
    ) {
        self.written = written
        self.read = read
        self.takeApart = takeApart
    }
}

/// The operations on collected elements, or on the pairs of a dictionary, in memory.
@usableFromInline
struct ElementWitness {
    /// The type of the elements, or of a dictionary's pairs.
    @usableFromInline let type: Any.Type
    /// The shape of the elements, or of a dictionary's values.
    @usableFromInline let shape: JSONShape
    @usableFromInline let stride: Int
    @usableFromInline let alignmentMask: Int
    /// The offset of the value in a pair.
    @usableFromInline let valueOffset: Int
    @usableFromInline let destroy: (UnsafeMutableRawPointer, _ count: Int) -> Void

    // Inlinable, like everything that makes the closures of a container. See `JSONShape.of`.
    @inlinable
    init<Element>(_ type: Element.Type, valueOffset: Int = 0, shape: JSONShape) {
        self.type = type
        self.shape = shape
        self.valueOffset = valueOffset
        stride = MemoryLayout<Element>.stride
        alignmentMask = MemoryLayout<Element>.alignment - 1
        destroy = { $0.assumingMemoryBound(to: Element.self).deinitialize(count: $1) }
    }
}

/// The closures of a container.
@usableFromInline
class ContainerWitness {
    /// Makes the container from the collected elements, which are moved out.
    @usableFromInline
    typealias Finish = (_ elements: CollectedBlocks, _ target: UnsafeMutableRawPointer) -> Void
    /// Adds an element, or the value of a key, to a container. The value is moved out of its memory. Returns false if the
    /// container cannot have the key.
    @usableFromInline
    typealias Absorb = (
        _ value: UnsafeMutableRawPointer, _ key: String, _ container: UnsafeMutableRawPointer
    ) -> Bool

    final let elements: ElementWitness
    final let finish: Finish
    /// Returns the elements of a container, or its pairs.
    final let gather: (UnsafeRawPointer) -> ElementBuffer
    /// Nil for a container that cannot be changed.
    final let absorb: Absorb?

    fileprivate init(
        elements: ElementWitness, finish: @escaping Finish,
        gather: @escaping (UnsafeRawPointer) -> ElementBuffer, absorb: Absorb?
    ) {
        self.elements = elements
        self.finish = finish
        self.gather = gather
        self.absorb = absorb
    }
}

/// The closures of a container that is decoded from and encoded to an array.
@usableFromInline
final class ArrayWitness: ContainerWitness {
    /// Whether `gather` lends the elements in their order.
    let lendsElements: Bool
    /// Whether the elements have an order, which JSON keeps.
    let isOrdered: Bool
    /// The access to single elements; nil for a container whose elements cannot be changed one by one.
    let access: ElementAccess?

    @usableFromInline
    init(
        elements: ElementWitness, finish: @escaping Finish,
        gather: @escaping (UnsafeRawPointer) -> ElementBuffer, lendsElements: Bool, isOrdered: Bool,
        absorb: Absorb?,
        access: ElementAccess?
    ) {
        self.lendsElements = lendsElements
        self.isOrdered = isOrdered
        self.access = access
        super.init(elements: elements, finish: finish, gather: gather, absorb: absorb)
    }
}

/// The closures of a container that is decoded from and encoded to an object with any keys.
@usableFromInline
final class DictionaryWitness: ContainerWitness {
    let keys: KeyWitness
    /// The access to single members; nil for a container whose members cannot be changed one by one.
    let access: MemberAccess?

    @usableFromInline
    init(
        keys: KeyWitness, elements: ElementWitness, finish: @escaping Finish,
        gather: @escaping (UnsafeRawPointer) -> ElementBuffer, absorb: Absorb?, access: MemberAccess?
    ) {
        self.keys = keys
        self.access = access
        super.init(elements: elements, finish: finish, gather: gather, absorb: absorb)
    }
}

/// The operations on the key at the start of a pair.
@usableFromInline
struct KeyWitness {
    @usableFromInline let type: Any.Type
    /// Whether the keys are strings, which need no conversion.
    @usableFromInline let areStrings: Bool
    /// Makes the key. Returns false if the string is not a key.
    @usableFromInline let make: (UnsafeBufferPointer<UInt8>, UnsafeMutableRawPointer) -> Bool
    @usableFromInline let destroy: (UnsafeMutableRawPointer) -> Void
    /// Returns the description of the key, for paths and encoding.
    @usableFromInline let text: (UnsafeRawPointer) -> String
    /// Returns the key in a form that can be compared with the other keys of the object, to detect duplicates.
    @usableFromInline let hashable: (UnsafeRawPointer) -> AnyHashable

    @inlinable
    init<Key: Hashable>(make: @escaping (String) -> Key?, text: @escaping (Key) -> String) {
        type = Key.self
        areStrings = Key.self == String.self
        self.make = { text, target in
            guard let key = make(String(checkedUTF8: text)) else { return false }
            target.assumingMemoryBound(to: Key.self).initialize(to: key)
            return true
        }
        destroy = { $0.assumingMemoryBound(to: Key.self).deinitialize(count: 1) }
        self.text = { text($0.assumingMemoryBound(to: Key.self).pointee) }
        hashable = { AnyHashable($0.assumingMemoryBound(to: Key.self).pointee) }
    }
}

/// The closures of a type whose values are made from values of another type.
final class AdapterWitness {
    /// The shape of the value that is decoded and encoded instead.
    let inner: JSONShape
    let convert: Conversion
    /// Makes the value that is encoded instead of a value.
    let takeApart: Separation
    /// Writes a value without another one; nil for a type whose values are written as other values.
    let write: DirectWriting?
    /// Whether the value requires complete JSON, and is never made from the part of a value before an early end of the input.
    let needsWhole: Bool
    /// Whether the value is decoded later, and needs its location.
    let keepsLocation: Bool
    /// Nil for a type that does not distinguish null from a missing key.
    let nullValues: NullValues?
    /// Sets the position of an element of a stream; nil for a type without a position.
    let setPosition: ((UnsafeMutableRawPointer, JSONElementPosition) -> Void)?

    init(
        inner: JSONShape, needsWhole: Bool, keepsLocation: Bool = false, nullValues: NullValues?,
        setPosition: ((UnsafeMutableRawPointer, JSONElementPosition) -> Void)? = nil, convert: @escaping Conversion,
        write: DirectWriting? = nil, takeApart: @escaping Separation
    ) {
        self.inner = inner
        self.write = write
        self.needsWhole = needsWhole
        self.keepsLocation = keepsLocation
        self.nullValues = nullValues
        self.setPosition = setPosition
        self.convert = convert
        self.takeApart = takeApart
    }
}

/// The values that a type has for null and for a missing key.
struct NullValues {
    /// Makes the value of `null`.
    let makeNull: (UnsafeMutableRawPointer) -> Void
    /// Makes the value of a property whose key is missing.
    let makeAbsent: (UnsafeMutableRawPointer) -> Void
}

/// The closures of a value whose JSON is the contents of a string.
final class EmbeddedWitness {
    /// The shape of strings.
    let string = JSONShape.of(String.self)
    /// The shape of the value in the string.
    let contents: JSONShape
    /// Makes the string that is encoded instead of a value.
    let takeApart: Separation

    init(contents: JSONShape, takeApart: @escaping Separation) {
        self.contents = contents
        self.takeApart = takeApart
    }
}

/// The closures of a model.
final class ModelWitness {
    /// The model's type, which its plan must describe.
    let type: ObjectIdentifier
    /// Whether the model is an enum with associated values.
    let isUnion: Bool
    /// Returns the model's plan. Called late because a model may contain itself.
    let plan: () -> AnyModelPlan
    /// Whether values are objects of a class.
    let isClass: Bool
    /// Returns the shape of an object's own class if that is a subclass; nil for all other values.
    let dynamicShape: (UnsafeRawPointer) -> JSONShape?

    init<M>(
        _ type: M.Type, isUnion: Bool = false, plan: @escaping () -> AnyModelPlan,
        dynamicShape: ((UnsafeRawPointer) -> JSONShape?)? = nil
    ) {
        self.type = ObjectIdentifier(type)
        self.isUnion = isUnion
        self.plan = plan
        isClass = dynamicShape != nil
        self.dynamicShape = dynamicShape ?? { _ in nil }
    }
}

/// The closures of a value that can be any JSON.
final class ValueWitness {
    let members: MemberAccess
    let elements: ElementAccess

    init(members: MemberAccess, elements: ElementAccess) {
        self.members = members
        self.elements = elements
    }
}

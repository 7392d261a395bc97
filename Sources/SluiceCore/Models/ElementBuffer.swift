// Access to the parts of a value: the elements of a container for encoding, and its members and elements for merging.

/// The form in which a value is written, if at all.
@usableFromInline
enum Presence {
    case value
    /// A nil. The null strategy of the encoder decides whether `null` is written.
    case none
    /// An absent value, which is never written.
    case absent
    /// `null`, which is always written.
    case null
}

/// Access to the members of a dictionary or `JSONValue` that is changed in place.
@usableFromInline
final class MemberAccess {
    /// Turns a container that is not an object into an empty object.
    let open: (_ container: UnsafeMutableRawPointer) -> Void
    /// Copies the value of a key to uninitialized memory. Returns false if the key is missing, and nil if the string is not
    /// a key of the container.
    let load: (_ container: UnsafeMutableRawPointer, _ key: String, _ value: UnsafeMutableRawPointer) -> Bool?
    /// Sets the value of a key. The value is moved out of its memory.
    let store: (_ container: UnsafeMutableRawPointer, _ key: String, _ value: UnsafeMutableRawPointer) -> Void
    let remove: (_ container: UnsafeMutableRawPointer, _ key: String) -> Void
    /// Returns the key that a string makes, in a form that can be compared; nil if the string is not a key.
    let identity: (_ key: String) -> AnyHashable?

    @usableFromInline
    init<Container, Key: Hashable, Value>(
        _: Container.Type, open: @escaping (inout Container) -> Void = { _ in },
        key: @escaping (String) -> Key?, load: @escaping (Container, Key) -> Value?,
        store: @escaping (inout Container, Key, Value?) -> Void
    ) {
        func container(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Container> {
            address.assumingMemoryBound(to: Container.self)
        }
        self.open = { open(&container($0).pointee) }
        self.load = { address, text, target in
            guard let key = key(text) else { return nil }
            guard let value = load(container(address).pointee, key) else { return false }
            target.initializeMemory(as: Value.self, to: value)
            return true
        }
        self.store = { address, text, value in
            guard let key = key(text) else { return }
            store(&container(address).pointee, key, value.assumingMemoryBound(to: Value.self).move())
        }
        remove = { address, text in
            guard let key = key(text) else { return }
            store(&container(address).pointee, key, nil)
        }
        identity = { key($0).map { AnyHashable($0) } }
    }
}

/// Access to the elements of an array that is changed element by element.
@usableFromInline
final class ElementAccess {
    /// Whether the container is an array.
    let isArray: (_ container: UnsafeMutableRawPointer) -> Bool
    /// Copies an element to uninitialized memory. Returns false if the index is out of range.
    let load: (_ container: UnsafeMutableRawPointer, _ index: Int, _ element: UnsafeMutableRawPointer) -> Bool
    /// Initializes an array without elements.
    let makeEmpty: (_ container: UnsafeMutableRawPointer) -> Void
    /// Appends an element. The element is moved out of its memory.
    let append: (_ container: UnsafeMutableRawPointer, _ element: UnsafeMutableRawPointer) -> Void
    /// Removes elements.
    let remove: (_ container: UnsafeMutableRawPointer, _ range: Range<Int>) -> Void

    @usableFromInline
    init<Container, Element>(
        _: Container.Type, elements: @escaping (Container) -> [Element]?, make: @escaping () -> Container,
        append: @escaping (inout Container, Element) -> Void,
        remove: @escaping (inout Container, Range<Int>) -> Void
    ) {
        func container(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Container> {
            address.assumingMemoryBound(to: Container.self)
        }
        isArray = { elements(container($0).pointee) != nil }
        load = { address, index, target in
            guard let elements = elements(container(address).pointee), index < elements.count else { return false }
            target.initializeMemory(as: Element.self, to: elements[index])
            return true
        }
        makeEmpty = { $0.initializeMemory(as: Container.self, to: make()) }
        self.append = { append(&container($0).pointee, $1.assumingMemoryBound(to: Element.self).move()) }
        self.remove = { remove(&container($0).pointee, $1) }
    }
}

/// The encoder of a value that is written as another value.
protocol EncodingContext {
    /// Encodes a value by a shape, for JSON in a string.
    func text(of value: UnsafeRawPointer, _ shape: JSONShape) throws -> [UInt8]
}

/// Makes the value that is written instead of another one. The caller owns the new value.
typealias Separation = (
    _ value: UnsafeRawPointer, _ inner: UnsafeMutableRawPointer, _ context: () -> any EncodingContext
) throws -> Void

/// Writes a value to a buffer whose bytes are not passed on during the call.
///
/// - `engine` keeps memory for the next value of the same writer.
typealias DirectWriting = (
    _ value: UnsafeRawPointer, _ out: inout OutputBuffer, _ engine: inout AnyObject?,
    _ context: () -> any EncodingContext
) throws -> Void

/// The contiguous elements of a container, or its pairs of key and value.
@usableFromInline
struct ElementBuffer {
    let base: UnsafeRawPointer?
    let count: Int
    /// Whether the elements are copies, which the caller destroys and frees. Borrowed elements live as long as the container.
    let isOwned: Bool

    @usableFromInline
    init(base: UnsafeRawPointer?, count: Int, isOwned: Bool) {
        self.base = base
        self.count = count
        self.isOwned = isOwned
    }

    /// The elements, which must be of the given type.
    @inline(__always)
    func elements<Element>(of _: Element.Type = Element.self) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: base?.assumingMemoryBound(to: Element.self), count: count)
    }

    /// Borrows the elements of an array if they are contiguous in memory.
    @inlinable
    init<Element>(lending array: UnsafePointer<[Element]>) {
        #if _runtime(_ObjC)
        // An array of objects may be an Objective-C array, which lends its elements for the length of a call only.
        if Element.self is AnyClass {
            self.init(copying: array.pointee) { $0 }
            return
        }
        #endif
        self = array.pointee.withUnsafeBufferPointer {
            ElementBuffer(base: UnsafeRawPointer($0.baseAddress), count: $0.count, isOwned: false)
        }
    }

    /// Copies the elements of a container, each converted by a closure.
    @inlinable
    init<C: Collection, Element>(copying container: C, _ element: (C.Element) -> Element) {
        let count = container.count
        let copies = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
        var at = copies
        for one in container {
            at.initialize(to: element(one))
            at += 1
        }
        self.init(base: copies, count: count, isOwned: true)
    }
}

extension TypeLayout {
    /// Chooses the fastest test for an optional's nil. `none` must be set.
    mutating func setNilTest(of payload: TypeLayout, hasTag: Bool, _ payloadSize: Int) {
        guard let none else { return }
        if payload.nilTest != .never {
            nilTest = .closure
        } else if hasTag {
            (nilTest, nilOffset) = (.tag, payloadSize)
        } else if size == 1 {
            nilTest = .byte
        } else if kind == .string, size == 16, none.load(fromByteOffset: 8, as: UInt64.self) == 0 {
            // The word that holds the string's form, which is never zero for a string.
            (nilTest, nilOffset) = (.word, 8)
        } else if kind == .array || kind == .dictionary, size == 8, none.load(as: UInt64.self) == 0 {
            (nilTest, nilOffset) = (.word, 0)
        } else {
            nilTest = .closure
        }
    }
}

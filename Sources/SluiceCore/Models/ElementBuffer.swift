// How values are taken apart to be written: the counterpart of `convert`, `finish` and the like.

/// Whether there is a value to write.
@usableFromInline
enum Presence {
    case value
    /// Nil: written or not, as the encoder says.
    case none
    /// Never written.
    case absent
    /// `null`, which is always written.
    case null
}

/// Access to the members of a dictionary or `JSONValue` that is changed in place.
@usableFromInline
struct MemberAccess {
    /// Makes an object of a container that is none.
    let open: (_ container: UnsafeMutableRawPointer) -> Void
    /// Copies the value of a key to memory that is not initialised. False if the key is missing; nil if the text is not a
    /// key of the container.
    let load: (_ container: UnsafeMutableRawPointer, _ key: String, _ value: UnsafeMutableRawPointer) -> Bool?
    /// Sets the value of a key, which is moved out of its memory.
    let store: (_ container: UnsafeMutableRawPointer, _ key: String, _ value: UnsafeMutableRawPointer) -> Void
    let remove: (_ container: UnsafeMutableRawPointer, _ key: String) -> Void

    @usableFromInline
    init<Container, Key, Value>(
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
    }
}

/// Access to the elements of an array that is changed element by element.
@usableFromInline
struct ElementAccess {
    /// Whether the container is an array.
    let isArray: (_ container: UnsafeMutableRawPointer) -> Bool
    /// Copies an element to memory that is not initialised. False if there is no such element.
    let load: (_ container: UnsafeMutableRawPointer, _ index: Int, _ element: UnsafeMutableRawPointer) -> Bool
    /// Makes an array without elements.
    let makeEmpty: (_ container: UnsafeMutableRawPointer) -> Void
    /// Appends an element, which is moved out of its memory.
    let append: (_ container: UnsafeMutableRawPointer, _ element: UnsafeMutableRawPointer) -> Void

    @usableFromInline
    init<Container, Element>(
        _: Container.Type, elements: @escaping (Container) -> [Element]?, make: @escaping () -> Container,
        append: @escaping (inout Container, Element) -> Void
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
    }
}

/// Encodes a value by a shape, for JSON in a string.
typealias NestedEncoding = (_ value: UnsafeRawPointer, _ shape: JSONShape) throws -> [UInt8]

/// Makes what is written in a value's place, which its caller then owns.
typealias Separation = (
    _ value: UnsafeRawPointer, _ inner: UnsafeMutableRawPointer, _ encode: NestedEncoding
) throws -> Void

/// The elements of a container, or its pairs of key and value, in a row.
@usableFromInline
struct ElementBuffer {
    let base: UnsafeRawPointer?
    let count: Int
    /// Whether they are copies, which whoever asked destroys and frees; else they live as long as the container.
    let isOwned: Bool

    @usableFromInline
    init(base: UnsafeRawPointer?, count: Int, isOwned: Bool) {
        self.base = base
        self.count = count
        self.isOwned = isOwned
    }

    /// The elements of an array where they lie, if they do.
    @inlinable
    init<Element>(lending array: UnsafePointer<[Element]>) {
        #if _runtime(_ObjC)
        // An array of objects may be one of Objective-C's, which lends nothing beyond a call.
        if Element.self is AnyClass {
            self.init(copying: array.pointee) { $0 }
            return
        }
        #endif
        self = array.pointee.withUnsafeBufferPointer {
            ElementBuffer(base: UnsafeRawPointer($0.baseAddress), count: $0.count, isOwned: false)
        }
    }

    /// Copies of what stands in the place of a container's elements.
    @inlinable
    init<C: Collection, Element>(copying container: C, _ element: (C.Element) -> Element) {
        let count = container.count
        let run = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
        var at = run
        for one in container {
            at.initialize(to: element(one))
            at += 1
        }
        self.init(base: run, count: count, isOwned: true)
    }
}

extension JSONShape {
    /// The same shape, of a container that can be taken apart.
    ///
    /// - Parameter isLent: whether the elements are those of the container itself, in their order.
    @usableFromInline
    func gathering(
        isLent: Bool = false, _ gather: @escaping (UnsafeRawPointer) -> ElementBuffer
    ) -> JSONShape {
        self.gather = gather
        lendsElements = isLent
        return self
    }

    /// Tells when there is no value to write.
    func setPresence(_ presence: @escaping (UnsafeRawPointer) -> Presence) {
        self.presence = presence
        record.pointee.nilTest = .closure
    }
}

extension TypeLayout {
    /// Finds the quickest way to tell an optional's nil. `none` is set.
    mutating func setNilTest(of payload: TypeLayout, hasTag: Bool, _ payloadSize: Int) {
        guard let none else { return }
        if payload.nilTest != .never {
            nilTest = .closure
        } else if hasTag {
            (nilTest, nilOffset) = (.tag, payloadSize)
        } else if size == 1 {
            nilTest = .byte
        } else if kind == .string, size == 16, none.load(fromByteOffset: 8, as: UInt64.self) == 0 {
            // The word with the string's form: no string has none.
            (nilTest, nilOffset) = (.word, 8)
        } else if kind == .array || kind == .dictionary, size == 8, none.load(as: UInt64.self) == 0 {
            (nilTest, nilOffset) = (.word, 0)
        } else {
            nilTest = .closure
        }
    }

    /// Whether there is a value at `address`.
    @inline(__always)
    func presence(_ address: UnsafeRawPointer) -> Presence {
        switch nilTest {
        case .never: .value
        case .tag: address.load(fromByteOffset: nilOffset, as: UInt8.self) != 0 ? .none : .value
        case .word: address.load(fromByteOffset: nilOffset, as: UInt64.self) == 0 ? .none : .value
        case .byte: address.load(as: UInt8.self) == none.unsafelyUnwrapped.load(as: UInt8.self) ? .none : .value
        case .closure: shape._withUnsafeGuaranteedRef { $0.presence.unsafelyUnwrapped(address) }
        }
    }
}

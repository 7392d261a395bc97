// The closures of containers, for their elements and members as a whole and one by one.

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
    init<Element>(_ type: Element.Type, shape: JSONShape) {
        self.type = type
        self.shape = shape
        valueOffset = 0
        stride = MemoryLayout<Element>.stride
        alignmentMask = MemoryLayout<Element>.alignment - 1
        destroy = { elements, count in
            // One by one, because the runtime destroys several values by their metadata.
            let first = elements.assumingMemoryBound(to: Element.self)
            for index in 0..<count { (first + index).deinitialize(count: 1) }
        }
    }

    /// Creates the operations on pairs.
    @inlinable
    init<Key, Value>(pairs _: (Key, Value).Type, shape: JSONShape) {
        typealias Pair = (Key, Value)
        let offset = MemoryLayout<Pair>.offset(of: \Pair.1)!
        (type, stride, alignmentMask) = (Pair.self, MemoryLayout<Pair>.stride, MemoryLayout<Pair>.alignment - 1)
        (self.shape, valueOffset) = (shape, offset)
        destroy = { pairs, count in
            // The runtime destroys a tuple by its metadata.
            for index in 0..<count {
                let pair = pairs + index * MemoryLayout<Pair>.stride
                pair.assumingMemoryBound(to: Key.self).deinitialize(count: 1)
                (pair + offset).assumingMemoryBound(to: Value.self).deinitialize(count: 1)
            }
        }
    }
}

/// The closures of a container.
@usableFromInline
package class ContainerWitness {
    /// Makes the container from the collected elements, which are moved out.
    @usableFromInline
    typealias Finish = (_ elements: CollectedChunks, _ target: UnsafeMutableRawPointer) -> Void
    /// Adds an element, or the value of a key, to a container. The value is moved out of its memory. Returns false if the
    /// container cannot have the key.
    @usableFromInline
    typealias Insert = (
        _ value: UnsafeMutableRawPointer, _ key: String, _ container: UnsafeMutableRawPointer
    ) -> Bool
    /// Calls a closure with each element of a container, or each pair, in the order of `elements`, until the closure returns false.
    /// Returns the number of elements before that one.
    @usableFromInline
    typealias Visit = (_ container: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Bool) -> Int
    @usableFromInline
    typealias Reserve = (_ container: UnsafeMutableRawPointer, _ count: Int) -> Void

    /// The operations on elements or pairs.
    final let element: ElementWitness
    final let finish: Finish
    /// Returns the elements of a container, or its pairs.
    final let elements: (UnsafeRawPointer) -> ElementBuffer
    /// Nil for a container whose elements are not visited in place.
    final let visit: Visit?
    /// Nil for a container that cannot be changed.
    final let insert: Insert?
    /// Makes room in an empty container for elements that are inserted, if the container supports this.
    final let reserve: Reserve?

    fileprivate init(
        element: ElementWitness, finish: @escaping Finish,
        elements: @escaping (UnsafeRawPointer) -> ElementBuffer, visit: Visit?, insert: Insert?, reserve: Reserve?
    ) {
        self.element = element
        self.finish = finish
        self.elements = elements
        self.visit = visit
        self.insert = insert
        self.reserve = reserve
    }

    /// Returns the number of elements of a container.
    final func count(_ container: UnsafeRawPointer) -> Int {
        let elements = elements(container)
        free(elements)
        return elements.count
    }

    /// Whether a container has no elements.
    ///
    /// - Parameter type: The type of the container.
    final func isEmpty(_ container: UnsafeRawPointer, as type: Any.Type) -> Bool {
        func isEmpty<C: Collection>(_: C.Type) -> Bool {
            container.assumingMemoryBound(to: C.self).pointee.isEmpty
        }
        // The elements of a dictionary are copied to be counted.
        if let collection = type as? any Collection.Type { return isEmpty(collection) }
        return count(container) == 0
    }

    /// Destroys the elements of a container, if they are copies, and frees their memory.
    final func free(_ elements: ElementBuffer) {
        guard elements.isOwned, let base = elements.base.map(UnsafeMutableRawPointer.init(mutating:)) else {
            return
        }
        element.destroy(base, elements.count)
        base.deallocate()
    }
}

extension ContainerWitness {
    /// Calls a closure with the address of each element of a collection, each converted by a closure. See `Visit`.
    @inlinable
    package static func visit<C: Collection, Element>(
        _ container: C, _ body: (UnsafeRawPointer) -> Bool, _ element: (C.Element) -> Element
    ) -> Int {
        var count = 0
        for member in container {
            let value = element(member)
            guard withUnsafePointer(to: value, { body(UnsafeRawPointer($0)) }) else { break }
            count += 1
        }
        return count
    }
}

/// The closures of a container that is decoded from and encoded to an array.
@usableFromInline
final class ArrayWitness: ContainerWitness {
    /// Whether `elements` borrows the elements, in their order.
    let borrowsElements: Bool
    /// Whether the elements have an order, which JSON keeps.
    let isOrdered: Bool
    /// The access to single elements; nil for a container whose elements cannot be changed one by one.
    let access: ElementAccess?

    @usableFromInline
    init(
        element: ElementWitness, finish: @escaping Finish,
        elements: @escaping (UnsafeRawPointer) -> ElementBuffer, visit: Visit?, borrowsElements: Bool,
        isOrdered: Bool, insert: Insert?, reserve: Reserve?, access: ElementAccess?
    ) {
        self.borrowsElements = borrowsElements
        self.isOrdered = isOrdered
        self.access = access
        super.init(
            element: element, finish: finish, elements: elements, visit: visit, insert: insert, reserve: reserve)
    }
}

/// The closures of a container that is decoded from and encoded to an object with any keys.
@usableFromInline
package final class DictionaryWitness: ContainerWitness {
    package let keys: KeyWitness
    /// The access to single members; nil for a container whose members cannot be changed one by one.
    let access: MemberAccess?
    /// Whether the container cannot hold two keys that are canonically equivalent.
    let mergesEquivalentKeys: Bool
    /// Whether different keys may have equal texts.
    @usableFromInline var mayRepeatTexts = false

    @usableFromInline
    init(
        keys: KeyWitness, element: ElementWitness, finish: @escaping Finish,
        elements: @escaping (UnsafeRawPointer) -> ElementBuffer, visit: Visit?, insert: Insert?,
        reserve: Reserve?, access: MemberAccess?, mergesEquivalentKeys: Bool
    ) {
        self.keys = keys
        self.access = access
        self.mergesEquivalentKeys = mergesEquivalentKeys
        super.init(
            element: element, finish: finish, elements: elements, visit: visit, insert: insert, reserve: reserve)
    }
}

/// The closures of the extra keys of an object on a path, which are members of an object in the dictionary of extra keys.
final class PartWitness: ContainerWitness {
    let access: MemberAccess

    init(_ container: ContainerWitness, _ access: MemberAccess) {
        self.access = access
        super.init(
            element: container.element, finish: container.finish, elements: container.elements,
            visit: container.visit,
            insert: { value, key, container in
                access.store(container, key, value)
                return true
            }, reserve: nil)
    }
}

/// The operations on the key at the start of a pair.
@usableFromInline
package struct KeyWitness {
    @usableFromInline package let type: Any.Type
    /// The type that has the text of the keys. See `KeyText`.
    @usableFromInline package let textType: Any.Type
    /// Whether the keys are strings, which need no conversion.
    @usableFromInline let areStrings: Bool
    /// Makes the key. Returns false if the string is not a key.
    @usableFromInline let make: (UnsafeBufferPointer<UInt8>, UnsafeMutableRawPointer) -> Bool
    /// Whether a text makes a key.
    @usableFromInline package let accepts: (String) -> Bool
    @usableFromInline let destroy: (UnsafeMutableRawPointer) -> Void
    /// Returns the description of the key, for paths and encoding.
    @usableFromInline package let text: (UnsafeRawPointer) -> String
    /// Returns the key in a form that can be compared with the other keys of the object, to detect duplicates.
    @usableFromInline let hashable: (UnsafeRawPointer) -> AnyHashable

    @inlinable
    init<Key: Hashable>(_ keys: KeyText<Key>) {
        let (make, text) = (keys.make, keys.text)
        type = Key.self
        textType = keys.textType
        areStrings = Key.self == String.self
        self.make = { text, target in
            guard let key = make(String(checkedUTF8: text)) else { return false }
            target.assumingMemoryBound(to: Key.self).initialize(to: key)
            return true
        }
        accepts = { make($0) != nil }
        destroy = { $0.assumingMemoryBound(to: Key.self).deinitialize(count: 1) }
        self.text = { text($0.assumingMemoryBound(to: Key.self).pointee) }
        hashable = { AnyHashable($0.assumingMemoryBound(to: Key.self).pointee) }
    }
}

/// Access to the members of a dictionary that is changed in place.
@usableFromInline
final class MemberAccess {
    /// Copies the value of a key to uninitialized memory. Returns false if the key is missing, and nil if the string is not
    /// a key of the container.
    let load: (_ container: UnsafeMutableRawPointer, _ key: String, _ value: UnsafeMutableRawPointer) -> Bool?
    /// Sets the value of a key. The value is moved out of its memory.
    let store: (_ container: UnsafeMutableRawPointer, _ key: String, _ value: UnsafeMutableRawPointer) -> Void
    let remove: (_ container: UnsafeMutableRawPointer, _ key: String) -> Void
    /// Whether the container has another key that is canonically equivalent, and cannot hold both.
    let hasEquivalent: (_ container: UnsafeMutableRawPointer, _ key: String) -> Bool
    /// Removes all members of an object inside of a container; nothing for a container itself.
    let removeAll: (_ container: UnsafeMutableRawPointer) -> Void
    /// Returns the key that a string makes, in a form that can be compared; nil if the string is not a key.
    let identity: (_ key: String) -> AnyHashable?

    /// - Parameter equalKey: Returns the text of the key in the container that equals a key, for a container whose keys are equal if
    ///   they are canonically equivalent.
    @usableFromInline
    init<Container, Key: Hashable, Value>(
        _: Container.Type, key: @escaping (String) -> Key?, load: @escaping (Container, Key) -> Value?,
        store: @escaping (inout Container, Key, Value?) -> Void,
        equalKey: @escaping (Container, Key) -> String? = { _, _ in nil }
    ) {
        func container(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Container> {
            address.assumingMemoryBound(to: Container.self)
        }
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
        hasEquivalent = { address, text in
            guard let key = key(text), let known = equalKey(container(address).pointee, key) else { return false }
            return known == text && !known.hasSameCodeUnits(as: text)
        }
        identity = { key($0).map { AnyHashable($0) } }
        removeAll = { _ in }
    }

    private init(
        load: @escaping (UnsafeMutableRawPointer, String, UnsafeMutableRawPointer) -> Bool?,
        store: @escaping (UnsafeMutableRawPointer, String, UnsafeMutableRawPointer) -> Void,
        remove: @escaping (UnsafeMutableRawPointer, String) -> Void,
        removeAll: @escaping (UnsafeMutableRawPointer) -> Void
    ) {
        (self.load, self.store, self.remove, self.removeAll) = (load, store, remove, removeAll)
        (hasEquivalent, identity) = ({ _, _ in false }, { AnyHashable(MemberName($0)) })
    }

    /// Returns the access to the members of an object inside of a container of `JSONValue`s.
    ///
    /// - Parameter path: The keys of the object, which is made when the first member is stored and removed with the last one.
    func inside(_ path: [String]) -> MemberAccess {
        let (access, first, rest) = (self, path[0], path.dropFirst())
        func object(in container: UnsafeMutableRawPointer) -> JSONValue? {
            withUnsafeTemporaryAllocation(of: JSONValue.self, capacity: 1) { memory in
                let memory = memory.baseAddress.unsafelyUnwrapped
                guard access.load(container, first, memory) == true else { return nil }
                return memory.move()
            }
        }
        func set(_ value: JSONValue?, at key: String, in container: UnsafeMutableRawPointer) {
            var object = object(in: container) ?? .object([:])
            object.set(value, at: Array(rest) + [key])
            if object == .object([:]) { return access.remove(container, first) }
            withUnsafeTemporaryAllocation(of: JSONValue.self, capacity: 1) { memory in
                memory.initializeElement(at: 0, to: object)
                access.store(container, first, memory.baseAddress.unsafelyUnwrapped)
            }
        }
        return MemberAccess { container, key, target in
            var value = object(in: container)
            for step in rest + [key] {
                guard case .object(let members)? = value else { return false }
                value = members[step]
            }
            guard let value else { return false }
            target.initializeMemory(as: JSONValue.self, to: value)
            return true
        } store: { container, key, value in
            set(value.assumingMemoryBound(to: JSONValue.self).move(), at: key, in: container)
        } remove: { container, key in
            set(nil, at: key, in: container)
        } removeAll: { container in
            guard let last = rest.last else { return access.remove(container, first) }
            let outer = access.inside([first] + rest.dropLast())
            outer.remove(container, last)
        }
    }
}

extension JSONValue {
    /// Sets a member of the objects at the keys of a path, which are made. Objects without members are removed.
    fileprivate mutating func set(_ value: JSONValue?, at path: [String]) {
        var members = JSONObject()
        if case .object(let known) = self { members = known }
        if path.count == 1 {
            members[path[0]] = value
        } else {
            var inner = members[path[0]] ?? .object([:])
            inner.set(value, at: Array(path[1...]))
            // A literal nil would be a null.
            members[path[0]] = inner == .object([:]) ? JSONValue?.none : inner
        }
        self = .object(members)
    }
}

/// Access to the elements of an array that is changed element by element.
@usableFromInline
final class ElementAccess {
    /// Copies an element to uninitialized memory. Returns false if the index is out of range.
    let load: (_ array: UnsafeMutableRawPointer, _ index: Int, _ element: UnsafeMutableRawPointer) -> Bool
    /// Removes elements.
    let remove: (_ array: UnsafeMutableRawPointer, _ range: Range<Int>) -> Void

    @usableFromInline
    init<Element>(of _: Element.Type) {
        func array(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<[Element]> {
            address.assumingMemoryBound(to: [Element].self)
        }
        load = { address, index, target in
            guard index < array(address).pointee.count else { return false }
            target.initializeMemory(as: Element.self, to: array(address).pointee[index])
            return true
        }
        remove = { array($0).pointee.removeSubrange($1) }
    }
}

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
    init<Element>(borrowing array: UnsafePointer<[Element]>) {
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
        let copies = UnsafeMutablePointer<Element>.allocate(capacity: count)
        var at = copies
        for member in container {
            at.initialize(to: element(member))
            at += 1
        }
        self.init(base: copies, count: count, isOwned: true)
    }
}

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
        let copies = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
        var at = copies
        for one in container {
            at.initialize(to: element(one))
            at += 1
        }
        self.init(base: copies, count: count, isOwned: true)
    }
}

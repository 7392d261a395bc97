// The operations on values of a type, given the reference to the type's layout. A layout is too large to be copied, so these are
// methods of the reference.

extension LayoutReference {
    /// The shape, retained.
    var shape: JSONShape { self.unretainedShape.takeUnretainedValue() }

    var typeName: String { self.unretainedShape._withUnsafeGuaranteedRef { $0.typeName } }

    /// Whether an array is one of `[Double]`, `[Int]` and `[String]`, and its elements are not transformed.
    @inline(__always)
    var isLeafArray: Bool { self.leaf == self.element.unsafelyUnwrapped.kind }

    /// A description of the expected value.
    var expectation: String { self.unretainedShape._withUnsafeGuaranteedRef { $0.expectation } }

    /// Marks the payload at `address` as present.
    @inline(__always)
    func injectTag(_ address: UnsafeMutableRawPointer) {
        guard self.tagOffset >= 0 else { return }
        address.storeBytes(of: 0, toByteOffset: self.tagOffset, as: UInt8.self)
        if self.tagCount > 1 { injectInnerTags(address) }
    }

    @inline(never)
    private func injectInnerTags(_ address: UnsafeMutableRawPointer) {
        for tag in 1..<self.tagCount {
            address.storeBytes(of: 0, toByteOffset: self.tagOffset + tag, as: UInt8.self)
        }
    }

    /// Sets the value at `address` to nil if the type is optional. The memory of other types stays uninitialized.
    func loadNil(_ address: UnsafeMutableRawPointer) {
        if let none = self.none { address.copyMemory(from: none, byteCount: self.size) }
    }

    /// Calls a closure with uninitialized memory for one value. The closure leaves the memory uninitialized.
    func withTemporaryMemory<R, E>(_ body: (UnsafeMutableRawPointer) throws(E) -> R) throws(E) -> R {
        try withUnsafeTemporaryAllocation(byteCount: max(self.size, 1), alignment: self.alignmentMask + 1) {
            memory throws(E) in try body(memory.baseAddress!)
        }
    }

    /// Destroys the value at `address`.
    func destroy(_ address: UnsafeMutableRawPointer) {
        self.unretainedShape._withUnsafeGuaranteedRef { $0.destroy(address, 1) }
    }

    /// Returns the form in which the value at `address` is written.
    @inline(__always)
    func presence(_ address: UnsafeRawPointer) -> Presence {
        switch self.nilTest {
        case .never: .value
        case .tag: address.load(fromByteOffset: self.nilOffset, as: UInt8.self) != 0 ? .none : .value
        case .word: address.load(fromByteOffset: self.nilOffset, as: UInt64.self) == 0 ? .none : .value
        case .byte:
            address.load(as: UInt8.self) == self.none.unsafelyUnwrapped.load(as: UInt8.self) ? .none : .value
        case .closure: self.unretainedShape._withUnsafeGuaranteedRef { $0.presence(address) }
        }
    }
}

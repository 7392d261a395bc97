/// The memory of one value, and the type of the value.
///
/// Invariant: the memory has the size and the alignment of the type, and belongs to a model, an element buffer, a frame or the
/// caller. A slot does not record whether the memory is initialized. The owner does: a model by its presence bits, an element
/// buffer by its end.
package struct ValueSlot {
    var address: UnsafeMutableRawPointer
    package var layout: LayoutReference

    /// Initializes a value that has no tag, even if the type is optional: the nil of such a type is a bit pattern that no
    /// payload has.
    @inline(__always)
    func initialize<Value>(to value: consuming Value) {
        address.initializeMemory(as: Value.self, to: value)
    }

    /// Initializes a value, or the payload of an optional.
    @inline(__always)
    func initializePayload<Value>(to value: consuming Value) {
        address.initializeMemory(as: Value.self, to: value)
        markPresent()
    }

    /// The memory as that of a type: the type of the slot, or of its payload.
    @inline(__always)
    func memory<Value>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
        address.assumingMemoryBound(to: type)
    }

    /// Marks the payload as present.
    @inline(__always)
    func markPresent() { layout.injectTag(address) }

    /// Sets the value to nil if the type is optional. The memory of other types stays uninitialized.
    func loadNil() { layout.loadNil(address) }

    func destroy() { layout.destroy(address) }

    /// Destroys the value and sets an optional to nil.
    func reset() {
        destroy()
        loadNil()
    }

    /// Moves the value out of the memory.
    func move<Value>(_ type: Value.Type) -> Value { memory(of: type).move() }

    /// Whether the slot, whose memory is initialized, holds a value other than nil.
    var isPresent: Bool { layout.presence(address) == .value }
}

extension LayoutReference {
    /// Initializes a string, or a `JSONValue` that is a string.
    package func initializeText(_ text: String, at address: UnsafeMutableRawPointer) {
        let slot = ValueSlot(address: address, layout: self)
        if self.kind == .value { slot.initialize(to: JSONValue.string(text)) } else { slot.initialize(to: text) }
    }
}

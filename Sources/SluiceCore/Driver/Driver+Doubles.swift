// Arrays of doubles, whose elements the source writes to the arena itself. Most are short, such as coordinates.

extension Driver {
    @inline(__always)
    var nextDoubles: UnsafeMutableBufferPointer<Double>? {
        guard top.form == .array, case .store(.double) = disposition, top.layout.collectsDoubles else { return nil }
        return arena.memory(of: Double.self, from: slot.address)
    }

    @inline(__always)
    mutating func doubles(_ count: Int) {
        slot.address += count &* MemoryLayout<Double>.stride
        if slot.address + MemoryLayout<Double>.stride > arena.limit { continueElements() }
    }

    /// The memory after the elements of the open array. Without a frame, the array must end in this memory.
    @inline(__always)
    var doubleArray: UnsafeMutableBufferPointer<Double>? {
        guard top.form == .array, case .store(.array) = disposition, slot.layout.collectsDoubles else { return nil }
        return arena.memory(of: Double.self, from: slot.address + top.layout.elementStride)
    }

    @inline(__always)
    mutating func doubleArray(_ elements: UnsafeMutableBufferPointer<Double>) {
        slot.initialize(to: elements.copied())
        completedElement()
    }
}

extension LayoutReference {
    /// Whether an array is one of doubles that are not transformed.
    @inline(__always)
    var collectsDoubles: Bool { self.leaf == .double && isLeafArray }
}

/// The cases of an enum that is not `CaseIterable`.
package enum EnumCases {
    /// Returns the cases of an enum without associated values, in their order; empty if they are unknown.
    ///
    /// Such an enum of at most 255 cases is one byte: the number of the case. The first number that is not a case is nil. (Swift's
    /// ABI, docs/ABI/TypeLayout.rst, "C-Like Enums".) An enum with one case has no bytes. Enums of C have no unused numbers, so that an
    /// optional is larger than the enum, and their cases are unknown.
    package static func all<R: RawRepresentable>(of type: R.Type) -> [R] {
        guard MemoryLayout<R>.size <= 1, MemoryLayout<R?>.size == 1, R.self is AnyClass.Type == false else {
            return []
        }
        let count = MemoryLayout<R>.size == 0 ? 1 : withUnsafeBytes(of: R?.none) { Int($0[0]) }
        var cases: [R] = []
        for number in 0..<count {
            let value = withUnsafeTemporaryAllocation(of: R.self, capacity: 1) { memory in
                let memory = UnsafeMutableRawBufferPointer(memory)
                if !memory.isEmpty { memory[0] = UInt8(number) }
                return memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: R.self).move()
            }
            // The first case of an enum with associated values has one. Other cases of such an enum have other numbers.
            if number == 0, !isEnumWithoutValues(value) { return [] }
            guard let same = R(rawValue: value.rawValue), bytes(of: same) == bytes(of: value) else { return [] }
            cases.append(value)
        }
        return cases
    }

    private static func isEnumWithoutValues<R>(_ value: R) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }

    private static func bytes<R>(of value: R) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}

extension Kernels {
    /// Whether two byte sequences of the same length are equal. Reads no other bytes.
    @inline(__always)
    static func haveEqualBytes(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
        guard count >= 8 else {
            if count >= 4 {
                let last = count &- 4
                return (a.loadUnaligned(as: UInt32.self) ^ b.loadUnaligned(as: UInt32.self))
                    | (a.loadUnaligned(fromByteOffset: last, as: UInt32.self)
                        ^ b.loadUnaligned(fromByteOffset: last, as: UInt32.self)) == 0
            }
            for at in 0..<count
            where a.load(fromByteOffset: at, as: UInt8.self) != b.load(fromByteOffset: at, as: UInt8.self) {
                return false
            }
            return true
        }
        var at = 0
        while at < count &- 8 {
            if a.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                != b.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            {
                return false
            }
            at &+= 8
        }
        return a.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            == b.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    }
}

import Synchronization

/// Powers of five and ten, computed at first use: a table of 10 KB instead of a thousand lines of digits in the source.
///
/// The pointer to the table is an atomic instead of a lazy `static let`, which calls `swift_once` for each access on
/// Linux. An atomic costs a load and a test. Threads with a simultaneous first access each compute a table. The first
/// published table is kept for the life of the process, and the others are freed.
enum DecimalPowers {
    /// `5^q`, scaled by a power of two to the range `2^127 ..< 2^128` and rounded down to an integer.
    struct Five: Equatable {
        let high: UInt64
        let low: UInt64
    }

    /// The exponents that a double needs: from −342 to 308 to be decoded, from −292 to 324 to be encoded. The other formats
    /// need fewer.
    @inline(__always)
    static var fives: ClosedRange<Int> { -342...324 }

    /// The exponents of the powers that fit in 128 bits: 5^55 < 2^128 < 5^56.
    @inline(__always)
    static var exactFives: ClosedRange<Int> { 0...55 }

    /// The exponents of the powers of ten that a double represents exactly.
    @inline(__always)
    static var exactTens: ClosedRange<Int> { 0...22 }

    /// Returns a power of five. The exponent must be in `fives`.
    @inline(__always)
    static func five(to exponent: Int) -> Five {
        let entry = table + (exponent &- fives.lowerBound) &* MemoryLayout<Five>.stride
        return entry.load(as: Five.self)
    }

    /// Returns a power of ten. The exponent must be in `exactTens`.
    @inline(__always)
    static func ten(to exponent: Int) -> Double {
        let entry = table + tensOffset + exponent &* MemoryLayout<Double>.stride
        return entry.load(as: Double.self)
    }

    /// Returns the exponent of `10^exponent` rounded down to a power of two. 217706 / 2^16 is slightly less than log2(10),
    /// and precise enough for a range larger than `fives`.
    @inline(__always)
    static func binaryExponent(ofTenTo exponent: Int) -> Int {
        (217_706 &* exponent) &>> 16
    }

    // MARK: The table: all of `fives`, then all of `exactTens`

    private static let slot = Atomic<UInt>(0)

    @inline(__always)
    private static var tensOffset: Int { fives.count &* MemoryLayout<Five>.stride }

    @inline(__always)
    private static var table: UnsafeRawPointer {
        UnsafeRawPointer(bitPattern: slot.load(ordering: .acquiring)) ?? publishedTable()
    }

    @inline(never)
    private static func publishedTable() -> UnsafeRawPointer {
        let candidate = UnsafeRawPointer(makeTable())
        let published = slot.compareExchange(
            expected: 0, desired: UInt(bitPattern: candidate), ordering: .acquiringAndReleasing
        ).original
        guard let winner = UnsafeRawPointer(bitPattern: published) else { return candidate }
        candidate.deallocate()
        return winner
    }

    private static func makeTable() -> UnsafeMutableRawPointer {
        let size = tensOffset + exactTens.count * MemoryLayout<Double>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        let fiveEntries = memory.bindMemory(to: Five.self, capacity: fives.count)
        let one = fiveEntries - fives.lowerBound

        var power = BigNatural(1)
        for exponent in 0...fives.upperBound {
            (one + exponent).initialize(to: power.leadingBits)
            power.multiply(by: 5)
        }
        // 2^960 has 794 bits to lose to 5^342, 128 bits to keep, and 15 limbs. Rounding down after each division by 5 gives the
        // same result as rounding down once after the last division.
        var inverse = BigNatural(1)
        inverse.shiftLeft(by: 960)
        for exponent in 1...(-fives.lowerBound) {
            inverse.divide(by: 5)
            (one - exponent).initialize(to: inverse.leadingBits)
        }

        let tenEntries = (memory + tensOffset).bindMemory(to: Double.self, capacity: exactTens.count)
        var ten = 1.0
        for exponent in exactTens {
            (tenEntries + exponent).initialize(to: ten)
            ten *= 10  // exact up to the last
        }
        return memory
    }
}

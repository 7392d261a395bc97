/// A natural number of any size, with the operations that the table of powers and the exact comparison need.
///
/// Limbs are ordered from least to most significant. The last limb is nonzero, and zero has no limbs.
struct BigNatural {
    private var limbs: [UInt64]

    init(_ value: UInt64) {
        limbs = value == 0 ? [] : [value]
    }

    mutating func reserveCapacity(_ bits: Int) {
        limbs.reserveCapacity(bits / UInt64.bitWidth + 1)
    }

    /// Replaces the number by `self * factor + addend`. The factor must be nonzero.
    mutating func multiply(by factor: UInt64, adding addend: UInt64 = 0) {
        var carry = addend
        for index in limbs.indices {
            let product = limbs[index].multipliedFullWidth(by: factor)
            let (low, carries) = product.low.addingReportingOverflow(carry)
            limbs[index] = low
            carry = carries ? product.high &+ 1 : product.high  // at most 2^64 - 2 before
        }
        if carry != 0 {
            limbs.append(carry)
        }
    }

    mutating func multiply(byFiveTo exponent: Int) {
        var left = exponent
        while left >= 27 {
            multiply(by: 7_450_580_596_923_828_125)  // 5^27, the last below 2^64
            left -= 27
        }
        var factor: UInt64 = 1
        for _ in 0..<left {
            factor *= 5
        }
        multiply(by: factor)
    }

    mutating func shiftLeft(by count: Int) {
        guard !limbs.isEmpty else { return }
        multiply(by: 1 << UInt64(count % UInt64.bitWidth))
        limbs.insert(contentsOf: repeatElement(0, count: count / UInt64.bitWidth), at: 0)
    }

    /// Replaces the number by `self / divisor`, rounded down. The divisor has at most 32 bits, so that half limbs divide in 64.
    @inline(__always)
    mutating func divide(by divisor: UInt64) {
        var remainder: UInt64 = 0
        for index in limbs.indices.reversed() {
            let upper = remainder << 32 | limbs[index] >> 32
            let lower = (upper % divisor) << 32 | limbs[index] & 0xFFFF_FFFF
            limbs[index] = (upper / divisor) << 32 | lower / divisor
            remainder = lower % divisor
        }
        if limbs.last == 0 {
            limbs.removeLast()
        }
    }

    /// The 128 bits from the highest one that is set, padded with zeros or cut off. The number must be nonzero.
    var leadingBits: DecimalPowers.Five {
        let last = limbs.count - 1
        let shift = UInt64(limbs[last].leadingZeroBitCount)
        let second = last >= 1 ? limbs[last - 1] : 0
        let third = last >= 2 ? limbs[last - 2] : 0
        // A smart shift (`>>`) by 64 gives 0, as needed.
        return DecimalPowers.Five(
            high: limbs[last] << shift | second >> (64 - shift),
            low: second << shift | third >> (64 - shift))
    }
}

extension BigNatural: Comparable {
    static func < (left: BigNatural, right: BigNatural) -> Bool {
        guard left.limbs.count == right.limbs.count else { return left.limbs.count < right.limbs.count }
        for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
            return left.limbs[index] < right.limbs[index]
        }
        return false
    }
}

@testable import SluiceCore

/// `0.digits * 10^point`, without zeros at either end: the tests' own exact arithmetic, on decimal text, which
/// shares nothing with the conversion under test. Zero has no digits.
struct ExactDecimal: Equatable {
    let digits: [UInt8]
    let point: Int

    init(digits: [UInt8], exponent: Int) {
        let start = digits.firstIndex { $0 != 0 } ?? digits.endIndex
        let end = (digits.lastIndex { $0 != 0 } ?? start - 1) + 1
        self.digits = Array(digits[start..<end])
        point = self.digits.isEmpty ? 0 : digits.count - start + exponent
    }

    /// The magnitude of a number's text.
    init(_ text: String) {
        let parts = text.lowercased().split(separator: "e")
        let written = parts.count > 1 ? Int(parts[1])! : 0
        let significand = parts[0].drop { $0 == "-" }
        let fraction = significand.split(separator: ".").dropFirst().first?.count ?? 0
        let digits = significand.utf8.filter { $0 != UInt8(ascii: ".") }.map { $0 - UInt8(ascii: "0") }
        self.init(digits: digits, exponent: written - fraction)
    }

    /// `integer * 2^power`, exactly: in limbs of nine decimal digits, `2^-n` being `5^n * 10^-n`.
    init(_ integer: UInt128, twoTo power: Int) {
        let base: UInt64 = 1_000_000_000
        var limbs: [UInt64] = []
        var rest = integer
        while rest > 0 {
            limbs.append(UInt64(rest % UInt128(base)))
            rest /= UInt128(base)
        }
        var left = abs(power)
        while left > 0 {
            let step = min(left, 12)
            let factor = (0..<step).reduce(UInt64(1)) { product, _ in product * (power < 0 ? 5 : 2) }
            var carry: UInt64 = 0
            for index in limbs.indices {
                let product = limbs[index] * factor + carry
                limbs[index] = product % base
                carry = product / base
            }
            if carry > 0 { limbs.append(carry) }
            left -= step
        }
        var digits: [UInt8] = []
        for limb in limbs {
            var rest = limb
            for _ in 0..<9 {
                digits.append(UInt8(rest % 10))
                rest /= 10
            }
        }
        self.init(digits: digits.reversed(), exponent: min(power, 0))
    }

    /// The exact point halfway between the float with this pattern and the next.
    init(above pattern: UInt64, in format: FloatFormat) {
        let field = pattern >> UInt64(format.significandBits)
        let fraction = pattern % format.hiddenBit
        let significand = field == 0 ? fraction : fraction + format.hiddenBit
        let bias = 1 << (format.exponentBits - 1) - 1
        self.init(UInt128(significand) * 2 + 1, twoTo: max(Int(field), 1) - bias - format.significandBits - 1)
    }

    func shifted(by power: Int) -> ExactDecimal {
        ExactDecimal(digits: digits, exponent: point - digits.count + power)
    }

    /// The digits at least up to the point.
    private var wholeDigits: [UInt8] { digits + Array(repeating: 0, count: max(point - digits.count, 0)) }

    /// A number above this one by 1 in the given number of digits beyond the last.
    func raised(after zeros: Int) -> ExactDecimal {
        let longer = wholeDigits + Array(repeating: 0, count: zeros) + [1]
        return ExactDecimal(digits: longer, exponent: point - longer.count)
    }

    /// A number below this one by 1 in the given number of digits beyond the last: nines follow.
    func lowered(before nines: Int) -> ExactDecimal {
        var longer = wholeDigits
        var index = longer.count - 1
        while longer[index] == 0 {
            longer[index] = 9
            index -= 1
        }
        longer[index] -= 1
        longer += Array(repeating: 9, count: nines)
        return ExactDecimal(digits: longer, exponent: point - longer.count)
    }

    /// A way to write the number: the point after `whole` digits (none is `0.…`), zeros at the end,
    /// and the exponent that belongs to it.
    func text(whole: Int, zeros: Int = 0) -> String {
        guard !digits.isEmpty else { return "0" }
        let written = digits + Array(repeating: 0, count: max(whole - digits.count, 0) + zeros)
        let text = written.map(String.init).joined()
        let head = whole == 0 ? "0" : String(text.prefix(whole))
        let tail = text.dropFirst(whole)
        let exponent = point - whole
        return head + (tail.isEmpty ? "" : "." + tail) + (exponent == 0 ? "" : "e\(exponent)")
    }

    static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        guard !left.digits.isEmpty, !right.digits.isEmpty else { return left.digits.count < right.digits.count }
        guard left.point == right.point else { return left.point < right.point }
        return left.digits.lexicographicallyPrecedes(right.digits)
    }
}

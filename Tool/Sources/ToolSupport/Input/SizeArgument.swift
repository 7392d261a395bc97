/// A number of bytes with an optional unit, such as `256MB`, `4GB`, `16MiB`, `1.5GB` or `4096`.
package struct SizeArgument: CustomStringConvertible, Hashable, Sendable {
    package var bytes: UInt64

    package init(bytes: UInt64) { self.bytes = bytes }

    package init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = argument.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard let scale = Self.scales[unit], let number = Double(digits), number.isFinite else { return nil }
        // Whole numbers are not converted to Double, which is exact only up to 2^53.
        if let whole = UInt64(digits) {
            let (product, overflow) = whole.multipliedReportingOverflow(by: scale)
            guard !overflow else { return nil }
            bytes = product
        } else {
            guard let product = UInt64(exactly: (number * Double(scale)).rounded()) else { return nil }
            bytes = product
        }
    }

    /// The size as a whole number of the largest possible unit.
    package var description: String {
        for (name, scale) in Self.units where bytes >= scale && bytes % scale == 0 {
            return "\(bytes / scale) \(name)"
        }
        return "\(bytes) bytes"
    }

    private static let units: [(String, UInt64)] = [
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("GiB", 1 << 30), ("MiB", 1 << 20),
        ("kB", 1_000), ("KiB", 1 << 10),
    ]

    private static let scales: [String: UInt64] = [
        "": 1, "b": 1,
        "k": 1_000, "kb": 1_000, "kib": 1 << 10,
        "m": 1_000_000, "mb": 1_000_000, "mib": 1 << 20,
        "g": 1_000_000_000, "gb": 1_000_000_000, "gib": 1 << 30,
        "t": 1_000_000_000_000, "tb": 1_000_000_000_000, "tib": 1 << 40,
    ]
}

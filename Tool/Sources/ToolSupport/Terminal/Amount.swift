/// The formatting of numbers for people. The format does not depend on the locale.
package enum Amount {
    /// Formats a number of bytes in megabytes.
    package static func megabytes(_ bytes: UInt64) -> String {
        let value = Double(bytes) / 1e6
        return (value < 10 ? decimal(value, 1) : Int(value.rounded()).grouped) + " MB"
    }

    /// Formats a duration in seconds. A duration below one second is formatted in milliseconds.
    package static func duration(_ seconds: Double) -> String {
        seconds < 1 ? decimal(seconds * 1e3, seconds < 0.01 ? 1 : 0) + " ms" : decimal(seconds, 2) + " s"
    }

    /// Formats a number with a fixed number of decimals.
    package static func decimal(_ value: Double, _ places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((value.magnitude * scale).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard places > 0 else { return sign + scaled.grouped }
        let part = String(scaled % Int(scale))
        return sign + (scaled / Int(scale)).grouped + "." + part.leftPadded(to: places, with: "0")
    }
}

extension BinaryInteger {
    /// The decimal digits in groups of three.
    package var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }
}

extension String {
    package func leftPadded(to width: Int, with filler: Character = " ") -> String {
        String(repeating: filler, count: Swift.max(0, width - count)) + self
    }

    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}

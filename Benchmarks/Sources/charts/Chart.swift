/// A chart of values by group and series, which is drawn with its values.
struct Chart {
    /// A color of the theme.
    enum Color: Int {
        case sluice, sluiceYajl, bareYajl, foundation
    }

    struct Series {
        let name: String
        let color: Color
    }

    struct Group {
        let label: String
        /// A value for each series; nil if the series has none.
        let values: [Double?]
    }

    /// The form of the drawing.
    enum Form {
        /// A bar for each value.
        case bars
        /// A line for each series, on logarithmic axes. The labels of the groups are those of the horizontal axis.
        case lines(positions: [Double])
    }

    /// The name of the files.
    let name: String
    let title: String
    /// The unit of the values, and whether more is better.
    let unit: String
    let series: [Series]
    let groups: [Group]
    var form = Form.bars
    /// The number of decimals of a value.
    var decimals = 0
    let conditions: Conditions

    func text(of value: Double) -> String { value.text(decimals: decimals) }
}

extension Double {
    /// The number with a fixed number of decimals, and with spaces between thousands.
    func text(decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
        let scaled = Int((self * Double(scale)).rounded())
        var digits = String(scaled.magnitude / scale.magnitude)
        var end = digits.endIndex
        while digits.distance(from: digits.startIndex, to: end) > 3, digits.count > 4 {
            end = digits.index(end, offsetBy: -3)
            digits.insert("\u{202F}", at: end)
        }
        var text = (scaled < 0 ? "-" : "") + digits
        if decimals > 0 {
            let fraction = String(scaled.magnitude % scale.magnitude)
            text += "." + String(repeating: "0", count: decimals - fraction.count) + fraction
        }
        return text
    }
}

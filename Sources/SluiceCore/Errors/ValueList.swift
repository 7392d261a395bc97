/// A list of values in a message, of which a long one is cut.
enum ValueList {
    /// The greatest number of values that are shown.
    static let greatestCount = 20

    /// The values, separated by commas. Of more than ``greatestCount`` values, the first ones and the number of the others.
    static func text(of values: some Collection<String>) -> String {
        let shown = values.prefix(greatestCount).joined(separator: ", ")
        let rest = values.count - greatestCount
        return rest > 0 ? "\(shown) and \(rest) more" : shown
    }
}

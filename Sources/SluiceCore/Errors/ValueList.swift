/// A list of values in a message, shortened if necessary.
enum ValueList {
    /// The greatest number of values in the list.
    static let greatestCount = 20

    /// Returns the values, separated by commas. Beyond ``greatestCount``, the list gives the number of the others.
    static func text(of values: some Collection<String>) -> String {
        let shown = values.prefix(greatestCount).joined(separator: ", ")
        let rest = values.count - greatestCount
        return rest > 0 ? "\(shown) and \(rest) more" : shown
    }
}

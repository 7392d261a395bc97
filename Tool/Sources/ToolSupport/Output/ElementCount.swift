/// Numbers of elements that the user selects.
package enum ElementCount {
    /// Returns the number of the last printed element, from 1.
    ///
    /// - Parameters:
    ///   - limit: The greatest number of printed elements; nil for all.
    ///   - skip: The number of elements before the first.
    package static func last(limit: Int?, skip: Int) -> Int {
        guard let limit else { return .max }
        let (last, isOverflow) = limit.addingReportingOverflow(skip)
        return isOverflow ? .max : last
    }
}

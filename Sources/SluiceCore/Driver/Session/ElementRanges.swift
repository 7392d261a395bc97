/// Finds the range of each element of a stream. The source passes the locations of the tokens for which the
/// driver waits.
package final class ElementRanges {
    /// The position of the current element, or of the last one.
    package private(set) var path = JSONPath()
    package private(set) var start = JSONLocation()
    package private(set) var end = JSONLocation()
    /// Whether the location of the element's first token is awaited.
    private(set) var isBeginning = false
    /// The complete element, whose last token's location is awaited.
    private(set) var complete: UnsafeMutableRawPointer?

    package init() {}

    func begin(at path: JSONPath) { (self.path, isBeginning) = (path, true) }

    package func set(from start: JSONLocation, to end: JSONLocation) { (self.start, self.end) = (start, end) }

    func finish(_ element: UnsafeMutableRawPointer) { complete = element }

    /// Receives the location of the current token. Returns the element that the token completes.
    func locate(from first: JSONLocation, to last: JSONLocation) -> UnsafeMutableRawPointer? {
        if isBeginning { (start, isBeginning) = (first, false) }
        defer { complete = nil }
        if complete != nil { end = last }
        return complete
    }
}

extension Driver {
    var awaitsLocation: Bool {
        guard let locator = session.locator else { return false }
        return locator.isBeginning || locator.complete != nil
    }

    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        session.locator?.locate(from: start, to: end).map { deliver($0, isLocated: true) } ?? .proceed
    }

    /// Awaits the location of the first token, if the current value is an element.
    func locateElement() {
        guard let locator = session.locator, top.owner == root, let entry = top.entry, entry.field < 0,
            entry.child == nil
        else {
            return
        }
        locator.begin(at: issue(.unexpectedEnd).path)
    }

    /// Returns the action after the first token of a converted value, whose location may be awaited.
    mutating func locating(_ action: TokenAction) -> TokenAction {
        (action == .proceed || action == .switchReading) && session.locator?.isBeginning == true
            ? .handlePending : action
    }
}

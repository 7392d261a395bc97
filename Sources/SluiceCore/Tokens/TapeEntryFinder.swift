/// Reads an input again up to the token of a tape's entry, which the source locates.
struct TapeEntryFinder: SimpleSink {
    private let entry: Int
    /// The position of the element in the array at the root; nil if the tape had the whole document.
    private let element: Int?
    private let found: JSONIssue
    /// The entry that the next token would have.
    private var next = Tape.root
    private var depth = 0
    private var elements = 0
    private var isInRootArray = false
    private var isFound = false

    /// - Parameters:
    ///   - entry: The entry on the tape of the document, or of the element.
    ///   - issue: The issue that the source locates.
    init(_ entry: Int, element: Int?, issue: JSONIssue) {
        self.entry = entry
        self.element = element
        found = issue
    }

    /// Returns the action after a token with a number of entries.
    private mutating func take(_ count: Int) -> TokenAction {
        var isAtEntry = true
        if let element {
            if isInRootArray, depth == 1 {
                next = Tape.root + 1
                elements += 1
            }
            isAtEntry = elements == element + 1 || entry == Tape.root
        }
        isFound = isAtEntry && next == entry
        next += count
        return isFound ? .handlePending : .proceed
    }

    mutating func startObject() -> TokenAction {
        defer { depth += 1 }
        return take(1)
    }

    mutating func endObject() -> TokenAction {
        depth -= 1
        return .proceed
    }

    mutating func startArray() -> TokenAction {
        defer {
            if depth == 0 { isInRootArray = true }
            depth += 1
        }
        return take(1)
    }

    mutating func endArray() -> TokenAction {
        depth -= 1
        return .proceed
    }

    mutating func key(_ key: Key) -> TokenAction { take(2) }

    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction { take(1) }
    mutating func number(_ token: NumberToken) -> TokenAction { take(2) }
    mutating func bool(_ value: Bool) -> TokenAction { take(1) }
    mutating func null() -> TokenAction { take(1) }

    mutating func takeIssues() -> [PendingIssue] { isFound ? [PendingIssue(issue: found, handling: .stop)] : [] }
}

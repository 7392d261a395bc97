/// The receiver of the elements of a stream, and the progress of the stream.
package struct ElementReceiver {
    /// Receives an element. Returns the memory of the next one, or nil to end.
    package typealias Closure = (UnsafeMutableRawPointer) throws -> UnsafeMutableRawPointer?

    /// Receives each element; nil if the driver makes one value.
    private let emit: Closure?
    private var receiveIssue: ((JSONIssue, _ failure: Int) -> Bool)?
    /// The number of elements in which an issue was recorded.
    private var failedCount = 0
    /// Whether the first key of the path to the elements has been read.
    private(set) var isPathFound: Bool
    /// The number of arrays of elements that have begun; nil after null on the path to an array.
    private(set) var arrayCount: Int? = 0
    /// Whether an issue in the current element was recorded.
    private(set) var hasFailed = false

    /// - Parameters:
    ///   - emit: Receives each element. Nil if the driver makes one value.
    ///   - hasPath: Whether the elements are at a path that begins with a key.
    @inline(__always)
    init(_ emit: Closure?, hasPath: Bool) {
        self.emit = emit
        isPathFound = !hasPath
    }

    /// Whether the driver passes on the elements of a stream.
    var isStream: Bool { emit != nil }

    /// Skips failed elements, whose issues are passed to a closure. The closure returns false for an issue outside of all elements.
    mutating func skipFailed(_ receiveIssue: @escaping (JSONIssue, _ failure: Int) -> Bool) {
        self.receiveIssue = receiveIssue
    }

    mutating func findPath() { isPathFound = true }

    mutating func countArray() { arrayCount? += 1 }

    mutating func endCounting() { arrayCount = nil }

    /// Begins an element.
    mutating func begin() { hasFailed = false }

    /// Records the failure of the current element.
    mutating func fail() {
        if !hasFailed { failedCount += 1 }
        hasFailed = true
    }

    /// Passes an element on. Returns the memory of the next one, or nil to end.
    ///
    /// The driver of a stream calls this function. Forced unwrapping calls the closure as it is stored: `unsafelyUnwrapped`, which is
    /// generic, allocates a closure for each call.
    func receive(_ element: UnsafeMutableRawPointer) throws -> UnsafeMutableRawPointer? { try emit!(element) }

    /// Passes the issue of a failed element on. Returns false for an issue outside of all elements, and nil if failed elements are
    /// not skipped.
    func receive(_ issue: JSONIssue) -> Bool? { receiveIssue?(issue, failedCount) }
}

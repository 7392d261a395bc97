/// A part of a value that has changed since the last look at a feed.
///
/// ```swift
/// for try await chunk in response {
///     _ = try feed.push(chunk)
///     for change in feed.changes() {
///         if case .text(let new) = change.kind, change.path == "summary" { terminal.write(new) }
///     }
/// }
/// ```
///
/// Applied in their order to the value of the last look, the changes give the value of the next one: `text` and `elements` say what was
/// appended, and after every other kind, the value at the path is that of the next snapshot.
public struct JSONChange: Sendable, Hashable {
    /// What has happened to a value.
    public enum Kind: Sendable, Hashable {
        /// An object, an array or a string has begun, and is empty. Its parts follow as changes of their own.
        case began
        /// Text was appended to a string.
        case text(String)
        /// Complete elements, which have these indexes, were appended to an array.
        case elements(Range<Int>)
        /// The value is complete. Its parts that are complete are not reported one by one.
        case completed
        /// The value was made again: it is of a type that is made as a whole, or collects the values of several keys.
        case replaced
        /// The value no longer exists: null or a failed value took its place.
        case removed
    }

    /// The path of the value in the JSON.
    public let path: JSONPath
    /// For each step, the index of the property in its model, of the element in its array, of the member in its dictionary, or of the
    /// case in its enum.
    public let indexPath: [Int]
    /// What has happened to the value.
    public let kind: Kind

    package init(path: [JSONPath.Component], indexPath: [Int], kind: Kind) {
        (self.path, self.indexPath, self.kind) = (JSONPath(path), indexPath, kind)
    }
}

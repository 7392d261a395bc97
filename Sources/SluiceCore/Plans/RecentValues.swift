/// The values of the keys that were used last, each of which is made once.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var recent: [Key: Value] = [:]
    private var earlier: [Key: Value] = [:]
    /// The number of keys after which the recent ones become earlier ones, and those are forgotten.
    private static var maximumRecentCount: Int { 32 }

    package init() {}

    /// Returns the value of a key, which is made if the key was not used lately.
    package mutating func value(for key: Key, make: () -> Value) -> Value {
        if let known = recent[key] { return known }
        let value = earlier[key] ?? make()
        if recent.count >= Self.maximumRecentCount { (recent, earlier) = ([:], recent) }
        recent[key] = value
        return value
    }
}

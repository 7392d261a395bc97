// Equality and hashing without recursion, because a thread's stack would overflow for a deeply nested value.

extension JSONValue: Equatable {
    // Implements the requirement without a new operator, as the compiler does for a derived conformance. Another `==` for
    // literals would make some expressions ambiguous.
    /// Whether two values are equal.
    @_implements(Equatable,==(_:_:))
    public static func _isEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        guard let root = ComparedLevel(one, other) else { return one.isEqualScalar(other) }
        var levels = [root]
        next: while var level = levels.popLast() {
            guard level.isSameSize else { return false }
            while let (one, other) = level.next() {
                guard let other else { return false }
                if let inner = ComparedLevel(one, other) {
                    levels.append(level)
                    levels.append(inner)
                    continue next
                }
                if !one.isEqualScalar(other) { return false }
            }
        }
        return true
    }

    /// Whether two scalars are equal; false for containers.
    fileprivate func isEqualScalar(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one == other
        default: false
        }
    }
}

/// Two arrays or two objects in a comparison, and the position of the next element.
private enum ComparedLevel {
    case arrays([JSONValue], [JSONValue], next: Int)
    case objects(JSONObject, JSONObject, next: JSONObject.Index)

    init?(_ one: JSONValue, _ other: JSONValue) {
        switch (one, other) {
        case (.array(let one), .array(let other)):
            // References to the same storage need no comparison.
            self = .arrays(one, other, next: Self.areIdentical(one, other) ? one.endIndex : one.startIndex)
        case (.object(let one), .object(let other)):
            self = .objects(one, other, next: one.isIdentical(to: other) ? one.endIndex : one.startIndex)
        default: return nil
        }
    }

    private static func areIdentical<T>(_ one: T, _ other: T) -> Bool {
        withUnsafeBytes(of: one) { one in withUnsafeBytes(of: other) { one.elementsEqual($0) } }
    }

    var isSameSize: Bool {
        switch self {
        case .arrays(let one, let other, _): one.count == other.count
        case .objects(let one, let other, _): one.count == other.count
        }
    }

    /// Returns the next value and its counterpart, if any. Returns nil at the end.
    mutating func next() -> (JSONValue, JSONValue?)? {
        switch self {
        case .arrays(let one, let other, let index):
            if index == one.endIndex { return nil }
            self = .arrays(one, other, next: index + 1)
            return (one[index], other[index])
        case .objects(let one, let other, let index):
            if index == one.endIndex { return nil }
            self = .objects(one, other, next: one.index(after: index))
            return (one[index].value, other[one[index].key])
        }
    }
}

extension JSONValue: Hashable {
    /// Hashes the value without recursion. The order of an object's members does not affect the hash.
    public func hash(into hasher: inout Hasher) {
        guard let root = HashedLevel(self) else { return hashScalar(into: &hasher) }
        var levels = [root]
        next: while var level = levels.popLast() {
            while let (key, value) = level.next() {
                if let inner = HashedLevel(value, under: key) {
                    levels.append(level)
                    levels.append(inner)
                    continue next
                }
                level.add(key) { value.hashScalar(into: &$0) }
            }
            let hash = level.hash
            if levels.isEmpty {
                hasher.combine(hash)
            } else {
                levels[levels.count - 1].add(level.key) { $0.combine(hash) }
            }
        }
    }

    /// Hashes a value that is not a container.
    fileprivate func hashScalar(into hasher: inout Hasher) {
        switch self {
        case .null, .array, .object: hasher.combine(0 as UInt8)
        case .bool(let value):
            hasher.combine(1 as UInt8)
            hasher.combine(value)
        case .number(let value):
            hasher.combine(2 as UInt8)
            hasher.combine(value)
        case .string(let value):
            hasher.combine(3 as UInt8)
            hasher.combine(value)
        }
    }
}

/// An array or object that is being hashed, and the position of the next element.
private struct HashedLevel {
    private enum Rest {
        case elements([JSONValue].Iterator)
        case members(JSONObject.Iterator)
    }

    /// The key of the container in its enclosing object.
    let key: String?
    private var rest: Rest
    private var hasher = Hasher()
    /// The combined hashes of an object's members, independent of their order.
    private var members = 0

    init?(_ value: JSONValue, under key: String? = nil) {
        self.key = key
        switch value {
        case .array(let elements):
            rest = .elements(elements.makeIterator())
            hasher.combine(4 as UInt8)
            hasher.combine(elements.count)
        case .object(let members):
            rest = .members(members.makeIterator())
            hasher.combine(5 as UInt8)
            hasher.combine(members.count)
        default: return nil
        }
    }

    mutating func next() -> (key: String?, value: JSONValue)? {
        switch rest {
        case .elements(var iterator):
            guard let value = iterator.next() else { return nil }
            rest = .elements(iterator)
            return (nil, value)
        case .members(var iterator):
            guard let (key, value) = iterator.next() else { return nil }
            rest = .members(iterator)
            return (key, value)
        }
    }

    /// Adds an element, or the member with a key.
    mutating func add(_ key: String?, _ hashValue: (inout Hasher) -> Void) {
        guard let key else { return hashValue(&hasher) }
        var member = Hasher()
        member.combine(key)
        hashValue(&member)
        members ^= member.finalize()
    }

    /// The hash of the container, after all contents were added.
    var hash: Int {
        var hasher = hasher
        hasher.combine(members)
        return hasher.finalize()
    }
}

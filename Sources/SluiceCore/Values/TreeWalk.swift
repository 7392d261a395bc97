/// The JSON kind of a value that is not text, with the nested values.
package enum TreeNode<Value> {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([Value])
    case object([(key: String, value: Value)])
}

/// Traverses a tree of values and returns its tokens one by one, without recursion.
struct TreeWalk<Value> {
    enum Token {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case startArray, endArray, startObject, endObject
        case key(String)
    }

    private enum Level {
        case array([Value], next: Int)
        case object([(key: String, value: Value)], next: Int)
    }

    /// Returns the JSON kind of a value.
    private let look: (Value) throws -> TreeNode<Value>
    private var levels: [Level] = []
    /// The current or next value.
    private var current: Value
    private var isPending = true

    init(_ root: Value, look: @escaping (Value) throws -> TreeNode<Value>) {
        current = root
        self.look = look
    }

    /// The number of open objects and arrays.
    var depth: Int { levels.count }
    /// Whether the next token begins a value.
    var isAtValue: Bool {
        if isPending { return true }
        if case .array(let values, let next)? = levels.last { return next < values.count }
        return false
    }

    /// Returns the next token, or nil at the end.
    ///
    /// - Throws: The error thrown by `look`; `current` is then the value at fault.
    mutating func next() throws -> Token? {
        if isPending { return try begin() }
        guard let top = levels.popLast() else { return nil }
        switch top {
        case .array(let values, let next):
            if next == values.count { return .endArray }
            levels.append(.array(values, next: next + 1))
            current = values[next]
            return try begin()
        case .object(let pairs, let next):
            if next == pairs.count { return .endObject }
            levels.append(.object(pairs, next: next + 1))
            current = pairs[next].value
            isPending = true
            return .key(pairs[next].key)
        }
    }

    private mutating func begin() throws -> Token {
        isPending = false
        switch try look(current) {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .array(let values):
            levels.append(.array(values, next: 0))
            return .startArray
        case .object(let pairs):
            levels.append(.object(pairs, next: 0))
            return .startObject
        }
    }

    /// Skips the next value.
    mutating func skip() {
        if isPending {
            isPending = false
        } else if case .array(let values, let next)? = levels.popLast() {
            levels.append(.array(values, next: next + 1))
        }
    }

    /// The walk of the current value alone.
    var atCurrentValue: TreeWalk { TreeWalk(current, look: look) }

    /// Leaves the object or array that has just begun. Returns whether it is an array.
    mutating func leave() -> Bool {
        if case .array? = levels.popLast() { true } else { false }
    }

    /// Leaves the object whose key was the last token.
    ///
    /// - Returns: The walk of the members from that key on, which returns the end of the object as its last token.
    mutating func leaveWithMembers() -> TreeWalk {
        isPending = false
        var members = atCurrentValue
        guard case .object(let pairs, let next)? = levels.popLast() else { return members }
        members.isPending = false
        members.levels = [.object(pairs, next: next - 1)]
        return members
    }

    /// Returns a value as JSON.
    static func text(of root: Value, look: @escaping (Value) throws -> TreeNode<Value>) throws -> [UInt8] {
        var out = OutputBuffer()
        var walk = TreeWalk(root, look: look)
        var isBehindKey = true
        while let token = try walk.next() {
            switch token {
            case .endArray:
                out.close("]")
                continue
            case .endObject:
                out.close("}")
                continue
            case .key(let key):
                out.key(key)
                isBehindKey = true
                continue
            default: break
            }
            out.reserve(64)
            if !isBehindKey { out.comma() }
            isBehindKey = false
            out.firstByteCount = 0
            switch token {
            case .null: out.literal("null")
            case .bool(let value): out.literal(value ? "true" : "false")
            case .number(let number): out.text(number.description)
            case .string(let text): out.string(text)
            case .startArray: out.open("[")
            case .startObject: out.open("{")
            case .endArray, .endObject, .key: break
            }
        }
        return Array(out.written)
    }
}

extension JSONValue {
    /// The value as a node of a tree walk.
    var node: TreeNode<JSONValue> {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .array(let values): .array(values)
        case .object(let members): .object(members.map { ($0.key, $0.value) })
        }
    }
}

// Values of any JSON. Their elements and members are read in place.

extension ModelWriter {
    /// Writes a value, or pushes a frame for an array or an object. Requires 96 reserved bytes.
    mutating func json(_ layout: LayoutReference, _ value: UnsafePointer<JSONValue>) throws(JSONModelError) {
        // Members that are sorted or checked are those of a dictionary.
        guard isSorted || !tags.isEmpty else { return try json(value) }
        switch value.pointee {
        case .array: try pushElements(layout.arrayContents.unsafelyUnwrapped, value)
        case .object: try pushPairs(layout.contents.unsafelyUnwrapped, value)
        default: try json(value)
        }
    }

    @inline(__always)
    mutating func json(_ value: UnsafePointer<JSONValue>) throws(JSONModelError) {
        if !jsonScalar(value) { try pushContents(of: value) }
    }

    /// Writes a value that is not an array or an object, for which the function returns false.
    @inline(__always)
    mutating func jsonScalar(_ value: UnsafePointer<JSONValue>) -> Bool {
        switch value.pointee {
        case .null: out.literal("null")
        case .bool(let value): out.bool(value)
        case .number(let number):
            switch number.form {
            case .text(let text): withUnsafePointer(to: text) { out.unquoted(at: $0) }
            case .fixedPoint(let number): out.cursor += number.write(to: out.cursor)
            }
        case .string(let text): withUnsafePointer(to: text) { out.string(at: $0) }
        case .array, .object: return false
        }
        return true
    }

    /// Pushes a frame for the elements or the members of a value, which the value that is written keeps alive.
    @inline(never)
    private mutating func pushContents(of value: UnsafePointer<JSONValue>) throws(JSONModelError) {
        let contents = JSONValue.contents(of: value)
        let elements = ElementBuffer(base: contents.base, count: contents.count, isOwned: false)
        pushMembers(contents.isArray ? .values : .members, nil, elements)
        try open(contents.isArray ? "[" : "{")
    }

    /// Writes the elements of the frame on top, until another frame is pushed or no element is left.
    mutating func runValues() throws(JSONModelError) {
        let (height, count) = (stack.count, stack.top.count)
        let elements = stack.top.base.assumingMemoryBound(to: JSONValue.self)
        var next = stack.top.begunCount
        while next < count {
            out.reserve(96)
            out.comma()
            next += 1
            stack[height - 1].begunCount = next
            try json(elements + (next - 1))
            if stack.count != height { return }
        }
        out.close("]")
        stack.pop()
    }

    /// Writes the members of the frame on top, until another frame is pushed or no member is left.
    mutating func runMembers() throws(JSONModelError) {
        let (height, count) = (stack.count, stack.top.count)
        let members = stack.top.base
        var next = stack.top.begunCount
        while next < count {
            next += 1
            guard let (key, value) = MemberStorage.member(members, at: next - 1) else { continue }
            out.reserve(96)
            out.comma()
            out.string(at: key)
            out.reserve(96)
            out.colon()
            stack[height - 1].begunCount = next
            try json(value)
            if stack.count != height { return }
        }
        out.close("}")
        stack.pop()
    }
}

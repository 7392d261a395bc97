import SluiceCore

/// The operations on an array or dictionary that grows element by element, of a type that is known only at run time.
///
/// The methods are not part of the witnesses, whose closures each client contains for each of its types.
class LiveContainer {
    /// Appends copies of elements or pairs.
    func append(_ elements: UnsafeMutableRawPointer, _ count: Int, to container: UnsafeMutableRawPointer) {}
}

/// The operations on an array.
class LiveElements: LiveContainer {
    /// Appends an element, which is moved out of its memory.
    func append(moving element: UnsafeMutableRawPointer, to array: UnsafeMutableRawPointer) {}
    func removeLast(of array: UnsafeMutableRawPointer) {}
    /// Returns the address of the last element, which only this array contains. The address is valid until the array changes.
    func last(of array: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer { array }

    /// Returns the operations on the arrays of a layout; nil for another container.
    static func of(_ layout: LayoutReference) -> LiveElements? {
        guard layout.kind == .array, let element = layout.element else { return nil }
        let shape = layout.shape.unwrapped
        if shape.type == JSONValue.self { return LiveValues() }
        func operations<Element>(_: Element.Type) -> LiveElements? {
            shape.type == [Element].self ? LiveArray<Element>() : nil
        }
        return _openExistential(element.shape.type, do: operations)
    }
}

/// The operations on a dictionary or an object.
class LiveMembers: LiveContainer {
    /// Sets the value of a key. The value is moved out of its memory, and the key is copied.
    func set(
        _ key: UnsafeMutableRawPointer, moving value: UnsafeMutableRawPointer,
        in dictionary: UnsafeMutableRawPointer
    ) {}
    /// Returns the address of the value of a key, which only this dictionary contains. The address is valid until the dictionary changes.
    func value(of key: UnsafeMutableRawPointer, in dictionary: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        dictionary
    }
    /// Returns a copy of a key.
    func copy(of key: UnsafeMutableRawPointer) -> AnyHashable { 0 }

    /// Returns the operations on the dictionaries of a layout; nil for another container.
    static func of(_ layout: LayoutReference) -> LiveMembers? {
        guard layout.kind == .dictionary, let element = layout.element else { return nil }
        let shape = layout.shape.unwrapped
        if shape.type == JSONValue.self { return LiveObject(isValue: true) }
        if shape.type == JSONObject.self { return LiveObject(isValue: false) }
        guard let keyType = layout.withDictionary({ $0.keys.type }) as? any Hashable.Type else { return nil }
        func operations<Key: Hashable>(_ key: Key.Type) -> LiveMembers? {
            func operations<Value>(_: Value.Type) -> LiveMembers? {
                shape.type == [Key: Value].self ? LiveDictionary<Key, Value>() : nil
            }
            return _openExistential(element.shape.type, do: operations)
        }
        return operations(keyType)
    }
}

extension JSONShape {
    /// The shape of the value in an optional, or the shape itself.
    fileprivate var unwrapped: JSONShape { payload?.unwrapped ?? self }
}

private class LiveArray<Element>: LiveElements {
    /// Changes the array at an address in place.
    func change<Result>(_ address: UnsafeMutableRawPointer, _ body: (inout [Element]) -> Result) -> Result {
        body(&address.assumingMemoryBound(to: [Element].self).pointee)
    }

    final override func append(
        _ elements: UnsafeMutableRawPointer, _ count: Int, to container: UnsafeMutableRawPointer
    ) {
        let first = elements.assumingMemoryBound(to: Element.self)
        change(container) { array in
            if count == 1 {
                array.append(first.pointee)
            } else {
                array.append(contentsOf: UnsafeBufferPointer(start: first, count: count))
            }
        }
    }

    final override func append(moving element: UnsafeMutableRawPointer, to array: UnsafeMutableRawPointer) {
        let element = element.assumingMemoryBound(to: Element.self).move()
        change(array) { $0.append(element) }
    }

    final override func removeLast(of array: UnsafeMutableRawPointer) { change(array) { _ = $0.removeLast() } }

    final override func last(of array: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        change(array) { elements in
            elements.withUnsafeMutableBufferPointer {
                UnsafeMutableRawPointer($0.baseAddress.unsafelyUnwrapped + ($0.count - 1))
            }
        }
    }
}

private final class LiveDictionary<Key: Hashable, Value>: LiveMembers {
    private func dictionary(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<[Key: Value]> {
        address.assumingMemoryBound(to: [Key: Value].self)
    }

    private func key(_ address: UnsafeMutableRawPointer) -> Key {
        address.assumingMemoryBound(to: Key.self).pointee
    }

    override func append(
        _ elements: UnsafeMutableRawPointer, _ count: Int, to container: UnsafeMutableRawPointer
    ) {
        let pairs = UnsafeBufferPointer(start: elements.assumingMemoryBound(to: (Key, Value).self), count: count)
        for (key, value) in pairs { dictionary(container).pointee[key] = value }
    }

    override func set(
        _ key: UnsafeMutableRawPointer, moving value: UnsafeMutableRawPointer,
        in dictionary: UnsafeMutableRawPointer
    ) {
        let value = value.assumingMemoryBound(to: Value.self).move()
        self.dictionary(dictionary).pointee.updateValue(value, forKey: self.key(key))
    }

    override func value(
        of key: UnsafeMutableRawPointer, in dictionary: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        guard let index = self.dictionary(dictionary).pointee.index(forKey: self.key(key)) else {
            preconditionFailure("the dictionary has no such key")
        }
        return withUnsafeMutablePointer(to: &self.dictionary(dictionary).pointee.values[index]) {
            UnsafeMutableRawPointer($0)
        }
    }

    override func copy(of key: UnsafeMutableRawPointer) -> AnyHashable { AnyHashable(self.key(key)) }
}

/// The operations on the array in a `JSONValue`.
private final class LiveValues: LiveArray<JSONValue> {
    override func change<Result>(_ address: UnsafeMutableRawPointer, _ body: (inout [JSONValue]) -> Result)
        -> Result
    {
        guard let result = address.assumingMemoryBound(to: JSONValue.self).pointee.changeArray(body) else {
            preconditionFailure("the value is not an array")
        }
        return result
    }
}

/// The operations on a `JSONObject`, or on the object in a `JSONValue`.
private final class LiveObject: LiveMembers {
    private let isValue: Bool

    init(isValue: Bool) { self.isValue = isValue }

    private func change<Result>(_ address: UnsafeMutableRawPointer, _ body: (inout JSONObject) -> Result) -> Result
    {
        if !isValue { return body(&address.assumingMemoryBound(to: JSONObject.self).pointee) }
        guard let result = address.assumingMemoryBound(to: JSONValue.self).pointee.changeObject(body) else {
            preconditionFailure("the value is not an object")
        }
        return result
    }

    private func key(_ address: UnsafeMutableRawPointer) -> String {
        address.assumingMemoryBound(to: String.self).pointee
    }

    override func append(
        _ elements: UnsafeMutableRawPointer, _ count: Int, to container: UnsafeMutableRawPointer
    ) {
        let members = elements.assumingMemoryBound(to: (String, JSONValue).self)
        change(container) { object in
            for (key, value) in UnsafeBufferPointer(start: members, count: count) {
                object.updateValue(value, forKey: key)
            }
        }
    }

    override func set(
        _ key: UnsafeMutableRawPointer, moving value: UnsafeMutableRawPointer,
        in dictionary: UnsafeMutableRawPointer
    ) {
        let value = value.assumingMemoryBound(to: JSONValue.self).move()
        change(dictionary) { _ = $0.updateValue(value, forKey: self.key(key)) }
    }

    override func value(
        of key: UnsafeMutableRawPointer, in dictionary: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        guard let address = change(dictionary, { $0.address(of: self.key(key)) }) else {
            preconditionFailure("the object has no such key")
        }
        return UnsafeMutableRawPointer(address)
    }

    override func copy(of key: UnsafeMutableRawPointer) -> AnyHashable { AnyHashable(MemberName(self.key(key))) }
}

// The standard library's containers, without a container of the encoder for each of them.

import SluiceCore

/// A generic type whose values are written without their own `encode(to:)`.
///
/// Types are cast to the protocol. A linker that takes only the needed object files of a static library takes the file of the
/// protocol, so the conformances are in the same file.
protocol WritableContainer {
    static func writer(in types: EncodableTypes) -> ValueWriter?
}

extension Optional: WritableContainer where Wrapped: Encodable {
    static func writer(in types: EncodableTypes) -> ValueWriter? {
        OptionalWriter<Wrapped>(types.writer(for: Wrapped.self))
    }
}

private final class OptionalWriter<Wrapped: Encodable>: ValueWriter, @unchecked Sendable {
    private let writer: Unmanaged<ValueWriter>?

    init(_ writer: Unmanaged<ValueWriter>?) { self.writer = writer }

    override var isScalar: Bool { writer?._withUnsafeGuaranteedRef { $0.isScalar } ?? false }

    override func write(_ address: UnsafeRawPointer, _ tape: EncodingTape, _ token: UInt64) throws {
        guard address.assumingMemoryBound(to: Wrapped?.self).pointee != nil else {
            return tape.out.literal("null")
        }
        // The value of an optional begins at the optional's address.
        let value = address.assumingMemoryBound(to: Wrapped.self)
        if let writer {
            return try writer._withUnsafeGuaranteedRef { try $0.write(UnsafeRawPointer(value), tape, token) }
        }
        let inner = tape.beginInner(token)
        try tape.encode(at: value, by: nil, inner)
        tape.endInner(inner, token)
    }
}

extension Array: WritableContainer where Element: Encodable {
    static func writer(in types: EncodableTypes) -> ValueWriter? {
        // One plan for the whole array.
        if let model = Element.self as? any JSONModel.Type { return PlanWriter.make(arrayOf: model) }
        return ArrayWriter<Element>(types.writer(for: Element.self))
    }
}

private final class ArrayWriter<Element: Encodable>: ValueWriter, @unchecked Sendable {
    private let writer: Unmanaged<ValueWriter>?
    private let hasScalars: Bool

    init(_ writer: Unmanaged<ValueWriter>?) {
        self.writer = writer
        hasScalars = writer?._withUnsafeGuaranteedRef { $0.isScalar } ?? false
    }

    override func write(_ address: UnsafeRawPointer, _ tape: EncodingTape, _ token: UInt64) throws {
        let elements = address.assumingMemoryBound(to: [Element].self).pointee
        tape.openBracket("[")
        try elements.withUnsafeBufferPointer { elements in
            for index in elements.indices {
                let element = elements.baseAddress.unsafelyUnwrapped + index
                tape.out.reserve(128)
                tape.out.comma()
                if hasScalars {
                    try writer?._withUnsafeGuaranteedRef { try $0.write(UnsafeRawPointer(element), tape, token) }
                } else {
                    try tape.encodePart(at: element, by: writer, key: .index(index), of: token)
                }
            }
        }
        tape.out.close("]")
    }
}

extension Dictionary: WritableContainer where Key: Encodable, Value: Encodable {
    static func writer(in types: EncodableTypes) -> ValueWriter? {
        if Key.self == String.self { return DictionaryWriter<Value>(types.writer(for: Value.self)) }
        // The standard library encodes integers and convertible keys by way of their text, and all others as elements of an array.
        return Key.self is any CodingKeyRepresentable.Type
            ? nil : PairsWriter<Key, Value>(types.writer(for: Key.self), types.writer(for: Value.self))
    }
}

extension Set: WritableContainer where Element: Encodable {
    static func writer(in types: EncodableTypes) -> ValueWriter? {
        SetWriter<Element>(types.writer(for: Element.self))
    }
}

/// Writes the elements of a set: if equal values must have equal text, in the order of their text.
private final class SetWriter<Element: Hashable & Encodable>: ValueWriter, @unchecked Sendable {
    private let writer: Unmanaged<ValueWriter>?

    init(_ writer: Unmanaged<ValueWriter>?) { self.writer = writer }

    override func write(_ address: UnsafeRawPointer, _ tape: EncodingTape, _ token: UInt64) throws {
        try tape.unordered(address.assumingMemoryBound(to: Set<Element>.self).pointee) { element, index in
            try tape.element(element, at: index, by: writer, of: token)
        }
    }
}

/// Writes the keys and values of a dictionary as elements of an array: if equal values must have equal text, in the order of their text.
private final class PairsWriter<Key: Hashable & Encodable, Value: Encodable>: ValueWriter, @unchecked Sendable {
    private let keys: Unmanaged<ValueWriter>?
    private let values: Unmanaged<ValueWriter>?

    init(_ keys: Unmanaged<ValueWriter>?, _ values: Unmanaged<ValueWriter>?) {
        (self.keys, self.values) = (keys, values)
    }

    override func write(_ address: UnsafeRawPointer, _ tape: EncodingTape, _ token: UInt64) throws {
        try tape.unordered(address.assumingMemoryBound(to: [Key: Value].self).pointee) { pair, index in
            try tape.element(pair.key, at: 2 * index, by: keys, of: token)
            tape.out.reserve(128)
            tape.out.comma()
            try tape.element(pair.value, at: 2 * index + 1, by: values, of: token)
        }
    }
}

extension EncodingTape {
    /// Writes an array of elements, or of several at a time, that have no order.
    fileprivate func unordered<C: Collection>(_ elements: C, _ write: (C.Element, Int) throws -> Void) throws {
        let isCanonical = options.modelOptions.isCanonical
        var texts: [Range<Int>] = []
        openBracket("[")
        for (index, element) in elements.enumerated() {
            out.reserve(128)
            out.comma()
            let start = out.count
            try write(element, index)
            if isSorted || isCanonical { texts.append(start..<out.count) }
        }
        out.sortElements(texts, isCanonical: isCanonical)
        out.close("]")
    }

    fileprivate func element<T: Encodable>(
        _ value: T, at index: Int, by writer: Unmanaged<ValueWriter>?, of token: UInt64
    ) throws {
        try withUnsafePointer(to: value) { try encodePart(at: $0, by: writer, key: .index(index), of: token) }
    }
}

private final class DictionaryWriter<Value: Encodable>: ValueWriter, @unchecked Sendable {
    private let writer: Unmanaged<ValueWriter>?

    init(_ writer: Unmanaged<ValueWriter>?) { self.writer = writer }

    override func write(_ address: UnsafeRawPointer, _ tape: EncodingTape, _ token: UInt64) throws {
        let pairs = address.assumingMemoryBound(to: [String: Value].self).pointee
        tape.openBracket("{")
        if tape.isSorted {
            for pair in pairs.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                try write(pair.key, pair.value, tape, token)
            }
        } else {
            for pair in pairs { try write(pair.key, pair.value, tape, token) }
        }
        tape.out.close("}")
    }

    @inline(__always)
    private func write(_ key: String, _ value: Value, _ tape: EncodingTape, _ token: UInt64) throws {
        tape.out.reserve(128)
        tape.out.comma()
        tape.out.quoted(key)
        tape.out.reserve(64)
        tape.out.colon()
        try withUnsafePointer(to: key) { key in
            try withUnsafePointer(to: value) { value in
                try tape.encodePart(
                    at: value, by: writer, key: .name(key, isConverted: !tape.keepsKeys), of: token)
            }
        }
    }
}

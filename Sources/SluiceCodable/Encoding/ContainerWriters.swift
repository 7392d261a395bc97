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
        let writer = types.writer(for: Wrapped.self)
        let isScalar = writer?._withUnsafeGuaranteedRef { $0.isScalar } ?? false
        return ValueWriter(isScalar: isScalar) { address, tape, token in
            guard address.assumingMemoryBound(to: Wrapped?.self).pointee != nil else {
                return tape.out.literal("null")
            }
            // The value of an optional begins at the optional's address.
            if let writer { return try writer._withUnsafeGuaranteedRef { try $0.write(address, tape, token) } }
            try tape.encodeInner(token) {
                try tape.encode(at: address.assumingMemoryBound(to: Wrapped.self), by: nil, $0)
            }
        }
    }
}

extension Array: WritableContainer where Element: Encodable {
    static func writer(in types: EncodableTypes) -> ValueWriter? {
        // One plan for the whole array.
        if let model = Element.self as? any JSONModel.Type { return .plan(ofArraysOf: model) }
        let writer = types.writer(for: Element.self)
        let hasScalars = writer?._withUnsafeGuaranteedRef { $0.isScalar } ?? false
        return ValueWriter { address, tape, token in
            tape.openBracket("[")
            try address.assumingMemoryBound(to: [Element].self).pointee.withUnsafeBufferPointer { elements in
                for index in elements.indices {
                    let element = elements.baseAddress.unsafelyUnwrapped + index
                    tape.out.reserve(128)
                    tape.out.comma()
                    if hasScalars {
                        try writer?._withUnsafeGuaranteedRef {
                            try $0.write(UnsafeRawPointer(element), tape, token)
                        }
                    } else {
                        try tape.encodeInner(token, .index(index)) { try tape.encode(at: element, by: writer, $0) }
                    }
                }
            }
            tape.out.close("]")
        }
    }
}

extension Dictionary: WritableContainer where Key: Encodable, Value: Encodable {
    static func writer(in types: EncodableTypes) -> ValueWriter? {
        if Key.self == String.self { return [String: Value].textWriter(types.writer(for: Value.self)) }
        // The standard library encodes integers and convertible keys by way of their text, and all others as elements of an array.
        if Key.self is any CodingKeyRepresentable.Type { return nil }
        let (keys, values) = (types.writer(for: Key.self), types.writer(for: Value.self))
        return ValueWriter { address, tape, token in
            try tape.unordered(address.assumingMemoryBound(to: [Key: Value].self).pointee) { pair, index in
                try tape.element(pair.key, at: 2 * index, by: keys, of: token)
                tape.out.reserve(128)
                tape.out.comma()
                try tape.element(pair.value, at: 2 * index + 1, by: values, of: token)
            }
        }
    }
}

extension Set: WritableContainer where Element: Encodable {
    static func writer(in types: EncodableTypes) -> ValueWriter? {
        let writer = types.writer(for: Element.self)
        return ValueWriter { address, tape, token in
            try tape.unordered(address.assumingMemoryBound(to: Set<Element>.self).pointee) { element, index in
                try tape.element(element, at: index, by: writer, of: token)
            }
        }
    }
}

extension EncodingTape {
    /// Writes an array of elements, or of several at a time, that have no order: if equal values must have equal text, in the order of
    /// their text.
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
        try withUnsafePointer(to: value) { address in
            try encodeInner(token, .index(index)) { try encode(at: address, by: writer, $0) }
        }
    }
}

extension Dictionary where Key == String, Value: Encodable {
    fileprivate static func textWriter(_ writer: Unmanaged<ValueWriter>?) -> ValueWriter {
        ValueWriter { address, tape, token in
            let pairs = address.assumingMemoryBound(to: [String: Value].self).pointee
            tape.openBracket("{")
            if tape.isSorted {
                for pair in pairs.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                    try tape.member(pair.key, pair.value, by: writer, of: token)
                }
            } else {
                for pair in pairs { try tape.member(pair.key, pair.value, by: writer, of: token) }
            }
            tape.out.close("}")
        }
    }
}

extension EncodingTape {
    @inline(__always)
    fileprivate func member<T: Encodable>(
        _ key: String, _ value: T, by writer: Unmanaged<ValueWriter>?, of token: UInt64
    ) throws {
        out.reserve(128)
        out.comma()
        out.quoted(key)
        out.reserve(64)
        out.colon()
        try withUnsafePointer(to: key) { key in
            try withUnsafePointer(to: value) { value in
                try encodeInner(token, .name(key, isConverted: !keepsKeys)) {
                    try encode(at: value, by: writer, $0)
                }
            }
        }
    }
}

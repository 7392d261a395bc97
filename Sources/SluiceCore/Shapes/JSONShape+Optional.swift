// Optionals, and the forms of values without contents.

/// The form in which a value is written, if at all.
@usableFromInline
enum Presence {
    case value
    /// A nil. The null strategy of the encoder decides whether `null` is written.
    case missing
    /// An absent value, which is never written.
    case absent
    /// `null`, which is always written.
    case null
}

/// The test for nil in a value's memory.
package enum NilTest: UInt8 {
    /// The type has no nil.
    case never
    /// A tag byte, which is nonzero for nil.
    case tag
    /// The only byte of the value, which equals that of nil.
    case byte
    /// A word, which is zero for nil.
    case word
    /// A call of ``JSONShape/presence``.
    case closure
}

/// The memory of an optional's nil.
final class NilMemory {
    private let address: UnsafeMutableRawPointer

    init(_ address: UnsafeMutableRawPointer) { self.address = address }

    deinit { address.deallocate() }
}

extension JSONShape {
    /// Returns the shape of an optional: the shape of its payload, with nil as another value.
    ///
    /// The payload is at the start of its optional. If the payload's type has unused bit patterns, one of them represents nil
    /// and the optional has no other bytes. Otherwise a byte follows, which is 0 if the payload is present. (Swift's ABI,
    /// docs/ABI/TypeLayout.rst, "Single-Payload Enums".)
    @inlinable
    package static func optional<W>(_ payload: W.Type, of inner: JSONShape) -> JSONShape {
        let none = UnsafeMutablePointer<W?>.allocate(capacity: 1)
        none.initialize(to: nil)
        // The payload may be nil itself.
        let presence = inner.presence
        return optional(W?.self, of: inner, payloadSize: MemoryLayout<W>.size, none: none) { address in
            if case .none = address.assumingMemoryBound(to: W?.self).pointee { return .missing }
            return presence(address)
        }
    }

    @usableFromInline
    static func optional<T>(
        _ type: T.Type, of inner: JSONShape, payloadSize: Int, none: UnsafeMutableRawPointer,
        presence: @escaping (UnsafeRawPointer) -> Presence
    ) -> JSONShape {
        var layout = inner.layout.pointee
        layout.isOptional = true
        layout.size = MemoryLayout<T>.size
        layout.stride = MemoryLayout<T>.stride
        layout.none = UnsafeRawPointer(none)
        if MemoryLayout<T>.size > payloadSize {
            if layout.tagOffset < 0 { layout.tagOffset = payloadSize }
            layout.tagCount += 1
            precondition(none.load(fromByteOffset: payloadSize, as: UInt8.self) == 1, "optional layout")
        }
        layout.setNilTest(of: inner.layout.pointee, hasTag: MemoryLayout<T>.size > payloadSize, payloadSize)
        return JSONShape(
            optional: type, of: inner, layout, NilMemory(none),
            destroy: { $0.assumingMemoryBound(to: T.self).deinitialize(count: $1) }, presence: presence)
    }

    /// Creates the shape of an optional whose payload has another shape than its type.
    convenience init(optional shape: JSONShape, of inner: JSONShape) {
        var layout = inner.layout.pointee
        let own = shape.layout.pointee
        layout.isOptional = true
        (layout.size, layout.stride, layout.none) = (own.size, own.stride, own.none)
        (layout.tagOffset, layout.tagCount) = (own.tagOffset, own.tagCount)
        (layout.nilTest, layout.nilOffset) = (own.nilTest, own.nilOffset)
        self.init(
            optional: shape.type, of: inner, layout, shape.nilMemory, destroy: shape.destroy,
            presence: shape.presence)
    }
}

extension TypeLayout {
    /// Chooses the fastest test for an optional's nil. `none` must be set.
    mutating func setNilTest(of payload: TypeLayout, hasTag: Bool, _ payloadSize: Int) {
        guard let none else { return }
        if payload.nilTest != .never {
            nilTest = .closure
        } else if hasTag {
            (nilTest, nilOffset) = (.tag, payloadSize)
        } else if size == 1 {
            nilTest = .byte
        } else if kind == .string, size == 16, none.load(fromByteOffset: 8, as: UInt64.self) == 0 {
            // The word that holds the string's form, which is never zero for a string.
            (nilTest, nilOffset) = (.word, 8)
        } else if kind == .array || kind == .dictionary, size == 8, none.load(as: UInt64.self) == 0 {
            (nilTest, nilOffset) = (.word, 0)
        } else {
            nilTest = .closure
        }
    }
}

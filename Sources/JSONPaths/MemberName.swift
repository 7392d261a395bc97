/// The name of a member of an object, compared by its code units as RFC 8259 compares names.
///
/// Two strings are equal in Swift if they are canonically equivalent, such as "é" as one or two scalars. They are two names.
package struct MemberName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }
    package init(stringLiteral text: String) { self.text = text }

    package static func == (a: MemberName, b: MemberName) -> Bool { a.text.hasSameCodeUnits(as: b.text) }

    // The hash of a string is that of its normal form, so that an input could have many names with one hash.
    package func hash(into hasher: inout Hasher) { text.hashCodeUnits(into: &hasher) }
}

extension String {
    /// Whether two strings have the same code units. Canonically equivalent strings may differ.
    package func hasSameCodeUnits(as other: String) -> Bool {
        // The first comparison is fast for strings in ASCII, and most strings differ.
        guard self == other, utf8.count == other.utf8.count else { return false }
        return utf8.elementsEqual(other.utf8)
    }

    /// Adds the code units to a hash.
    package func hashCodeUnits(into hasher: inout Hasher) {
        let isHashed: Void? = utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in utf8 { hasher.combine(byte) } }
        hasher.combine(0xFF as UInt8)
    }
}

import CKernels

/// A position in the text of an array, from which the ends of elements are found without decoding them.
///
/// The position follows strings and brackets only. In text that is not well-formed, the ends may be wrong.
struct ArrayPosition {
    /// The nesting from the end of an element on.
    private var structure = sluice_structure()
    /// Whether the last byte before the position closes an element that is an object or array.
    private(set) var isAtEndOfElement = true

    /// The position after an element that is an object or array.
    static var afterElement: ArrayPosition { ArrayPosition() }

    private init() {}

    /// Creates the position after an element. Returns nil for a scalar.
    ///
    /// - Parameter last: The last byte of the element.
    init?(after last: UInt8) { if !last.isClosingBracket { return nil } }

    /// Whether the last byte before the position closes the array.
    var isAtEndOfArray: Bool { structure.depth < 0 }

    /// Advances over text, at most to the end of the array.
    ///
    /// - Parameter stopsAtElement: Whether to stop at the end of an element that is an object or array.
    /// - Returns: The number of bytes before the new position.
    mutating func advance(over text: UnsafeBufferPointer<UInt8>, stopsAtElement: Bool = false) -> Int {
        guard let start = text.baseAddress, !text.isEmpty else { return 0 }
        let count = sluice_advance(&structure, start, text.count, stopsAtElement)
        isAtEndOfElement =
            stopsAtElement && structure.depth == 0 && !structure.is_in_string && text[count - 1].isClosingBracket
        return count
    }
}

extension UInt8 {
    /// Whether the byte is a closing bracket.
    fileprivate var isClosingBracket: Bool { self == UInt8(ascii: "}") || self == UInt8(ascii: "]") }
}

/// Decides when a source reads an incomplete token again, whose bytes arrive in pieces.
///
/// A string is read when its closing quote or a fault has arrived, or when it is too long. Another short token is read with each piece,
/// and a long one when its length has doubled. So the time is linear, and the error of a short token is found with the byte at fault,
/// however the input is cut.
struct TokenWait {
    /// The token, if it is a string that was examined.
    private var string: OpenString?

    /// The length from which a token is not read with each piece.
    private static var longLength: Int { 1024 }

    /// Begins with the token that is open now.
    mutating func reset() { string = nil }

    /// Whether the token may end in a piece, or is at fault.
    ///
    /// - Parameters:
    ///   - first: The first byte of the token.
    ///   - isKey: Whether the token is a key, if it is a string.
    ///   - length: The length of the token with the piece.
    ///   - tried: The length at the last attempt to read the token.
    ///   - begun: The state before the piece, if the token is a string.
    @inline(__always)
    mutating func mayEnd(
        in piece: UnsafeBufferPointer<UInt8>, first: UInt8, isKey: Bool, length: Int, tried: Int,
        limits: JSONLimits,
        begun: @autoclosure () -> OpenString
    ) -> Bool {
        let isShort = tried < Self.longLength
        guard first == UInt8(ascii: "\"") else { return isShort || length >= tried * 2 }
        var string = self.string ?? begun()
        defer { self.string = string }
        // A key whose colon is missing.
        if string.hasEnded { return isShort || length >= tried * 2 }
        // A string or a key is refused with its first byte beyond the limit.
        if length > limits.maximumOpenLength(first, isKey: isKey)
            || isShort && length > (isKey ? limits.key : limits.string)
        {
            return true
        }
        if string.isFaulty, isShort { return true }
        return string.lengthToEndOrFault(of: piece) != nil
    }
}

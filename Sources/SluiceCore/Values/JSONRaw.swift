/// The verbatim text of one value, validated but not decoded: to be passed on, or decoded later.
public struct JSONRaw: Sendable, Hashable, CustomStringConvertible {
    /// The value's text, in UTF-8, from its first byte to its last.
    public let bytes: [UInt8]

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The value's text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

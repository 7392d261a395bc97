/// The verbatim JSON of one value, validated but not decoded, to forward or to decode later.
public struct JSONRaw: Sendable, Hashable, CustomStringConvertible {
    /// The JSON of the value in UTF-8, without white space around the value.
    public let bytes: [UInt8]

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The JSON of the value.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

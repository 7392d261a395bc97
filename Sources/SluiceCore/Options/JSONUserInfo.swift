/// Values that the caller of a decoder or encoder passes to hooks and transforms.
///
/// ```swift
/// extension CodingUserInfoKey {
///     static let baseURL = CodingUserInfoKey(rawValue: "baseURL")!
/// }
///
/// decoder.userInfo[.baseURL] = URL(string: "https://example.org")
///
/// // In `didDecode()`:
/// address = JSONUserInfo.current[.baseURL] as? URL
/// ```
///
/// `Decodable` and `Encodable` types have the same values in their decoder and encoder.
public enum JSONUserInfo {
    /// The values of the decoder or encoder that calls the current hook or transform; empty elsewhere.
    ///
    /// A test that calls a hook itself binds the values: `JSONUserInfo.$current.withValue([.baseURL: url]) { … }`.
    @TaskLocal public static var current: [CodingUserInfoKey: any Sendable] = [:]
}

extension JSONModelDecoder {
    /// Values for hooks, transforms and `Decodable` types. See ``JSONUserInfo``.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { options.userInfo }
        set { options.userInfo = newValue }
    }
}

extension JSONModelEncoder {
    /// Values for hooks, transforms and `Encodable` types. See ``JSONUserInfo``.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { options.userInfo }
        set { options.userInfo = newValue }
    }
}

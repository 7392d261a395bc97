import SluiceCore

extension JSONCase {
    /// A case with a value, whose type is that of the function which makes the case.
    @inlinable
    public static func of<Payload: JSONConvertible>(
        _ name: String, keys: [String] = [], _ make: @escaping (Payload) -> Model,
        read: @escaping (Model) -> Payload?
    ) -> JSONCase {
        JSONCase(name, keys: keys, payload: Payload.self, make: { make($0) }, read: read)
    }
}

import SluiceCore

// Cases of enums whose plans are written by hand, one line each. The value of a case is found by reflection, so that `read` and `matches`
// need not be written. Where many values are read, as in fuzz tests, `read` is a closure.
extension JSONCase {
    /// A case with a value, which a closure reads.
    @inlinable
    public static func of<Payload: JSONConvertible>(
        _ name: String, keys: [String] = [], _ make: @escaping (Payload) -> Model,
        read: @escaping (Model) -> Payload?
    ) -> JSONCase {
        JSONCase(name, keys: keys, payload: Payload.self, make: { make($0) }, read: read)
    }

    /// A case with a value: `.of("circle", Self.circle)`. The label is the name of the case in Swift, if the JSON has another.
    public static func of<Payload: JSONConvertible>(
        _ name: String, keys: [String] = [], _ make: @escaping (Payload) -> Model, label: String? = nil
    ) -> JSONCase {
        JSONCase(name, keys: keys, payload: Payload.self, make: make, read: Self.reader(of: label ?? name))
    }

    /// A case whose value is JSON in a string.
    public static func embedded<Payload: JSONConvertible>(
        _ name: String, _ make: @escaping (Payload) -> Model, as form: JSONEmbedding = .string
    ) -> JSONCase { JSONCase(name, embedded: Payload.self, as: form, make: make, read: Self.reader(of: name)) }

    /// A case without a value: `.of("red", .red)`.
    public static func of(_ name: String, keys: [String] = [], _ value: Model) -> JSONCase {
        nonisolated(unsafe) let value = value
        let text = String(describing: value)
        return JSONCase(name, keys: keys, value: value) { String(describing: $0) == text }
    }

    /// A closure that reads the value of a case by reflection.
    public static func reader<Payload>(of label: String) -> (Model) -> Payload? {
        { model in
            guard let part = Mirror(reflecting: model).children.first, part.label == label else { return nil }
            return part.value as? Payload
        }
    }
}

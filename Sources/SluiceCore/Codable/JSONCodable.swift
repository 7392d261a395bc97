/// A `Decodable` value where a decoder or encoder of models expects a ``JSONConvertible`` type.
///
/// Most functions have an overload for `Decodable` types. This type serves for the others, and inside of containers:
///
/// ```swift
/// var feed = decoder.feed(of: JSONCodable<Row>.self, framing: .lines)
/// for row in try feed.push(chunk) { print(row.value) }
/// ```
public struct JSONCodable<Value: Decodable> {
    /// The value.
    public var value: Value

    /// Creates a value that is encoded by its conformance to `Encodable`.
    public init(_ value: Value) { self.value = value }
}

extension JSONCodable: Sendable where Value: Sendable {}
extension JSONCodable: Equatable where Value: Equatable {}
extension JSONCodable: Hashable where Value: Hashable {}

extension JSONCodable: JSONConvertible {
    /// The shape of a value that the type's initializer decodes.
    public static var jsonShape: JSONShape { .codable(Value.self, in: Self.self) }
}

extension JSONShape {
    /// Returns the shape of a value that the type's initializer decodes.
    ///
    /// - Parameter type: The type in memory: the type of the value, or a type with the value as its only property.
    static func codable<T: Decodable, Stored>(_ value: T.Type, in type: Stored.Type) -> JSONShape {
        wrapped(type, around: JSONShape.of(JSONRaw.self), isFixed: false, needsWhole: true) {
            json, target, context, _ in
            let json = json.assumingMemoryBound(to: JSONRaw.self).move()
            do {
                let value = try json.withContent { content in
                    Result { try CodableDecoding.engine(context()).decode(value, content) }
                }.get()
                target.assumingMemoryBound(to: T.self).initialize(to: value)
            } catch {
                throw RefusedPart(issue: CodableDecoding.issue(of: error))
            }
        } takeApart: { value, json, context in
            let value = value.assumingMemoryBound(to: T.self).pointee
            guard let encodable = value as? any Encodable else {
                throw JSONModelError.ConversionFailure.invalid("\(T.self) is not Encodable")
            }
            let bytes = try encodedText(of: encodable, in: context())
            json.assumingMemoryBound(to: JSONRaw.self).initialize(to: try JSONRaw(bytes))
        }
    }

    /// Encodes a value of any type in the place and with the options of a writer.
    private static func encodedText(of value: any Encodable, in context: any EncodingContext) throws -> [UInt8] {
        guard let context = context as? WritingContext else {
            preconditionFailure("Only a writer writes values of models.")
        }
        do {
            return try context.options.encodedByAdapter(value, depth: context.depth)
        } catch {
            throw NestedFailure(error: error)
        }
    }
}

// MARK: Fields

extension _JSONFieldMaking {
    /// Creates a field of a type that is only `Decodable`. The type's initializer decodes the value, and its conformance to
    /// `Encodable` encodes the value.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(_field: JSONField(keyPath, name: name, key: key, or: or, of: .codable(V.self, in: V.self)))
    }

    /// Creates a field of an optional type that is only `Decodable`. A missing key is nil.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V?>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(
            _field: JSONField(
                keyPath, name: name, key: key, or: or,
                of: .optional(V.self, of: .codable(V.self, in: V.self))))
    }

    /// Creates a field of a type that is only `Decodable`, with a default.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) {
        self.init(
            _field: JSONField(
                keyPath, name: name, key: key, or: or, of: .codable(V.self, in: V.self), default: `default`))
    }
}

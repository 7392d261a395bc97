// `Codable` types without a plan as values of models.

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
                throw PartFailure(issue: CodableDecoding.issue(of: error))
            }
        } makeEncodedForm: { value, json, context in
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

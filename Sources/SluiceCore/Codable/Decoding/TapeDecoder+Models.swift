// Models with plans inside of `Decodable` types.

extension TapeDecoder {
    /// Decodes a value by the shape of its type.
    ///
    /// - Throws: `DecodingError`
    package func decodeByShape<T: JSONConvertible>(_ type: T.Type) throws -> T {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let models = options.models
        do throws(JSONModelError) {
            try models.withRoot(JSONShape.unretained(of: type), JSONPath()) { layout, _ throws(JSONModelError) in
                var driver = Driver(
                    slot: ValueSlot(address: memory, layout: layout), table: nil,
                    options: .passUnretained(models.sharedOptions), emit: nil)
                let value = Recording(RecordingStorage(tape), at: index)
                _ = try Replay.run(value, to: &driver, limits: models.limits)
            }
        } catch {
            throw decodingError(error, type)
        }
        return memory.move()
    }

    /// Returns the error of a model with the path of the value.
    private func decodingError(_ error: JSONModelError, _ type: Any.Type) -> DecodingError {
        let issue = error.issues[0]
        var path = codingPath
        for component in issue.path.components {
            switch component {
            case .key(let key): path.append(AnyCodingKey(stringValue: key))
            case .index(let index): path.append(AnyCodingKey(index: index))
            case .every, .everyMember: break
            }
        }
        let context = DecodingError.Context(codingPath: path, debugDescription: issue.description)
        return switch issue.kind {
        case .missingKeys(let keys): .keyNotFound(AnyCodingKey(stringValue: keys[0]), context)
        case .typeMismatch: .typeMismatch(type, context)
        case .nullValue: .valueNotFound(type, context)
        default: .dataCorrupted(context)
        }
    }
}

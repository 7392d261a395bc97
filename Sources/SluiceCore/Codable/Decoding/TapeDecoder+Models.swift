// Models with plans inside of `Decodable` types.

extension TapeDecoder {
    /// Decodes a value by the shape of its type.
    ///
    /// - Throws: `DecodingError`
    package func decodeByShape<T: JSONConvertible>(_ type: T.Type) throws -> T {
        let content = JSONInputContent.tree(index) { [tape] index, _ in tape.node(index) }
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        do throws(JSONModelError) {
            try options.models.decode(JSONShape.unretained(of: type), content, at: JSONPath(), into: memory)
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

extension TapeView {
    /// Returns a value as a node of a tree.
    func node(_ index: Int) -> TreeNode<Int> {
        let entry = self[index]
        switch entry.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .string, .key, .hiddenKey: return .string(string(entry))
        case .number: return .number(JSONNumber(number(index)))
        // JSON has no such number. The driver refuses the string.
        case .nonFinite: return .string("\(nonFinite(index))")
        case .array:
            var elements: [Int] = []
            elements.reserveCapacity(Int(entry.count))
            var at = index + 1
            while at < entry.value {
                elements.append(at)
                at = next(at)
            }
            return .array(elements)
        case .object:
            var members: [(key: String, value: Int)] = []
            members.reserveCapacity(Int(entry.count))
            forEachKey(of: index) { members.append((string(self[$0]), Self.value(ofKey: $0))) }
            return .object(members)
        }
    }
}

/// The JSON of a document.
indirect enum JSON {
    struct Member {
        var key: String
        var value: JSON
        init(_ key: String, _ value: JSON) { (self.key, self.value) = (key, value) }
    }

    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\(JSON.string($0.key).text): \($0.value.text)" }.joined(separator: ", "))}"
        }
    }

    mutating func set(_ value: JSON, at path: some Collection<Step>) {
        switch path.first {
        case nil: self = value
        case .key(let key):
            var members = if case .object(let members) = self { members } else { [JSON.Member]() }
            let index = members.firstIndex { $0.key == key } ?? members.endIndex
            if index == members.endIndex { members.append(.init(key, .null)) }
            members[index].value.set(value, at: path.dropFirst())
            self = .object(members)
        case .index(let index):
            var elements = if case .array(let elements) = self { elements } else { [JSON]() }
            while elements.count <= index { elements.append(.null) }
            elements[index].set(value, at: path.dropFirst())
            self = .array(elements)
        }
    }

    /// Changes a random value inside.
    mutating func change(_ generator: inout Generator) {
        switch self {
        case .array(var elements) where !elements.isEmpty && generator.chance(70):
            elements[Int.random(in: 0..<elements.count, using: &generator)].change(&generator)
            self = .array(elements)
        case .object(var members) where !members.isEmpty && generator.chance(85):
            let index = Int.random(in: 0..<members.count, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: members.remove(at: index)
            case 1: members.append(.init("unknown\(members.count)", .number("1")))
            case 2: members[index].value = .null
            case 3: members.swapAt(0, index)
            default: members[index].value.change(&generator)
            }
            self = .object(members)
        default:
            self = generator.one(of: [
                .null, .bool(true), .number("1"), .number("-1"), .number("1.5"), .number("300"), .string("x"),
                .string("1"),
                .array([]), .array([.number("1")]), .object([]), .object([.init("a", .number("1"))]),
            ])
        }
    }
}

extension Generator {
    mutating func document(of form: Form, depth: Int = 0) -> JSON {
        switch form {
        case .scalar("Bool"): .bool(chance(50))
        case .scalar("String"):
            .string(one(of: ["", "a", "b\u{e9}", "\"\\", "a string of more than fifteen bytes"]))
        case .scalar("Double"), .scalar("Float"): .number(one(of: ["1.5", "0", "-2.25", "3"]))
        case .scalar("UUID"): .string("DEADBEEF-0000-4000-8000-00000000000\(Int.random(in: 0..<9, using: &self))")
        case .scalar("JSONValue"):
            one(of: [.null, .number("1"), .array([.string("a")]), .object([.init("b", .bool(true))])])
        case .scalar: .number(one(of: ["0", "1", "2", "12", "100", "4.0"]))
        case .optional(let form): chance(25) ? .null : document(of: form, depth: depth)
        case .array(let form), .set(let form):
            .array(
                (0..<Int.random(in: 0...(depth > 3 ? 0 : 2), using: &self)).map { _ in
                    document(of: form, depth: depth + 1)
                })
        case .dictionary(let form):
            .object(
                ["k", "a b"].prefix(Int.random(in: 0...(depth > 3 ? 0 : 2), using: &self)).map {
                    .init($0, document(of: form, depth: depth + 1))
                })
        case .declared(let type, let arguments): document(of: type, arguments.first, depth + 1)
        case .parameter: .null
        }
    }

    private mutating func document(of type: Declaration, _ argument: Form?, _ depth: Int) -> JSON {
        switch type.kind {
        case .raw:
            type.fallback != nil && chance(20) ? .string("none of these") : one(of: type.rawValues).json
        case .union: document(of: one(of: type.cases), in: type, depth)
        default: object(of: type.all, argument, depth, extra: !type.rejectsUnknown)
        }
    }

    private mutating func object(of properties: [Property], _ argument: Form?, _ depth: Int, extra: Bool) -> JSON {
        var result = JSON.object([])
        for property in properties {
            if property.place == .flattened {
                if property.form.isOptional, chance(30) { continue }
                guard case .object(let members) = document(of: property.form.wrapped, depth: depth) else {
                    continue
                }
                for member in members { result.set(member.value, at: [.key(member.key)]) }
            } else if property.place == .extra {
                if case .object(let members) = document(of: property.form) {
                    for member in members { result.set(member.value, at: [.key("other " + member.key)]) }
                }
            } else if !property.paths.isEmpty, !(property.value != nil || property.form.isOptional) || chance(75) {
                let value = codedDocument(of: property, argument, depth)
                for path in chance(80) ? [one(of: property.paths)] : property.paths { result.set(value, at: path) }
            }
        }
        if extra, chance(20) { result.set(.array([.number("1")]), at: [.key("unknown")]) }
        if case .object(let members) = result { result = .object(members.shuffled(using: &self)) }
        return result
    }

    private mutating func codedDocument(of property: Property, _ argument: Form?, _ depth: Int) -> JSON {
        let value = document(of: property.form.applied(to: argument), depth: depth)
        return switch property.coding?.attribute {
        case "@JSONEmbedded": .string(value.text)
        case "@JSONCoercion(.lenient)" where chance(50): .string(value.text)
        default: value
        }
    }

    private mutating func document(of item: Case, in type: Declaration, _ depth: Int) -> JSON {
        let name = JSON.string(item.name == type.fallback ? "none of these" : one(of: item.names))
        guard case .string(let key) = name else { return name }
        var payload: JSON?
        if let form = item.form { payload = document(of: form, depth: depth) }
        if !item.labels.isEmpty { payload = object(of: item.labels, nil, depth, extra: true) }
        switch type.tagging {
        case .untagged: return payload ?? name
        case .external: return payload.map { .object([.init(key, $0)]) } ?? name
        case .internal(let tag):
            var members: [JSON.Member] = if case .object(let members)? = payload { members } else { [] }
            members.insert(.init(tag, name), at: Int.random(in: 0...members.count, using: &self))
            return .object(members)
        case .adjacent(let tag, let content):
            let members: [JSON.Member] = [.init(tag, name)] + (payload.map { [.init(content, $0)] } ?? [])
            return .object(members.shuffled(using: &self))
        }
    }
}

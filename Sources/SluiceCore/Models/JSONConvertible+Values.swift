// Values of any JSON as types of properties.

extension JSONValue: JSONConvertible {
    public static var jsonShape: JSONShape {
        let shape = JSONShape(Self.self, kind: .value, expectation: "a value")
        let array = JSONShape.sequence(Self.self, elementShape: shape) { .array(Array(taking: $0)) }
        let object = JSONShape.members(
            Self.self, valueShape: shape, makeKey: { $0 }, keyText: { $0 },
            make: { .object(JSONObject(taking: $0)) })
        shape.layout.pointee.arrayForm = UnsafePointer(array.layout)
        shape.layout.pointee.objectForm = UnsafePointer(object.layout)
        shape.members = MemberAccess(
            Self.self, open: { if $0.object == nil { $0 = .object([:]) } }, key: { $0 },
            load: { value, key in value[key] },
            store: { value, key, member in
                guard case .object(var members) = value else { return }
                // `members` is the only reference to the storage, so that the change does not copy the object.
                value = .null
                members[key] = member
                value = .object(members)
            })
        shape.elements = ElementAccess(
            Self.self, elements: { $0.array }, make: { .array([]) },
            append: { value, element in
                guard case .array(var elements) = value else { return }
                value = .null
                elements.append(element)
                value = .array(elements)
            })
        // The layouts refer to one another by address, so the shapes are retained for the life of the process.
        _ = Unmanaged.passRetained(array)
        _ = Unmanaged.passRetained(object)
        return shape
    }
}

extension JSONObject: JSONConvertible {
    /// The shape of any object.
    public static var jsonShape: JSONShape {
        let shape = JSONShape.members(
            Self.self, valueShape: JSONShape.of(JSONValue.self), makeKey: { $0 }, keyText: { $0 },
            insert: { object, key, value in object[key] = value }, make: { JSONObject(taking: $0) })
        shape.gather = { object in
            ElementBuffer(copying: object.assumingMemoryBound(to: Self.self).pointee) { ($0.key, $0.value) }
        }
        return shape.updating(
            MemberAccess(
                Self.self, key: { $0 }, load: { $0[$1] }, store: { object, key, value in object[key] = value }))
    }
}

extension JSONNumber: JSONConvertible {
    /// The shape of a number, which keeps the digits of the JSON.
    public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a number") { scalar in
            guard case .number(let token) = scalar.content else { throw JSONModelError.ConversionFailure.mismatch }
            return JSONNumber(token)
        } write: {
            .number($0)
        }
    }
}

extension JSONRaw: JSONConvertible {
    public static var jsonShape: JSONShape { JSONShape(Self.self, kind: .raw, expectation: "a value") }
}

extension JSONPresence: JSONConvertible where Value: JSONConvertible {
    public static var jsonShape: JSONShape {
        let shape = JSONShape.wrapped(Self.self, around: JSONShape.of(Value.self)) { value, target, _, _ in
            let value = value.assumingMemoryBound(to: Value.self).move()
            target.assumingMemoryBound(to: Self.self).initialize(to: .value(value))
        } takeApart: { field, value, _ in
            guard case .value(let inner) = field.assumingMemoryBound(to: Self.self).pointee else { return }
            value.assumingMemoryBound(to: Value.self).initialize(to: inner)
        }
        let inner = JSONShape.of(Value.self).presence
        shape.setPresence { address in
            switch address.assumingMemoryBound(to: Self.self).pointee {
            case .absent: return .absent
            case .null: return .null
            case .value(let value):
                return inner.map { inner in withUnsafePointer(to: value) { inner($0) } } ?? .value
            }
        }
        shape.convertNull = { $0.assumingMemoryBound(to: Self.self).initialize(to: .null) }
        shape.makeAbsent = { $0.assumingMemoryBound(to: Self.self).initialize(to: .absent) }
        return shape
    }
}

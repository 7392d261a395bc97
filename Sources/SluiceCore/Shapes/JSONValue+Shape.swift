// Values of any JSON as types of properties.

extension JSONValue: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        let shape = JSONShape(Self.self, kind: .value)
        let array = JSONShape.sequence(
            Self.self, elementShape: shape, make: { .array(Array(taking: $0)) },
            elements: { value in
                withUnsafePointer(to: value.assumingMemoryBound(to: Self.self).pointee.array ?? []) {
                    ElementBuffer(borrowing: $0)
                }
            })
        let object = JSONShape.members(
            Self.self, valueShape: shape, keys: .same,
            make: { $0.withOneChunk { .object(JSONObject(taking: $0)) } },
            elements: { value in
                ElementBuffer(copying: value.assumingMemoryBound(to: Self.self).pointee.object ?? [:]) {
                    ($0.key, $0.value)
                }
            })
        shape.layout.pointee.arrayContents = LayoutReference(array.layout)
        shape.layout.pointee.contents = LayoutReference(object.layout)
        // The layouts refer to each other by address, so the shapes are retained for the life of the process.
        _ = Unmanaged.passRetained(array)
        _ = Unmanaged.passRetained(object)
        return shape
    }
}

extension JSONObject: JSONConvertible {
    /// The shape of any object.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        JSONShape.members(
            Self.self, valueShape: JSONShape.of(JSONValue.self), keys: .same,
            access: MemberAccess(
                Self.self, key: { MemberName($0) }, load: { $0[$1.text] },
                store: { object, key, value in object[key.text] = value }),
            insert: { value, key, object in
                object.assumingMemoryBound(to: Self.self).pointee[key] =
                    value.assumingMemoryBound(to: JSONValue.self).move()
                return true
            },
            make: { $0.withOneChunk { JSONObject(taking: $0) } },
            elements: { object in
                ElementBuffer(copying: object.assumingMemoryBound(to: Self.self).pointee) { ($0.key, $0.value) }
            })
    }
}

extension JSONNumber: JSONConvertible {
    /// The shape of a number, which keeps the digits of the JSON.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a number") { scalar in
            guard case .number(let token) = scalar.content else { throw JSONModelError.ConversionFailure.mismatch }
            return JSONNumber(token)
        } write: {
            .number($0)
        }
        .schema(["type": "number"])
    }
}

extension JSONRaw: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        JSONShape(Self.self, kind: .raw)
    }
}

extension JSONPresence: JSONConvertible where Value: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        let inner = JSONShape.of(Value.self)
        return .converted(
            Self.self, around: inner,
            nullValues: NullValues(
                makeNull: { $0.assumingMemoryBound(to: Self.self).initialize(to: .null) },
                makeAbsent: { $0.assumingMemoryBound(to: Self.self).initialize(to: .absent) }),
            presence: { address in
                switch address.assumingMemoryBound(to: Self.self).pointee {
                case .absent: .absent
                case .null: .null
                case .value(let value): withUnsafePointer(to: value) { inner.presence($0) }
                }
            },
            convert: { value, target, _, _ in
                let value = value.assumingMemoryBound(to: Value.self).move()
                target.assumingMemoryBound(to: Self.self).initialize(to: .value(value))
            },
            makeEncodedForm: { field, value in
                guard case .value(let inner) = field.assumingMemoryBound(to: Self.self).pointee else { return }
                value.assumingMemoryBound(to: Value.self).initialize(to: inner)
            })
    }
}

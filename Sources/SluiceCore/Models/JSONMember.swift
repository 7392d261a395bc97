/// A member of an object: a key and its value.
///
/// ```swift
/// try decoder.forEach(JSONMember<User>.self, in: .file("users.json"), at: "users.*") { member in
///     print(member.key, member.value.name)
/// }
/// ```
///
/// Members are the elements at a path that ends with `.*`: in a stream, one at a time, and in a property of a model, such as
/// `@JSONKey("users.*") var users: [JSONMember<User>]`, in their order. At any other location, decoding throws an error. All members
/// of an object are elements, including those with a duplicate key.
///
/// A member is encoded as its value. A property with a path that ends with `.*` cannot be encoded unless the property is empty.
public struct JSONMember<Value: JSONConvertible>: JSONConvertible {
    /// The key, without escapes.
    public var key: String
    /// The value.
    public var value: Value

    /// Creates a member.
    public init(key: String, value: Value) { (self.key, self.value) = (key, value) }

    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        let inner = JSONShape.of(Value.self)
        // The value of an optional type may be nil, which has no position.
        let position = inner.payload == nil ? inner.positionOffset : nil
        let conversion = ConversionWitness(
            inner: inner, buffersValue: false, nullValues: nil,
            positionOffset: position.flatMap { position in
                MemoryLayout<Self>.offset(of: \.value).map { $0 + position }
            }, takesKey: true
        ) { value, target, _, key in
            let value = value.assumingMemoryBound(to: Value.self).move()
            guard let key else { throw PartFailure(.invalidPlan(JSONPath.memberPathReason)) }
            target.initializeMemory(as: Self.self, to: Self(key: key, value: value))
        } makeEncodedForm: { member, value in
            let member = member.assumingMemoryBound(to: Self.self)
            value.initializeMemory(as: Value.self, to: member.pointee.value)
        }
        return JSONShape(Self.self, .conversion(conversion))
    }
}

extension JSONMember: Sendable where Value: Sendable {}
extension JSONMember: Equatable where Value: Equatable {}
extension JSONMember: Hashable where Value: Hashable {}

extension JSONPath {
    /// The reason why a member cannot be decoded at a path or location.
    static var memberPathReason: String { "a JSONMember is at a path that ends with '.*', such as 'users.*'" }
}

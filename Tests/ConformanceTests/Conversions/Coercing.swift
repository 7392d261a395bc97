@testable import SluiceCore

/// What a value becomes under a coercion.
func coerce<T: JSONConvertible>(_ value: JSONValue, to type: T.Type = T.self, _ coercion: JSONCoercion) throws -> T
{
    let shape = JSONShape.of(T.self)
    let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
    defer { memory.deallocate() }
    var text = value.string ?? value.number?.description ?? ""
    try text.withUTF8 { bytes in
        let content: JSONScalar.Content =
            if value.string != nil {
                .string(bytes)
            } else if value.number != nil {
                .number(NumberToken(checked: bytes.baseAddress!, count: bytes.count))
            } else {
                .bool(value.bool!)
            }
        try shape.fill(memory, with: JSONScalar(content: content), coercion: coercion)
    }
    return memory.move()
}

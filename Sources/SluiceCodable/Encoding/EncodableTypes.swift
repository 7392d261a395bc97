import SluiceCore

/// The writers of types, by type.
///
/// A look-up in the table replaces the casts by which an encoder would determine whether a value is an array, a dictionary, a date
/// or another value with a form of its own.
package final class EncodableTypes: Sendable {
    private let writers = TypeTable<ValueWriter>(capacity: 256)
    /// The entry of the types that encode themselves.
    private let none = ValueWriter { _, _, _ in }
    /// Returns the writer of a type that this kind of encoder treats differently; nil for other types.
    private let special: @Sendable (any Encodable.Type) -> ValueWriter?

    /// Creates a table for a kind of encoder. Tables are never released.
    ///
    /// - Parameter special: Returns the writers of types that this kind of encoder writes in its own way.
    init(special: @escaping @Sendable (any Encodable.Type) -> ValueWriter?) { self.special = special }

    /// Creates the table of encoders like Foundation's `JSONEncoder`, in which only models have plans. Any JSON is written with all digits
    /// and with its own keys.
    ///
    /// - Parameter foundation: Returns a function that writes the values of a type; nil for types that encode themselves.
    package convenience init(
        foundation: @escaping @Sendable (any Encodable.Type) -> ((UnsafeRawPointer, EncodedValue) throws -> Void)?
    ) {
        self.init { type in
            if let write = foundation(type) {
                return ValueWriter { address, tape, token in try write(address, EncodedValue(tape, token)) }
            }
            if type == JSONValue.self { return .plan(of: JSONValue.self) }
            return (type as? any JSONModel.Type).map { .plan(of: $0) }
        }
    }

    /// Returns the writer of a type; nil if values encode themselves.
    @inline(__always)
    func writer<T: Encodable>(for type: T.Type) -> Unmanaged<ValueWriter>? {
        let writer = writers[type] ?? insertWriter(for: type)
        return writer.toOpaque() == Unmanaged.passUnretained(none).toOpaque() ? nil : writer
    }

    @inline(never)
    private func insertWriter<T: Encodable>(for type: T.Type) -> Unmanaged<ValueWriter> {
        writers.insert(make(type) ?? none, for: type)
    }

    private func make<T: Encodable>(_ type: T.Type) -> ValueWriter? {
        if let scalar = ScalarWriters.writer(for: type) { return scalar }
        if let special = special(type) { return special }
        return (type as? any WritableContainer.Type)?.writer(in: self)
    }
}

// Unchecked because the closures capture generic types. All of what they capture is immutable.
/// Writes the values of a type that does not encode itself.
final class ValueWriter: @unchecked Sendable {
    typealias Function = (_ address: UnsafeRawPointer, _ tape: EncodingTape, _ token: UInt64) throws -> Void

    /// Whether the values are scalars that are never errors.
    let isScalar: Bool
    /// Writes the value at an address. The node of the token is empty and current.
    let write: Function

    init(isScalar: Bool = false, _ write: @escaping Function) {
        self.isScalar = isScalar
        self.write = write
    }
}

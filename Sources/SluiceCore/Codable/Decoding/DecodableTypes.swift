/// The ways in which types are decoded, by type.
///
/// A type is examined once. Later a look-up takes nanoseconds, and a dynamic cast takes ten times as long.
package final class DecodableTypes: Sendable {
    /// The way in which a type is decoded.
    // Unchecked because the closure captures generic types, which are not formally `Sendable`.
    final class Method: @unchecked Sendable {
        /// Decodes the value to uninitialized memory. Nil for a type that is decoded by its initializer.
        let decode: ((TapeDecoder, UnsafeMutableRawPointer) throws -> Void)?

        init(_ decode: ((TapeDecoder, UnsafeMutableRawPointer) throws -> Void)?) { self.decode = decode }
    }

    /// Makes the method of a type with rules of its own.
    package typealias Rule = @Sendable (_ type: any Decodable.Type) -> (
        (TapeDecoder, UnsafeMutableRawPointer) throws -> Void
    )?

    private let methods = AddressTable(capacity: 256)
    private let rule: Rule

    /// - Parameter rule: Returns the decoding function of a type with rules of its own, or nil.
    package init(_ rule: @escaping Rule) { self.rule = rule }

    /// Returns the method of a type. Methods are never released.
    @inline(__always)
    func method<T: Decodable>(of type: T.Type) -> Unmanaged<Method> {
        if let known = methods[UInt(bitPattern: ObjectIdentifier(type))] { return .fromOpaque(known) }
        return make(type)
    }

    @inline(never)
    private func make<T: Decodable>(_ type: T.Type) -> Unmanaged<Method> {
        let made = Unmanaged.passRetained(Method(rule(type) ?? Self.standardRule(type)))
        let kept = methods.insert(made.toOpaque(), for: UInt(bitPattern: ObjectIdentifier(type)))
        if kept != UnsafeRawPointer(made.toOpaque()) { made.release() }
        return .fromOpaque(kept)
    }

    /// The function of a container or a scalar, which the initializers of the standard library decode more slowly.
    private static func standardRule(
        _ type: any Decodable.Type
    ) -> ((TapeDecoder, UnsafeMutableRawPointer) throws -> Void)? {
        guard let type = type as? any TapeDecodable.Type else { return nil }
        return function(of: type)
    }

    private static func function<T: TapeDecodable>(
        of type: T.Type
    ) -> (TapeDecoder, UnsafeMutableRawPointer) throws -> Void {
        { decoder, target in target.initializeMemory(as: T.self, to: try T(tape: decoder)) }
    }
}

// MARK: Values of any type

extension TapeDecoder {
    /// Decodes the value of a key.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, _ index: Int, _ key: some CodingKey) throws -> T {
        try withNested(index, key) { try $0.decodeSelf(type) }
    }

    /// Decodes an element.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, _ index: Int, at position: Int) throws -> T {
        try withElement(index, at: position) { try $0.decodeSelf(type) }
    }

    /// Decodes the value of this decoder.
    @inline(__always)
    package func decodeSelf<T: Decodable>(_ type: T.Type) throws -> T {
        try options.types.method(of: type)._withUnsafeGuaranteedRef { method in
            // The type may be a subclass of `T`.
            guard let decode = method.decode else { return try type.init(from: self) }
            return try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
                let target = memory.baseAddress.unsafelyUnwrapped
                try decode(self, target)
                return target.move()
            }
        }
    }
}

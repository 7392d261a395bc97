import SluiceCore

/// The writers of scalars, and of arrays that have no element of another type.
enum ScalarWriters {
    /// Returns the writer of a scalar type; nil for other types.
    static func writer(for type: any Encodable.Type) -> ValueWriter? { writers[ObjectIdentifier(type)] }

    private static let writers: [ObjectIdentifier: ValueWriter] = {
        var writers: [ObjectIdentifier: ValueWriter] = [:]
        func add<T: Encodable>(_ type: T.Type, _ write: @escaping (inout OutputBuffer, T) -> Void) {
            writers[ObjectIdentifier(type)] = ValueWriter(isScalar: true) { address, tape, _ in
                tape.out.reserve(64)
                write(&tape.out, address.assumingMemoryBound(to: T.self).pointee)
            }
        }
        func addInteger<T: FixedWidthInteger & Encodable>(_ type: T.Type) {
            add(type) { $0.integer($1) }
            writers[ObjectIdentifier([T].self)] = ValueWriter { address, tape, _ in
                let values = address.assumingMemoryBound(to: [T].self).pointee
                tape.array(values) { value, _ in tape.out.integer(value) }
            }
        }
        add(Bool.self) { $0.bool($1) }
        add(String.self) { $0.quoted($1) }
        addInteger(Int.self)
        addInteger(Int8.self)
        addInteger(Int16.self)
        addInteger(Int32.self)
        addInteger(Int64.self)
        addInteger(Int128.self)
        addInteger(UInt.self)
        addInteger(UInt8.self)
        addInteger(UInt16.self)
        addInteger(UInt32.self)
        addInteger(UInt64.self)
        addInteger(UInt128.self)
        writers[ObjectIdentifier(Double.self)] = ValueWriter { address, tape, token in
            try tape.write(address.assumingMemoryBound(to: Double.self).pointee, token)
        }
        writers[ObjectIdentifier(Float.self)] = ValueWriter { address, tape, token in
            try tape.write(address.assumingMemoryBound(to: Float.self).pointee, token)
        }
        writers[ObjectIdentifier([Double].self)] = ValueWriter { address, tape, token in
            try tape.array(address.assumingMemoryBound(to: [Double].self).pointee) { try tape.write($0, token, $1) }
        }
        writers[ObjectIdentifier([Float].self)] = ValueWriter { address, tape, token in
            try tape.array(address.assumingMemoryBound(to: [Float].self).pointee) { try tape.write($0, token, $1) }
        }
        writers[ObjectIdentifier([String].self)] = ValueWriter { address, tape, _ in
            tape.array(address.assumingMemoryBound(to: [String].self).pointee) { text, _ in tape.out.quoted(text) }
        }
        return writers
    }()
}

extension EncodingTape {
    @inline(__always)
    fileprivate func write(_ value: Double, _ token: UInt64, _ index: Int? = nil) throws {
        out.reserve(64)
        if value.isFinite { return out.double(value) }
        try writeNonConforming(value, token, index)
    }

    @inline(__always)
    fileprivate func write(_ value: Float, _ token: UInt64, _ index: Int? = nil) throws {
        out.reserve(64)
        if value.isFinite { return out.float(value) }
        try writeNonConforming(value, token, index)
    }

    @inline(never)
    private func writeNonConforming(_ value: some BinaryFloatingPoint, _ token: UInt64, _ index: Int?) throws {
        out.quoted(orNull: try nonConforming(value, token, index.map { AnyCodingKey(index: $0) }))
    }
}

/// The encoder of a value on a tape, which is also the container of a single value.
struct TapeEncoder: Encoder {
    let tape: EncodingTape
    let token: UInt64

    @inline(__always)
    init(_ tape: EncodingTape, _ token: UInt64) {
        self.tape = tape
        self.token = token
    }

    var codingPath: [any CodingKey] { tape.path(of: token) }

    var userInfo: [CodingUserInfoKey: Any] { tape.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tape.openContainer(token, .object)
        return tape.keyedContainer(token)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tape.openContainer(token, .array)
        return UnkeyedTapeContainer(tape: tape, token: token)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TapeEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { tape.single(token) { $0.literal("null") } }

    func encode<T: Encodable>(_ value: T) throws { try tape.encodeSingle(value, token) }

    func encode(_ value: Double) throws {
        guard value.isFinite else { return try tape.single(token, nonConforming: value) }
        tape.single(token) { $0.double(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { return try tape.single(token, nonConforming: value) }
        tape.single(token) { $0.float(value) }
    }

    func encode(_ value: Bool) throws { tape.single(token) { $0.bool(value) } }

    func encode(_ value: String) throws { tape.single(token) { $0.quoted(value) } }

    func encode(_ value: Int) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: Int8) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: Int16) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: Int32) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: Int64) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: Int128) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: UInt) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: UInt8) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: UInt16) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: UInt32) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: UInt64) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: UInt128) throws { tape.single(token) { $0.integer(value) } }
}

extension EncodingTape {
    /// Opens the container of a value.
    @inline(__always)
    func openContainer(_ token: UInt64, _ kind: EncodingNode.Kind) {
        let index = Self.index(of: token)
        if token == current, nodes[index].kind == .empty {
            open(index, kind)
        } else {
            reopenContainer(token, kind)
        }
    }

    /// Checks that an existing container is of a kind.
    @inline(never)
    private func reopenContainer(_ token: UInt64, _ kind: EncodingNode.Kind) {
        guard let index = index(of: token) else { return }
        switch nodes[index].kind {
        case kind: return
        case .text where out.start[nodes[index].start] == UInt8(ascii: kind == .object ? "{" : "["):
            // The container continues the object or array that was encoded as a single value.
            makeTree(index)
        default:
            preconditionFailure("A container was requested for a value that has been encoded already.")
        }
    }

    /// Writes a scalar as a value.
    @inline(__always)
    func single(_ token: UInt64, _ write: (inout OutputBuffer) -> Void) {
        let index = Self.index(of: token)
        if token == current, nodes[index].kind == .empty {
            out.reserve(64)
            write(&out)
            nodes[index].kind = .text
            nodes[index].hasSingleValue = true
        } else {
            checkSingle(token)
        }
    }

    /// Checks that a single value can be encoded. The value is ignored if the value has a container.
    @inline(never)
    private func checkSingle(_ token: UInt64) {
        guard let index = index(of: token) else { return }
        precondition(!nodes[index].hasSingleValue, "A second value was encoded in the container of a single value.")
        nodes[index].hasSingleValue = true
    }

    @inline(never)
    func single(_ token: UInt64, nonConforming value: some BinaryFloatingPoint) throws {
        let text = try nonConforming(value, token)
        single(token) { text.write(to: &$0) }
    }

    /// Encodes any value as a single value, with the same encoder.
    func encodeSingle<T: Encodable>(_ value: T, _ token: UInt64) throws {
        guard let index = index(of: token) else { return }
        precondition(!nodes[index].hasSingleValue, "A second value was encoded in the container of a single value.")
        let isEmpty = token == current && nodes[index].kind == .empty
        if isEmpty {
            let (first, depth) = (out.first, out.depth)
            do { try encodeContents(of: value, token) } catch {
                // Another value can be encoded.
                resetValue(index, first: first, depth: depth)
                throw error
            }
            if nodes[index].kind == .empty {
                emptyObject()
                nodes[index].kind = .text
            }
        } else {
            // The members or elements of the value are added to the container.
            try value.encode(to: TapeEncoder(self, token))
        }
        nodes[index].hasSingleValue = true
    }

    /// Encodes a value by its type.
    @inline(__always)
    func encodeContents<T: Encodable>(of value: T, _ token: UInt64) throws {
        try withUnsafePointer(to: value) { try encode(at: $0, by: types.writer(for: T.self), token) }
    }

    /// Encodes a value in memory by a writer; nil calls the type's own `encode(to:)`.
    @inline(__always)
    func encode<T: Encodable>(
        at address: UnsafePointer<T>, by writer: Unmanaged<ValueWriter>?, _ token: UInt64
    ) throws {
        if let writer {
            try writer._withUnsafeGuaranteedRef { try $0.write(UnsafeRawPointer(address), self, token) }
            nodes[Self.index(of: token)].kind = .text
        } else {
            if isTooDeep { throw EncodingDepthError() }
            try Self.borrow(address) { try $0.encode(to: TapeEncoder(self, token)) }
        }
    }

    /// Calls a closure with a value in memory. A use of `pointee` would copy the value, if the type can be copied.
    @inline(__always)
    private static func borrow<T: ~Copyable>(
        _ address: UnsafePointer<T>, _ body: (borrowing T) throws -> Void
    ) rethrows {
        try body(address.pointee)
    }

    /// Removes all that was encoded as a value.
    private func resetValue(_ index: Int, first: Int, depth: Int) {
        removeContainers(of: index)
        out.truncate(nodes[index].start)
        (out.first, out.depth) = (first, depth)
        nodes[index].kind = .empty
        nodes[index].tree = nil
        nodes[index].isOpen = false
        nodes[index].hasSingleValue = false
        nodes[index].count = 0
        nodes[index].bloom = 0
        current = token(of: index)
    }
}

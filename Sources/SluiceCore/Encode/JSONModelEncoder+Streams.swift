// Text that is handed on in pieces, so that it is never in memory as a whole.

extension JSONModelEncoder {
    /// Encodes a value, and hands its text to `sink` in pieces of some 64 KB.
    ///
    /// A piece is valid during the call alone.
    ///
    /// - Throws: ``JSONModelError``; what the sink throws is in its issue as `underlying`.
    public func encode<T: JSONFillable>(
        _ value: T, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) {
        try streamed(T.self, into: sink) { (writer, record) throws(JSONModelError) in
            try withUnsafePointer(to: value) { address throws(JSONModelError) in
                try writer.write(record, UnsafeRawPointer(address))
            }
        }
    }

    /// Encodes the elements of a sequence as an array, one after another, and hands the text to `sink` in pieces of some
    /// 64 KB: however many they are, one is in memory.
    ///
    /// - Throws: ``JSONModelError``; what the sink throws is in its issue as `underlying`.
    public func encodeArray<S: Sequence>(
        of elements: S, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) where S.Element: JSONFillable {
        try streamed(S.Element.self, into: sink) { (writer, record) throws(JSONModelError) in
            var index = 0
            try writer.open("[")
            for element in elements {
                writer.out.reserve(96)
                writer.out.comma()
                do throws(JSONModelError) {
                    try withUnsafePointer(to: element) { address throws(JSONModelError) in
                        try writer.write(record, UnsafeRawPointer(address))
                    }
                } catch {
                    var error = error
                    for at in error.issues.indices { error.issues[at].path.components.insert(.index(index), at: 0) }
                    throw error
                }
                if writer.out.sinkError != nil { return }
                index += 1
            }
            writer.out.close("]")
        }
    }

    /// Encodes a value into a file.
    ///
    /// The file at the path, or at the target of a symbolic link, is replaced when all has been written: where that fails,
    /// it is as it was. What is no regular file, such as a pipe, is written to as it is.
    ///
    /// - Throws: ``JSONModelError``
    public func write<T: JSONFillable>(_ value: T, to path: String) throws(JSONModelError) {
        try OutputFile.replace(path) { sink throws(JSONModelError) in try encode(value, into: sink) }
    }

    /// Encodes the elements of a sequence as an array into a file, one after another.
    ///
    /// The file at the path, or at the target of a symbolic link, is replaced when all has been written: where that fails,
    /// it is as it was. What is no regular file, such as a pipe, is written to as it is.
    ///
    /// - Throws: ``JSONModelError``
    public func writeArray<S: Sequence>(
        of elements: S, to path: String
    ) throws(JSONModelError) where S.Element: JSONFillable {
        try OutputFile.replace(path) { sink throws(JSONModelError) in try encodeArray(of: elements, into: sink) }
    }

    private func streamed<T: JSONFillable>(
        _ type: T.Type, into sink: (UnsafeRawBufferPointer) throws -> Void,
        _ body: (inout ModelWriter, UnsafePointer<ShapeRecord>) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        let environment = environment
        let record = try environment.record(for: JSONShape.of(type))
        defer { withExtendedLifetime(environment) {} }
        let result = withoutActuallyEscaping(sink) { sink -> Result<Void, JSONModelError> in
            var writer = ModelWriter(self, sink: sink)
            defer { writer.dispose() }
            do throws(JSONModelError) { try body(&writer, record) } catch { return .failure(error) }
            writer.out.flush()
            guard let error = writer.out.sinkError else { return .success(()) }
            return .failure(error as? JSONModelError ?? writer.thrown(error))
        }
        try result.get()
    }
}

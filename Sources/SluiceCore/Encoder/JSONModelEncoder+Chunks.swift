// JSON in chunks, so that the whole output is never in memory.

extension JSONModelEncoder {
    /// Writes a value to a closure, in chunks of about 64 KB.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - sink: Receives the chunks. Each chunk is valid only during the call.
    /// - Throws: ``JSONModelError``. An error thrown by `sink` is the issue's ``JSONIssue/underlying``.
    public func write<T: JSONConvertible>(
        _ value: T, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) {
        try streamed(T.self, into: sink) { (writer, layout) throws(JSONModelError) in
            try withUnsafePointer(to: value) { address throws(JSONModelError) in
                try writer.writeFormatted(layout, UnsafeRawPointer(address))
            }
        }
    }

    /// Writes the elements of a sequence as an array to a closure, in chunks of about 64 KB. Only one element is in memory at a
    /// time.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - sink: Receives the chunks. Each chunk is valid only during the call.
    /// - Throws: ``JSONModelError``. An error thrown by `sink` is the issue's ``JSONIssue/underlying``.
    public func write<S: Sequence>(
        elements: S, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) where S.Element: JSONConvertible {
        try streamed(S.Element.self, into: sink) { (writer, layout) throws(JSONModelError) in
            var index = 0
            try writer.open("[")
            for element in elements {
                writer.out.reserve(96)
                writer.out.comma()
                do throws(JSONModelError) {
                    try withUnsafePointer(to: element) { address throws(JSONModelError) in
                        try writer.writeFormatted(layout, UnsafeRawPointer(address))
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

    private func streamed<T: JSONConvertible>(
        _ type: T.Type, into sink: (UnsafeRawBufferPointer) throws -> Void,
        _ body: (inout ModelWriter, LayoutReference) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        let planCache = planCache
        let layout = try planCache.layout(for: JSONShape.unretained(of: type))
        defer { withExtendedLifetime(planCache) {} }
        let result = withoutActuallyEscaping(sink) { sink -> Result<Void, JSONModelError> in
            var writer = ModelWriter(options, sink: sink)
            do throws(JSONModelError) { try body(&writer, layout) } catch { return .failure(error) }
            writer.out.flush()
            guard let error = writer.out.sinkError else { return .success(()) }
            return .failure(error as? JSONModelError ?? writer.thrown(error))
        }
        try result.get()
    }
}

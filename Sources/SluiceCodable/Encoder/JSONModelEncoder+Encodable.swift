// Types without a plan. Types with a plan have the same methods, which the compiler prefers.

import SluiceCore
import SluiceStreams

extension JSONModelEncoder: _JSONCodableVerbs {}

extension _JSONCodableVerbs where Self == JSONModelEncoder {
    /// Encodes a value of an `Encodable` type as JSON in UTF-8, or as a string, a ``/SluiceCore/JSONValue`` or another form of JSON.
    ///
    /// Nested models, and nested values with another conversion to JSON, are encoded by their plans. The keys of
    /// all other values are their coding keys, whatever the key strategy.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. An error of the value is the issue's ``/SluiceCore/JSONIssue/underlying``.
    @_disfavoredOverload
    public func encode<T: Encodable, Result>(
        _ value: T, as output: JSONOutput<Result> = JSONOutput<[UInt8]>.bytes
    ) throws(JSONModelError) -> Result {
        let result = try self.options.encodableCall(for: T.self).withText(of: value) { text in
            Swift.Result { () throws(JSONModelError) in try output.make(text) }
        }
        return try result.get()
    }

    /// Writes a value of an `Encodable` type to a file or to standard output.
    ///
    /// The whole JSON is in memory before the destination is opened.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``
    @_disfavoredOverload
    public func write<T: Encodable>(_ value: T, to destination: JSONDestination) throws(JSONModelError) {
        try self.options.encodableCall(for: T.self).withText(of: value) { text in
            Result { () throws(JSONModelError) in try destination.write(text) }
        }.get()
    }

    /// Writes a value of an `Encodable` type to a closure.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. An error thrown by `sink` is the issue's ``/SluiceCore/JSONIssue/underlying``.
    @_disfavoredOverload
    public func write<T: Encodable>(
        _ value: T, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) {
        try self.options.encodableCall(for: T.self).withText(of: value) { text in
            Result { () throws(JSONModelError) in try Self.deliver(text, to: sink) }
        }.get()
    }

    /// Writes the elements of a sequence as an array to a closure, in chunks of about 64 KB. Only one element is in memory at a
    /// time.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. An error thrown by `sink` is the issue's ``/SluiceCore/JSONIssue/underlying``.
    @_disfavoredOverload
    public func write<S: Sequence>(
        elements: S, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) where S.Element: Encodable {
        var output = FramedOutput(self, .document)
        output.engine = try self.options.encodableCall(for: S.Element.self)
        for element in elements {
            try output.append(element)
            if output.isFull { try Self.deliver(&output, to: sink) }
        }
        output.end()
        try Self.deliver(&output, to: sink)
    }

    /// Writes the elements of a sequence as an array to a file or to standard output. Only one element is in memory at a time.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``
    @_disfavoredOverload
    public func write<S: Sequence>(
        elements: S, to destination: JSONDestination
    ) throws(JSONModelError) where S.Element: Encodable {
        // An error of the options must not open the destination.
        _ = try self.options.encodableCall(for: S.Element.self)
        var writer = try self.arrayWriter(to: destination)
        for element in elements { try writer.write(element) }
        try writer.finish()
    }
}

extension EncodingOptions {
    fileprivate func encodableCall<T>(for type: T.Type) throws(JSONModelError) -> EncodableCall {
        // Encoding values that a filter excludes could reveal secrets.
        if planOptions.isFiltered {
            throw JSONModelError(
                issues: [.encoding(.notEncodable("'only' and 'except' need a plan, and \(type) has none"))])
        }
        return EncodableCall(models: self)
    }
}

extension JSONModelEncoder {
    fileprivate static func deliver(
        _ output: inout FramedOutput, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) {
        try output.bytes.withUnsafeBytes { text in
            Result { () throws(JSONModelError) in try deliver(text, to: sink) }
        }.get()
        output.completeAll()
    }

    fileprivate static func deliver(
        _ text: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) {
        do { try sink(text) } catch {
            if let error = error as? JSONModelError { throw error }
            var issue = JSONIssue.encoding(.thrown)
            issue.underlying = error
            throw JSONModelError(issues: [issue])
        }
    }
}

extension FramedOutput {
    /// Appends an element without a plan.
    fileprivate mutating func append<T: Encodable>(_ element: T) throws(JSONModelError) {
        let call =
            if let engine { unsafeDowncast(engine, to: EncodableCall.self) } else {
                try options.encodableCall(for: T.self)
            }
        engine = call
        try appendElement { (depth, append) throws(JSONModelError) in
            try call.withText(of: element, depth: depth, append)
        }
    }
}

extension JSONElementWriter {
    /// Writes an element of an `Encodable` type.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. If the element cannot be encoded, further elements can be written. If the destination fails,
    ///   the issue's ``/SluiceCore/JSONIssue/elementIndex`` is the number of elements that are complete in the destination.
    @_disfavoredOverload @_documentation(visibility: internal)
    public mutating func write<T: Encodable>(_ element: T) throws(JSONModelError) {
        try output.append(element)
        if output.isFull { try pass() }
    }
}

extension JSONAsyncElementWriter {
    /// Writes an element of an `Encodable` type.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError`` if the element cannot be encoded, after which further elements can be written; or the error
    ///   of the destination.
    @_disfavoredOverload @_documentation(visibility: internal)
    public mutating func write<T: Encodable>(
        _ element: T, isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
        try output.append(element)
        if output.isFull { try await flush() }
    }
}

// Streaming: one element in memory at a time.

import SluiceCore

extension JSONModelDecoder {
    /// Whether `forEach` continues after an element.
    public enum StreamControl: Sendable, Hashable {
        /// Decode the next element.
        case `continue`
        /// Stop. The rest of the input is not read.
        case stop
    }

    /// Decodes the elements at a path of an input one after another. Only one element is in memory at a time.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input, such as `.file("huge.json")` or `.standardInput`. See ``/SluiceCore/JSONInput``.
    ///   - path: The path of the elements in each value: `items[*]`, `[*]` for the elements of a top-level array,
    ///     `items[*].owner`, or `users.*` for the values of an object's members. In a document, a path without a wildcard is
    ///     the path of an array of elements. The default is an array at the root, or another document as the only element. In other framings,
    ///     a path without a wildcard selects one element of each value, and the default is the value itself.
    ///   - framing: The form in which the input holds its values.
    ///   - body: Receives each element. An error thrown by `body` ends the parse, and is the issue's ``/SluiceCore/JSONIssue/underlying``.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``/SluiceCore/JSONModelError``. `body` has received all elements that were complete before the error.
    @discardableResult
    public func forEach<T: JSONConvertible>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document,
        _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try stream(JSONShape.unretained(of: type), input, at: path, framing) { (element: T) in
            try body(element)
            return .continue
        }
    }

    /// Decodes the elements at a path of an input one after another, until the closure returns `.stop`.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``/SluiceCore/JSONInput``.
    ///   - path: The path of the elements in each value.
    ///   - framing: The form in which the input holds its values.
    ///   - body: Receives each element, and returns whether to continue.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``/SluiceCore/JSONModelError``. `body` has received all elements that were complete before the error.
    @discardableResult @_disfavoredOverload
    public func forEach<T: JSONConvertible>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document,
        _ body: (T) throws -> StreamControl
    ) throws(JSONModelError) -> Int {
        try stream(JSONShape.unretained(of: type), input, at: path, framing, body)
    }

    /// Decodes the elements at a path by a shape of their type, or of a subclass, until the closure returns `.stop`.
    package func stream<T>(
        _ shape: Unmanaged<JSONShape>, _ input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath, _ framing: JSONFraming, _ body: (T) throws -> StreamControl
    ) throws(JSONModelError) -> Int {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        // Other threads reuse the memory of the elements that they have made.
        let lendsElements = workers.count > 1
        return try withoutActuallyEscaping(body) { body throws(JSONModelError) in
            try input.withContent { content throws(JSONModelError) in
                let stream = try ElementStream(
                    self, shape, at: path, framing: framing, target: memory, takesDocument: true,
                    lendsElements: lendsElements,
                    receive: lendsElements
                        ? { try lend($0.assumingMemoryBound(to: T.self), to: body) == .continue }
                        : { try body($0.assumingMemoryBound(to: T.self).move()) == .continue })
                try stream.read(content)
                return stream.summary.elements
            }
        }
    }

    /// Calls a closure with a value, which stays in its memory.
    private func lend<T>(
        _ address: UnsafeMutablePointer<T>, to body: (T) throws -> StreamControl
    ) rethrows -> StreamControl {
        // Moved there and back, because a borrowed copy would retain its parts.
        let value = address.move()
        do {
            let control = try body(value)
            address.initialize(to: consume value)
            return control
        } catch {
            address.initialize(to: consume value)
            throw error
        }
    }
}

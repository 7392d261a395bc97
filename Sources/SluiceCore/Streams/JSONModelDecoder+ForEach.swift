// Streaming: one element in memory at a time.

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
    ///   - input: The input, such as `.file("huge.json")` or `.standardInput`. See ``JSONInput``.
    ///   - path: The path of the elements in each value: `items[*]`, `[*]` for the elements of a top-level array,
    ///     `items[*].owner`, or `users.*` for the values of an object's members. In a document, a path without a wildcard is
    ///     the path of an array of elements. In other framings, such a path selects one element of each value, and the default
    ///     is the value itself.
    ///   - framing: The form in which the input holds its values.
    ///   - body: Receives each element. An error thrown by `body` ends the parse, and is the issue's ``JSONIssue/underlying``.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``JSONModelError``. `body` has received all elements that were complete before the error.
    @discardableResult
    public func forEach<T: JSONConvertible>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document,
        _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try stream(type, input, at: path, framing) { element in
            try body(element)
            return .continue
        }
    }

    /// Decodes the elements at a path of an input one after another, until the closure returns `.stop`.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the elements in each value.
    ///   - framing: The form in which the input holds its values.
    ///   - body: Receives each element, and returns whether to continue.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``JSONModelError``. `body` has received all elements that were complete before the error.
    @discardableResult @_disfavoredOverload
    public func forEach<T: JSONConvertible>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document,
        _ body: (T) throws -> StreamControl
    ) throws(JSONModelError) -> Int {
        try stream(type, input, at: path, framing, body)
    }

    package func stream<T: JSONConvertible>(
        _ type: T.Type, _ input: borrowing some JSONInput & ~Copyable & ~Escapable, at path: JSONPath,
        _ framing: JSONFraming, _ body: (T) throws -> StreamControl
    ) throws(JSONModelError) -> Int {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        var count = 0
        try withoutActuallyEscaping(body) { body throws(JSONModelError) in
            let receive: ElementStream.Receiver = { address in
                count += 1
                return try body(address.assumingMemoryBound(to: T.self).move()) == .continue
            }
            let lend: ElementStream.Receiver = { address in
                count += 1
                return try self.lend(address.assumingMemoryBound(to: T.self), to: body) == .continue
            }
            let shape = JSONShape.unretained(of: type)
            let isPlain =
                framing == .document && elementErrors == .throw && progressHandler == nil
                && summaryHandler == nil
                && shape.takeUnretainedValue().positionOffset == nil
            try input.withContent { content throws(JSONModelError) in
                guard isPlain, !content.isPart else {
                    let stream = try ElementStream(
                        self, shape, at: path, framing: framing, target: memory, lendsElements: true,
                        receive: lend)
                    return try stream.read(content, of: type)
                }
                do throws(JSONModelError) {
                    guard workers.count > 1, case .text = content.form else {
                        return try forEach(shape, content, at: path, memory, receive)
                    }
                    let stream = try ElementStream(
                        self, shape, at: path, framing: framing, target: memory, lendsElements: true,
                        receive: lend)
                    do throws(JSONModelError) { try stream.read(content, of: type) } catch {
                        throw withWholeExcerpt(error, content)
                    }
                } catch {
                    var error = error
                    for index in error.issues.indices {
                        error.issues[index].elementIndex = error.issues[index].kind.isOfReading ? count : nil
                    }
                    throw error
                }
            }
        }
        return count
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

    /// Returns the error of a stream with the bytes after the fault in its excerpt, if the input can be read again.
    private func withWholeExcerpt(_ error: JSONModelError, _ content: JSONInputContent) -> JSONModelError {
        guard case .text(let input) = content.form, input.isRepeatable, let issue = error.issues.last,
            issue.kind.showsWhatFollows
        else { return error }
        var decoder = self
        decoder.workers = .exactly(1)
        decoder.options.issueHandler = nil
        do throws(JSONModelError) {
            try decoder.validate(content, at: JSONPath())
            return error
        } catch let whole {
            var error = error
            guard let other = whole.issues.last, other.location == issue.location else { return error }
            error.issues[error.issues.count - 1].excerpt = other.excerpt
            error.issues[error.issues.count - 1].hint = issue.hint ?? other.hint
            return error
        }
    }

    /// Reads a document without intermediate state.
    private func forEach(
        _ shape: Unmanaged<JSONShape>, _ content: JSONInputContent, at path: JSONPath,
        _ target: UnsafeMutableRawPointer, _ receive: @escaping ElementStream.Receiver
    ) throws(JSONModelError) {
        let layout = try planCache.layout(for: shape)
        let root = try RootPath(path, to: layout, streams: true)
        defer { withExtendedLifetime(root) {} }
        var driver = Driver(
            slot: ValueSlot(address: target, layout: layout), table: root.table,
            options: .passUnretained(sharedOptions), emit: receive)
        try run(&driver, content, missing: root.path)
    }
}

extension JSONModelEncoder {
    /// Encodes a value as JSON in UTF-8, or as a string, a ``JSONValue`` or another form of JSON.
    ///
    /// This verb and `write` also take types that are only `Encodable`. The keys of such a value are its coding keys.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - output: The form, such as `.string`. The default is an array of bytes. See ``JSONOutput``.
    /// - Throws: ``JSONModelError``
    public func encode<T: JSONConvertible, Result>(
        _ value: T, as output: JSONOutput<Result> = JSONOutput<[UInt8]>.bytes
    ) throws(JSONModelError) -> Result {
        let layout = try planCache.layout(for: JSONShape.unretained(of: T.self))
        return try withUnsafePointer(to: value) { address throws(JSONModelError) in
            try encode(UnsafeRawPointer(address), layout, as: output)
        }
    }

    /// Encodes a value by its layout.
    func encode<Result>(
        _ value: UnsafeRawPointer, _ layout: LayoutReference, as output: JSONOutput<Result>
    ) throws(JSONModelError) -> Result {
        let expectedLength = layout.outputLength
        if expectedLength > 0, !options.isCanonical, let makeInPlace = output.makeInPlace {
            return try encodeInPlace(value, layout, as: output, makeInPlace, expectedLength)
        }
        return try ModelWriter.withText(value, layout, options) { text in
            layout.setOutputLength(text.count, last: expectedLength)
            return Swift.Result { () throws(JSONModelError) in try output.make(text) }
        }.get()
    }

    /// Encodes a value in the memory of the result, whose capacity is that of the type's last JSON and an eighth. The JSON is copied to
    /// another result if the memory is too small, or if more than a quarter would remain unused.
    @inline(never)
    private func encodeInPlace<Result>(
        _ value: UnsafeRawPointer, _ layout: LayoutReference, as output: JSONOutput<Result>,
        _ makeInPlace: (Int, (UnsafeMutableBufferPointer<UInt8>) -> Int) -> Result, _ expectedLength: Int
    ) throws(JSONModelError) -> Result {
        var copy: Swift.Result<Result, JSONModelError>?
        let result = makeInPlace(expectedLength + expectedLength / 8) { memory in
            do throws(JSONModelError) {
                var writer = ModelWriter(options, in: memory)
                try writer.write(layout, value)
                let count = writer.out.count
                layout.setOutputLength(count, last: expectedLength)
                if writer.out.isMemoryLent, count >= memory.count / 4 * 3 { return count }
                copy = .success(try output.make(writer.out.written))
            } catch { copy = .failure(error) }
            return 0
        }
        return try copy?.get() ?? result
    }
}

extension LayoutReference {
    /// The length from which JSON is long: the copy of shorter JSON costs little.
    private static var longOutput: Int { 65_536 }

    /// The length of the last JSON of a value, if that JSON was long, else 0.
    fileprivate var outputLength: Int {
        self.unretainedShape._withUnsafeGuaranteedRef { $0.outputLength.load(ordering: .relaxed) }
    }

    /// - Parameter last: The length before. A length that differs by a sixteenth or less is not stored, because threads share the shape.
    fileprivate func setOutputLength(_ length: Int, last: Int) {
        let length = length < Self.longOutput ? 0 : length
        if abs(length - last) <= last / 16 { return }
        self.unretainedShape._withUnsafeGuaranteedRef { $0.outputLength.store(length, ordering: .relaxed) }
    }
}

import SluiceCore

extension ValueWriter {
    /// Creates the writer of models, and of other values with a shape, which are written by their plans.
    static func plan<T: JSONConvertible>(of type: T.Type) -> ValueWriter {
        plan(of: type, JSONShape.unretained(of: type))
    }

    static func plan<T: JSONConvertible>(ofArraysOf type: T.Type) -> ValueWriter { plan(of: [T].self) }

    /// Creates the writer of a type by a shape of the type, which is never released.
    static func plan<T>(of type: T.Type, _ shape: Unmanaged<JSONShape>) -> ValueWriter {
        ValueWriter { address, tape, token in
            do throws(JSONModelError) { try tape.write(address, by: shape) } catch {
                throw tape.failure(error, of: address.assumingMemoryBound(to: T.self).pointee, token)
            }
        }
    }
}

extension EncodingTape {
    /// Writes the value at an address by a plan.
    fileprivate func write(_ address: UnsafeRawPointer, by shape: Unmanaged<JSONShape>) throws(JSONModelError) {
        let options = options.modelOptions
        var writer = ModelWriter(options)
        let layout = try options.planCache.layout(for: shape)
        // The writer continues the text of the tape.
        swap(&writer.out, &out)
        isLent = true
        defer {
            isLent = false
            swap(&writer.out, &out)
        }
        try writer.write(layout, address)
    }

    /// Returns the error of the tape's encoder for an error of a plan.
    ///
    /// - Parameters:
    ///   - error: The error, whose paths begin at the value.
    ///   - value: The value that the plan is for.
    func failure(_ error: JSONModelError, of value: @autoclosure () -> Any, _ token: UInt64) -> any Error {
        if error.issues[0].isOfStack { return stackUsedUp() }
        let start = path(of: token)
        guard options.throwsEncodingErrors else { return error.below(start) }
        return EncodingError.invalidValue(value(), EncodingError.Context(error, below: start))
    }
}

extension EncodingError.Context {
    /// Creates the context of an error of a plan.
    init(_ error: JSONModelError, below path: [any CodingKey]) {
        let inner = error.issues[0].path.components.map { component -> any CodingKey in
            switch component {
            case .index(let index): AnyCodingKey(index: index)
            case .key(let key): AnyCodingKey(stringValue: key)
            default: AnyCodingKey(stringValue: "*")
            }
        }
        self.init(
            codingPath: path + inner, debugDescription: error.below(path).issues[0].description,
            underlyingError: error.below(path))
    }
}

import SluiceCore

/// Writes models, and other values with a shape, by their plans.
final class PlanWriter: ValueWriter, @unchecked Sendable {
    private let shape: Unmanaged<JSONShape>
    /// Returns a value, for errors.
    private let load: (UnsafeRawPointer) -> Any

    private init(_ shape: Unmanaged<JSONShape>, _ load: @escaping (UnsafeRawPointer) -> Any) {
        self.shape = shape
        self.load = load
    }

    static func make<T: JSONConvertible>(_ type: T.Type) -> PlanWriter {
        PlanWriter(JSONShape.unretained(of: type)) { $0.assumingMemoryBound(to: T.self).pointee }
    }

    /// Makes the writer of a type by a shape of the type. The writer retains the shape.
    static func make<T>(_ type: T.Type, by shape: JSONShape) -> PlanWriter {
        PlanWriter(.passRetained(shape)) { $0.assumingMemoryBound(to: T.self).pointee }
    }

    static func make<T: JSONConvertible>(arrayOf type: T.Type) -> PlanWriter { make([T].self) }

    override func write(_ address: UnsafeRawPointer, _ tape: EncodingTape, _ token: UInt64) throws {
        do throws(JSONModelError) {
            let options = tape.options.modelOptions
            var writer = ModelWriter(options)
            let layout = try options.planCache.layout(for: shape)
            // The writer continues the text of the tape.
            swap(&writer.out, &tape.out)
            tape.isLent = true
            defer {
                tape.isLent = false
                swap(&writer.out, &tape.out)
            }
            try writer.write(layout, address)
        } catch {
            throw tape.failure(error, of: load(address), token)
        }
    }
}

extension EncodingTape {
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

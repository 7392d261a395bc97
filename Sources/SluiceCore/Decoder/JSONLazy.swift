/// A value that is validated but not decoded until ``value`` is first read. Its JSON is kept. Use this type for large
/// parts that are rarely used.
public struct JSONLazy<Value: JSONConvertible>: @unchecked Sendable {
    // Unchecked: the value is made once, under the lock, and only read afterwards.
    private final class Storage {
        let decoder: JSONModelDecoder
        let cached = Lock<Result<UncheckedValue, JSONModelError>?>(nil)
        init(_ decoder: JSONModelDecoder) { self.decoder = decoder }

        func decode(_ raw: JSONRaw) -> Result<UncheckedValue, JSONModelError> {
            var decoder = decoder
            let fragment = decoder.options.fragment
            if let fragment, let handler = decoder.options.issueHandler {
                decoder.options.issueHandler = { handler(fragment.located($0)) }
            }
            do throws(JSONModelError) {
                return .success(UncheckedValue(value: try decoder.decode(Value.self, from: raw.bytes)))
            } catch {
                guard let fragment else { return .failure(error) }
                return .failure(JSONModelError(issues: error.issues.map(fragment.located)))
            }
        }
    }
    private struct UncheckedValue: @unchecked Sendable { let value: Value }

    /// The JSON of the value.
    public let raw: JSONRaw
    private let storage: Storage

    /// Creates a lazy value from its JSON.
    ///
    /// - Parameters:
    ///   - raw: The JSON.
    ///   - decoder: The decoder that makes the value on first use.
    public init(_ raw: JSONRaw, decoder: JSONModelDecoder = JSONModelDecoder()) {
        self.raw = raw
        var decoder = decoder
        // The paths of ``JSONModelDecoder/only`` begin at the root, and this value was selected.
        decoder.options.planOptions = decoder.options.planOptions.unfiltered
        decoder.options.isPartial = false
        storage = Storage(decoder)
    }

    /// The value, decoded on first use with the options of the decoder that read the enclosing JSON.
    ///
    /// - Throws: ``JSONModelError``. If the value was decoded from a document, the paths and locations are those in the
    ///   document. Otherwise, they begin at this value's JSON.
    public var value: Value {
        get throws(JSONModelError) {
            let result = storage.cached.withLock { cached in
                if let cached { return cached }
                let result = storage.decode(raw)
                cached = result
                return result
            }
            return try result.get().value
        }
    }
}

extension JSONLazy: Equatable {
    /// Whether two values have the same JSON, byte for byte.
    public static func == (a: JSONLazy, b: JSONLazy) -> Bool { a.raw == b.raw }
}

extension JSONLazy: Hashable {
    /// Hashes the JSON of the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(raw) }
}

extension JSONLazy: JSONConvertible {
    public static var jsonShape: JSONShape {
        .wrapped(Self.self, around: JSONShape.of(JSONRaw.self), keepsLocation: true) { raw, target, context, _ in
            let raw = raw.assumingMemoryBound(to: JSONRaw.self).move()
            target.assumingMemoryBound(to: Self.self).initialize(
                to: JSONLazy(raw, decoder: JSONModelDecoder(context())))
        } makeEncodedForm: { value, raw, _ in
            raw.assumingMemoryBound(to: JSONRaw.self)
                .initialize(to: value.assumingMemoryBound(to: Self.self).pointee.raw)
        }
        .described { JSONShape.of(Value.self) }
    }
}

import Synchronization

/// A value whose text is kept as it stands, validated but not decoded, until it is asked for: for large parts that are
/// seldom looked at.
public struct JSONLazy<Value: JSONConvertible>: @unchecked Sendable {
    // Unchecked: the value is made once, under the lock, and only read from then on.
    private final class Storage {
        let decoder: JSONModelDecoder
        let made = Mutex<Result<UncheckedValue, JSONModelError>?>(nil)
        init(_ decoder: JSONModelDecoder) { self.decoder = decoder }

        func decode(_ raw: JSONRaw) -> Result<UncheckedValue, JSONModelError> {
            do throws(JSONModelError) {
                return .success(UncheckedValue(value: try decoder.decode(Value.self, from: raw.bytes)))
            } catch {
                return .failure(error)
            }
        }
    }
    private struct UncheckedValue: @unchecked Sendable { let value: Value }

    /// The value's text.
    public let raw: JSONRaw
    private let storage: Storage

    /// Makes a lazy value of its text.
    ///
    /// - Parameters:
    ///   - raw: The text.
    ///   - decoder: The decoder that makes the value when it is asked for.
    public init(_ raw: JSONRaw, decoder: JSONModelDecoder = JSONModelDecoder()) {
        self.raw = raw
        var decoder = decoder
        // Its paths count from the root, and this value is wanted.
        decoder.options.planOptions = decoder.options.planOptions.unfiltered
        decoder.options.isPartial = false
        storage = Storage(decoder)
    }

    /// The value, decoded at the first call with the options of the decoder that read the text around it.
    ///
    /// - Throws: ``JSONModelError``, whose offsets count from the beginning of this value's text.
    public var value: Value {
        get throws(JSONModelError) {
            let result = storage.made.withLock { made in
                if let made { return made }
                let result = storage.decode(raw)
                made = result
                return result
            }
            return try result.get().value
        }
    }
}

extension JSONLazy: Equatable {
    /// Whether the texts are the same.
    public static func == (a: JSONLazy, b: JSONLazy) -> Bool { a.raw == b.raw }
}

extension JSONLazy: Hashable {
    /// Hashes the text of the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(raw) }
}

extension JSONLazy: JSONConvertible {
    public static var jsonShape: JSONShape {
        .wrapped(Self.self, around: JSONShape.of(JSONRaw.self)) { raw, target, context, _ in
            let raw = raw.assumingMemoryBound(to: JSONRaw.self).move()
            target.assumingMemoryBound(to: Self.self).initialize(
                to: JSONLazy(raw, decoder: JSONModelDecoder(context())))
        } takeApart: { value, raw, _ in
            raw.assumingMemoryBound(to: JSONRaw.self)
                .initialize(to: value.assumingMemoryBound(to: Self.self).pointee.raw)
        }
    }
}

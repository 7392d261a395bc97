/// Batches of elements of any type, which any thread can decode.
protocol PendingWork: Sendable {
    /// Decodes the first batch that no thread has begun to decode, if one is left.
    func decodeFirst(_ decoder: JSONModelDecoder, at path: JSONPath?)
}

/// The batches that no thread has begun to decode, in the order of the input.
final class PendingBatches<Element: JSONConvertible>: PendingWork {
    private let batches = Lock<[TextBatch<Element>]>([])

    func append(_ batch: TextBatch<Element>) { batches.withLock { $0.append(batch) } }

    func removeFirst() -> TextBatch<Element>? { batches.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func decodeFirst(_ decoder: JSONModelDecoder, at path: JSONPath?) { removeFirst()?.decode(decoder, at: path) }

    func removeAll() -> [TextBatch<Element>] {
        batches.withLock { batches in
            defer { batches = [] }
            return batches
        }
    }
}

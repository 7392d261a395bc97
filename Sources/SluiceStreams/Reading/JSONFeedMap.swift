import SluiceCore

/// Feeds by key, for values that arrive in pieces, several at the same time: the tool calls of a language model.
///
/// ```swift
/// var calls = decoder.feeds(of: Trip.Partial.self, by: Int.self)
/// for try await piece in pieces {
///     _ = try calls[piece.index].push(piece.arguments.utf8)
///     show(calls[piece.index].snapshot().value)
/// }
/// ```
///
/// A feed begins with its first use. An error of one feed has no effect on the others.
public struct JSONFeedMap<Key: Hashable, Element>: ~Copyable {
    /// Holds a feed, which a dictionary cannot hold.
    @usableFromInline
    final class Box {
        @usableFromInline var feed: JSONElementFeed<Element>
        /// The index of the key in the order of the keys.
        var position: Int

        init(_ feed: consuming JSONElementFeed<Element>, at position: Int) {
            self.feed = feed
            self.position = position
        }
    }

    private var boxes: [Key: Box] = [:]
    private let makeFeed: () -> JSONElementFeed<Element>
    /// The keys in the order in which they were first used, with nil in place of those that were removed.
    private var order: [Key?] = []
    /// The keys of the feeds, in the order in which they were first used.
    public var keys: [Key] { order.compactMap { $0 } }

    fileprivate init(_ makeFeed: @escaping () -> JSONElementFeed<Element>) { self.makeFeed = makeFeed }

    /// The feed of a key, which begins with the first use.
    public subscript(key: Key) -> JSONElementFeed<Element> {
        @inlinable mutating _read { yield box(for: key).feed }
        @inlinable _modify { yield &box(for: key).feed }
    }

    @usableFromInline
    mutating func box(for key: Key) -> Box {
        if let box = boxes[key] { return box }
        let box = Box(makeFeed(), at: order.count)
        boxes[key] = box
        order.append(key)
        return box
    }

    private mutating func remove(_ key: Key, _ box: Box) {
        boxes[key] = nil
        order[box.position] = nil
        if order.count <= 2 * boxes.count { return }
        order.removeAll { $0 == nil }
        for (position, key) in order.enumerated() {
            if let key { boxes[key]?.position = position }
        }
    }

    /// Ends and removes the feed of a key.
    ///
    /// - Returns: The elements that became complete because the input ended.
    /// - Throws: ``/SluiceCore/JSONModelError``. If elements were complete before the error, they are returned, and the next call with the
    ///   key throws the error and removes the feed.
    public mutating func finish(_ key: Key) throws(JSONModelError) -> [Element] {
        guard let box = boxes[key] else { return [] }
        defer {
            if box.feed.stream.error == nil { remove(key, box) }
        }
        return try box.feed.finish()
    }
}

extension JSONModelDecoder {
    /// Returns a map of feeds. Each feed is made at the first use of its key.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - keys: The type of the keys, such as the index or the identifier of a tool call.
    ///   - path: The path of the elements in each value. See `feed(of:at:framing:envelope:ignoresText:)`.
    ///   - framing: The form in which each input holds its values.
    ///   - ignoresText: Whether text around a document is ignored.
    public func feeds<Key: Hashable, Element: JSONConvertible>(
        of type: Element.Type = Element.self, by keys: Key.Type = Key.self, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document, ignoresText: Bool = false
    ) -> JSONFeedMap<Key, Element> {
        JSONFeedMap { self.feed(of: type, at: path, framing: framing, ignoresText: ignoresText) }
    }
}

import SluiceCore
import SluiceStreams

/// A way to give input to a decoder: whole or in chunks, to one of the sources.
public struct Feed: Sendable, CustomStringConvertible {
    public let source: JSONModelDecoder.Source
    /// The size of the chunks, or nil for input as a whole.
    public let size: Int?

    /// Every source with the whole input, and with chunks of every size.
    public static func all(sizes: [Int] = [1, 7]) -> [Feed] {
        JSONModelDecoder.Source.allCases.flatMap { source in
            [Feed(source: source, size: nil)] + sizes.map { Feed(source: source, size: $0) }
        }
    }

    public var description: String { "\(source), " + (size.map { "in chunks of \($0)" } ?? "whole") }

    /// A copy of a decoder that uses the source.
    public func applied(to decoder: JSONModelDecoder) -> JSONModelDecoder {
        var decoder = decoder
        decoder.source = source
        return decoder
    }

    public func decode<T: JSONConvertible>(
        _ type: T.Type, _ bytes: [UInt8], at path: JSONPath = JSONPath(), with decoder: JSONModelDecoder
    ) throws(JSONModelError) -> T {
        let decoder = applied(to: decoder)
        if let size { return try decoder.decode(type, from: .chunks(bytes.pieces(of: size)), at: path) }
        return try decoder.decode(type, from: bytes, at: path)
    }
}

extension [UInt8] {
    /// The bytes in pieces of one size. Each piece has memory of its own, so that the address sanitizer detects a read
    /// beyond its end.
    public func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

extension JSONModelDecoder {
    /// Creates a decoder with the default options that uses a source.
    public init(from source: Source) {
        self.init()
        self.source = source
    }

    /// A decoder with the default options for each source.
    public static var ofEverySource: [JSONModelDecoder] { Source.allCases.map { JSONModelDecoder(from: $0) } }

    /// The elements of a stream.
    public func all<T: JSONConvertible>(
        _ type: T.Type = T.self, in input: some JSONInput, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) throws(JSONModelError) -> [T] {
        var elements: [T] = []
        try forEach(type, in: input, at: path, framing: framing) { elements.append($0) }
        return elements
    }

    /// A decoder with some options.
    public static func with(_ change: (inout JSONModelDecoder) -> Void) -> JSONModelDecoder {
        var decoder = JSONModelDecoder()
        change(&decoder)
        return decoder
    }

    /// A decoder that collects all issues.
    public static var collecting: JSONModelDecoder { .with { $0.errorPolicy = .collect(limit: .max) } }
}

extension JSONModelEncoder {
    /// An encoder with some options.
    public static func with(_ change: (inout JSONModelEncoder) -> Void) -> JSONModelEncoder {
        var encoder = JSONModelEncoder()
        change(&encoder)
        return encoder
    }
}

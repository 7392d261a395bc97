import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// A text, and what it is decoded to.
struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let text: [UInt8]
    private let readWhole: @Sendable (Source, [UInt8]) throws -> AnyHashable
    private let readChunks: @Sendable (Source, [[UInt8]]) throws -> AnyHashable
    private let readFile: @Sendable (Source, String) throws -> AnyHashable
    private let readMemory:
        @Sendable (MemoryVerb, UnsafeRawBufferPointer, GuardedMemory.Place, Source) throws -> AnyHashable

    typealias Source = JSONModelDecoder.Source
    /// The source that the others are held to.
    static let reference = JSONModelDecoder().source

    init<T: JSONConvertible & Hashable & Sendable>(
        _ name: String, _ text: [UInt8], as type: T.Type, at path: JSONPath = JSONPath(),
        decoder: JSONModelDecoder = JSONModelDecoder()
    ) {
        self.name = name
        self.text = text
        @Sendable func reading(_ source: Source) -> JSONModelDecoder {
            var decoder = decoder
            decoder.source = source
            return decoder
        }
        readWhole = { try AnyHashable(reading($0).decode(T.self, from: $1, at: path)) }
        readChunks = { try AnyHashable(reading($0).decode(T.self, from: .chunks($1), at: path)) }
        readFile = { try AnyHashable(reading($0).decode(T.self, from: .file($1), at: path)) }
        readMemory = { try $0.read(T.self, $1, at: path, $2, with: reading($3)) }
    }

    init<T: JSONConvertible & Hashable & Sendable>(
        _ name: String, _ text: String, as type: T.Type, at path: JSONPath = JSONPath(),
        decoder: JSONModelDecoder = JSONModelDecoder()
    ) {
        self.init(name, Array(text.utf8), as: type, at: path, decoder: decoder)
    }

    var testDescription: String { name }

    func whole(_ other: [UInt8]? = nil, from source: Source = reference) -> Outcome {
        Outcome { try readWhole(source, other ?? text) }
    }
    func chunks(_ chunks: [[UInt8]], from source: Source = reference) -> Outcome {
        Outcome { try readChunks(source, chunks) }
    }
    func file(_ path: String, from source: Source = reference) -> Outcome {
        Outcome { try readFile(source, path) }
    }
    /// Reads bytes in memory, which need not be those of the fixture.
    func memory(
        _ bytes: UnsafeRawBufferPointer, by verb: MemoryVerb, _ place: GuardedMemory.Place, from source: Source
    ) -> Outcome {
        Outcome { try readMemory(verb, bytes, place, source) }
    }
}

extension [UInt8] {
    /// The bytes without the blanks at their end.
    var withoutTrailingBlanks: [UInt8] {
        var end = count
        while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(self[end - 1]) { end -= 1 }
        return Array(self[..<end])
    }
}

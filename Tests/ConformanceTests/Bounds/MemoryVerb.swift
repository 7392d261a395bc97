import Foundation
import Sluice
import TestSupport

@testable import FuzzSupport

/// The ways to read memory of the caller.
enum MemoryVerb: CaseIterable {
    /// A value from each type of memory.
    case rawBuffer, buffer, mutableRawBuffer, mutableBuffer, span, rawSpan, data
    /// Values of other types and engines.
    case value, raw, codable, json5
    case validate, validateLines, partial, prefix, firstContainer, merge, mergePatch
    /// The elements of each framing.
    case document, members, lines, concatenated, textSequence, events
    case cursor, cursorOfLines, workers
    /// Chunks of a feed, each in protected memory of its own.
    case feed, feedOfLines, feedOfEvents, feedOfBytes

    /// Reads a text.
    ///
    /// - Parameter place: The end of protected memory at which chunks are placed.
    /// - Returns: The value, or the elements and the error after them.
    func read<T: JSONConvertible & Hashable>(
        _ type: T.Type, _ text: UnsafeRawBufferPointer, at path: JSONPath, _ place: GuardedMemory.Place,
        with decoder: JSONModelDecoder
    ) throws -> AnyHashable {
        switch self {
        case .rawBuffer: return try decoder.decode(type, from: text, at: path)
        case .buffer: return try decoder.decode(type, from: text.assumingMemoryBound(to: UInt8.self), at: path)
        case .mutableRawBuffer:
            let bytes = UnsafeMutableRawBufferPointer(mutating: text)
            return try decoder.decode(type, from: bytes, at: path)
        case .mutableBuffer:
            let bytes = UnsafeMutableBufferPointer(mutating: Self.bytes(text))
            return try decoder.decode(type, from: bytes, at: path)
        case .span: return try decoder.decode(type, from: Self.bytes(text).span, at: path)
        case .rawSpan: return try decoder.decode(type, from: text.bytes, at: path)
        case .data: return try decoder.decode(type, from: Self.data(text), at: path)
        case .value: return try decoder.decode(JSONValue.self, from: text, at: path)
        case .raw: return try decoder.decode(JSONRaw.self, from: text, at: path).bytes
        case .codable, .json5:
            let codable = SluiceJSONDecoder()
            codable.source = decoder.source
            codable.allowsJSON5 = self == .json5
            return try codable.decode(JSONValue.self, from: Self.data(text))
        case .validate:
            try decoder.validate(text, at: path)
            return true
        case .validateLines:
            try decoder.validate(text, framing: .lines)
            return true
        case .partial:
            let partial = try decoder.decodePartially(type, from: text, at: path)
            return [partial.value.map { AnyHashable($0) }, partial.issues.map(\.description) as AnyHashable]
        case .prefix:
            let (value, count) = try decoder.decodePrefix(JSONValue.self, from: text)
            return [value as AnyHashable, count]
        case .firstContainer:
            let (value, count) = try decoder.decodePrefix(JSONValue.self, from: text, ignoresText: true)
            return [value as AnyHashable, count]
        case .merge, .mergePatch:
            var value: JSONValue = ["x": [1, 2, 3], "data": ["items": []], "id": "old", "a": ["b": nil]]
            let options: JSONMergeOptions =
                self == .merge ? JSONMergeOptions(nested: .merge, arrays: .byIndex) : .mergePatch
            try decoder.merge(text, into: &value, options: options)
            return value
        case .document: return elements(text, at: "[*]", .document, decoder)
        case .members:
            var members: [AnyHashable] = []
            let error = Outcome {
                try decoder.forEach(JSONMember<JSONValue>.self, in: text, at: "*") { member in
                    members.append([member.key as AnyHashable, member.value])
                }
            }
            return [members as AnyHashable, error]
        case .lines: return elements(text, .lines, decoder)
        case .concatenated: return elements(text, .concatenated, decoder)
        case .textSequence: return elements(text, .textSequence, decoder)
        case .events: return elements(text, .serverSentEvents, decoder)
        case .workers:
            var decoder = decoder
            decoder.workers = .exactly(2)
            return [elements(text, .lines, decoder), elements(text, at: "[*]", .document, decoder)]
        case .cursor: return pulled(text, .document, decoder)
        case .cursorOfLines: return pulled(text, .lines, decoder)
        case .feed: return pushed(text, sizes: [3, 40, 1], .document, place, decoder)
        case .feedOfLines: return pushed(text, sizes: [16, 2, 33], .lines, place, decoder)
        case .feedOfEvents: return pushed(text, sizes: [64, 5], .serverSentEvents, place, decoder)
        case .feedOfBytes: return pushed(text, sizes: [1], .concatenated, place, decoder)
        }
    }

    private static func bytes(_ text: UnsafeRawBufferPointer) -> UnsafeBufferPointer<UInt8> {
        text.assumingMemoryBound(to: UInt8.self)
    }

    /// Data in the same memory. No address is needed for no bytes.
    private static func data(_ text: UnsafeRawBufferPointer) -> Data {
        guard text.count > 0, let start = text.baseAddress else { return Data() }
        return Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: text.count, deallocator: .none)
    }

    private func elements(
        _ text: UnsafeRawBufferPointer, at path: JSONPath = JSONPath(), _ framing: JSONFraming,
        _ decoder: JSONModelDecoder
    ) -> AnyHashable {
        var elements: [JSONValue] = []
        let end = Outcome {
            try decoder.forEach(JSONValue.self, in: text, at: path, framing: framing) { elements.append($0) }
        }
        return [elements as AnyHashable, end]
    }

    private func pulled(
        _ text: UnsafeRawBufferPointer, _ framing: JSONFraming, _ decoder: JSONModelDecoder
    ) -> AnyHashable {
        var elements: [JSONValue] = []
        let end = Outcome {
            var cursor = decoder.cursor(of: JSONValue.self, in: text, framing: framing)
            while let element = try cursor.next() { elements.append(element) }
            return true
        }
        return [elements as AnyHashable, end]
    }

    /// The memory of a chunk is protected or has other contents when the next chunk is pushed.
    private func pushed(
        _ text: UnsafeRawBufferPointer, sizes: [Int], _ framing: JSONFraming, _ place: GuardedMemory.Place,
        _ decoder: JSONModelDecoder
    ) -> AnyHashable {
        let memory = GuardedMemory(byteCount: 64)
        var elements: [JSONValue] = []
        let end = Outcome {
            var feed = decoder.feed(of: JSONValue.self, framing: framing)
            var (rest, index) = (text[...], 0)
            while !rest.isEmpty {
                let size = sizes[index % sizes.count]
                let chunk = memory.hold(Array(rest.prefix(size))[...], at: place, filler: UInt8(ascii: "7"))
                elements += index % 2 == 0 ? try feed.push(chunk) : try feed.push(Self.bytes(chunk).span)
                (rest, index) = (rest.dropFirst(size), index + 1)
                _ = feed.snapshot().value
            }
            elements += try feed.finish()
            // The error after elements is thrown by the next call.
            elements += try feed.finish()
            return true
        }
        return [elements as AnyHashable, end]
    }
}

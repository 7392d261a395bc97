#if Macros
import Foundation
import Sluice
import TestSupport
import Testing

/// The streams of interfaces of language models, with invented content. The tool calls of each response fill the same models.
@Suite struct ProviderTests {
    @JSONModel(.partial) struct Leg: Equatable {
        let from: String
        let to: String
    }
    @JSONModel(.partial) struct Trip: Equatable {
        let title: String
        let nights: Int
        let legs: [Leg]
    }

    @JSONModel struct ProviderError: Equatable {
        let type: String
        let message: String
    }

    // MARK: The events of the interfaces

    /// A piece of the arguments of a call. The member `index` of a piece is the number of its call.
    @JSONModel struct CallPiece {
        let index: Int
        @JSONKey("function.arguments") var arguments = ""
    }

    @JSONModel struct ChatChunk {
        @JSONKey("choices[*].delta.tool_calls[*]") var calls: [CallPiece] = []
        let error: ProviderError?
    }

    @JSONModel(tag: "type", fallback: "other")
    enum ResponseEvent {
        @JSONKey("response.function_call_arguments.delta") case arguments(itemID: String, delta: String)
        case error(ProviderError)
        case other(String)
    }

    @JSONModel(tag: "type", fallback: "other")
    enum MessageEvent {
        @JSONKey("content_block_delta") case delta(BlockDelta)
        @JSONKey("content_block_stop") case stop(index: Int)
        case error(error: ProviderError)
        case other(String)
    }

    @JSONModel struct BlockDelta {
        let index: Int
        @JSONKey("delta.partial_json") let arguments: String?
    }

    // MARK: Reading

    private static let rome = Trip(
        title: "A weekend in Rome", nights: 3,
        legs: [Leg(from: "Bonn", to: "Basel"), Leg(from: "Basel", to: "Rome")])
    private static let oslo = Trip(title: "Fjords", nights: 5, legs: [Leg(from: "Bonn", to: "Oslo")])

    private static let decoders = JSONModelDecoder.Source.allCases.map { source in
        JSONModelDecoder.with { $0.source = source }
    }

    private func bytes(of name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Fixtures/Events")
        return Array(try Data(contentsOf: folder.appending(path: name).standardized))
    }

    private func chunks(_ name: String, size: Int) throws -> AsyncStream<[UInt8]> {
        let bytes = try bytes(of: name)
        return AsyncStream { continuation in
            for piece in bytes.pieces(of: size) { continuation.yield(Array(piece)) }
            continuation.finish()
        }
    }

    /// The calls of a response, as far as they are written.
    private struct Calls<Key: Hashable>: ~Copyable {
        var feeds: JSONFeedMap<Key, Trip.Partial>
        /// The titles and numbers of legs that each call has had, without repetitions.
        var states: [Key: [String]] = [:]

        init(_ decoder: JSONModelDecoder) { feeds = decoder.feeds(of: Trip.Partial.self) }

        mutating func add(_ text: String, to key: Key) throws {
            _ = try feeds[key].push(text.utf8)
            let trip = feeds[key].snapshot().value
            let state = "\(trip?.title ?? "…") \(trip?.legs?.count ?? 0)"
            if states[key]?.last != state { states[key, default: []].append(state) }
        }

        /// Ends all calls.
        mutating func finish() throws -> [Key: Trip.Partial] {
            var trips: [Key: Trip.Partial] = [:]
            for key in feeds.keys {
                trips[key] = feeds[key].snapshot().value
                _ = try feeds.finish(key)
            }
            #expect(feeds.keys.isEmpty)
            return trips
        }
    }

    private func expect<Key: Hashable>(
        _ calls: consuming Calls<Key>, _ rome: Key, _ oslo: Key, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var calls = calls
        #expect(calls.feeds.keys == [rome, oslo], sourceLocation: sourceLocation)
        for (key, trip) in [(rome, Self.rome), (oslo, Self.oslo)] {
            let states = calls.states[key] ?? []
            #expect(states.last == "\(trip.title) \(trip.legs.count)", "\(states)", sourceLocation: sourceLocation)
            #expect(states.count > 2, "\(states)", sourceLocation: sourceLocation)
        }
        let trips = try calls.finish()
        for (key, trip) in [(rome, Self.rome), (oslo, Self.oslo)] {
            let found = try #require(trips[key], sourceLocation: sourceLocation)
            #expect(found.title == trip.title && found.nights == trip.nights, sourceLocation: sourceLocation)
            #expect(
                found.legs?.map { Leg(from: $0.from ?? "", to: $0.to ?? "") } == trip.legs,
                sourceLocation: sourceLocation)
        }
    }

    @Test(
        arguments: [("openai-chat.sse", JSONFraming.serverSentEvents), ("lines-of-data.sse", .dataLines)],
        [1, 64, 100_000])
    func `calls of chat completions, whose pieces alternate`(_ file: (String, JSONFraming), _ size: Int)
        async throws
    {
        for decoder in Self.decoders {
            var calls = Calls<Int>(decoder)
            let body = try chunks(file.0, size: size)
            for try await chunk in decoder.elements(of: ChatChunk.self, in: body, framing: file.1) {
                #expect(chunk.error == nil)
                for piece in chunk.calls { try calls.add(piece.arguments, to: piece.index) }
            }
            try expect(calls, 0, 1)
        }
    }

    @Test(arguments: [1, 64, 100_000]) func `calls of responses have identifiers`(_ size: Int) async throws {
        for decoder in Self.decoders {
            var snake = decoder
            snake.keyStrategy = .snakeCase
            var calls = Calls<String>(decoder)
            let body = try chunks("openai-responses.sse", size: size)
            for try await event in snake.elements(of: ResponseEvent.self, in: body, framing: .serverSentEvents) {
                if case .arguments(let id, let delta) = event { try calls.add(delta, to: id) }
                if case .error(let error) = event { Issue.record("\(error)") }
            }
            try expect(calls, "fc_rome", "fc_oslo")
        }
    }

    @Test(arguments: [1, 64, 100_000]) func `calls of messages are blocks of their content`(_ size: Int)
        async throws
    {
        for decoder in Self.decoders {
            var calls = Calls<Int>(decoder)
            let body = try chunks("anthropic.sse", size: size)
            for try await event in decoder.elements(of: MessageEvent.self, in: body, framing: .serverSentEvents) {
                guard case .delta(let delta) = event, let arguments = delta.arguments else { continue }
                try calls.add(arguments, to: delta.index)
            }
            try expect(calls, 1, 2)
        }
    }

    @Test func `an error in the middle keeps what was written before`() async throws {
        for decoder in Self.decoders {
            var calls = Calls<Int>(decoder)
            var errors: [ProviderError] = []
            let body = try chunks("anthropic-error.sse", size: 50)
            for try await event in decoder.elements(of: MessageEvent.self, in: body, framing: .serverSentEvents) {
                switch event {
                case .delta(let delta): if let text = delta.arguments { try calls.add(text, to: delta.index) }
                case .error(let error): errors.append(error)
                case .stop, .other: break
                }
            }
            #expect(errors == [ProviderError(type: "overloaded_error", message: "Overloaded")])
            #expect(calls.feeds[1].snapshot().value?.title == "A weekend in Rome")
            #expect(throws: JSONModelError.self) { try calls.feeds.finish(1) }
        }
    }

    @Test(arguments: [1, 64, 100_000]) func `whole calls are elements`(_ size: Int) async throws {
        for decoder in Self.decoders {
            var trips: [Trip] = []
            let path: JSONPath = "candidates[*].content.parts[*].functionCall.args"
            let body = try chunks("gemini.sse", size: size)
            for try await trip in decoder.elements(of: Trip.self, in: body, at: path, framing: .serverSentEvents) {
                trips.append(trip)
            }
            let lines = try chunks("ollama.jsonl", size: size)
            let calls: JSONPath = "message.tool_calls[*].function.arguments"
            for try await trip in decoder.elements(of: Trip.self, in: lines, at: calls, framing: .lines) {
                trips.append(trip)
            }
            #expect(trips == [Self.rome, Self.oslo, Self.rome, Self.oslo])
        }
    }

    @Test func `feeds of a map are independent`() throws {
        for decoder in Self.decoders {
            var feeds = decoder.feeds(of: Trip.Partial.self, by: String.self)
            _ = try feeds["a"].push(Array(#"{"title": "x"#.utf8))
            #expect(throws: JSONModelError.self) {
                _ = try feeds["b"].push(Array("nonsense".utf8))
                _ = try feeds["b"].finish()
            }
            _ = try feeds["a"].push(Array("y".utf8))
            #expect(feeds["a"].snapshot().value?.title == "xy" && feeds.keys == ["a", "b"])
            #expect(try feeds.finish("c").isEmpty)
            #expect(throws: JSONModelError.self) { try feeds.finish("a") }
            #expect(feeds.keys == ["b"] && feeds["a"].snapshot().value == nil && feeds.keys == ["b", "a"])
        }
    }
}
#endif

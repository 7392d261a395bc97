import Foundation
import GeneratedRecords
import Sluice

/// A measurement of calls that decode a short document, whose time is mostly the fixed cost of a call.
struct SmallCalls {
    let name: String
    let bytes: Int
    /// The ways to decode the document: Sluice with each source, then Foundation.
    let ways: [(name: String, run: () throws -> Void)]

    static func all(_ sources: [Source]) throws -> [SmallCalls] {
        let records = RecordGenerator(size: 1_000_000).bytes()
        let record = try JSONModelDecoder().decode([JSONRaw].self, from: records)[0].description
        return [
            try SmallCalls("object", #"{"id":123456,"tag":"swift json"}"#, as: SmallObject.self, sources),
            try SmallCalls("array", #"{"text":"swift","indices":[1,2]}"#, as: Hashtag.self, sources),
            try SmallCalls("record", record, as: Record.self, sources),
        ]
    }

    private init<Model: JSONModel & Decodable & Equatable>(
        _ name: String, _ text: String, as type: Model.Type, _ sources: [Source]
    ) throws {
        let bytes = Array(text.utf8)
        let data = Data(bytes)
        let foundation = JSONDecoder()
        let expected = try foundation.decode(type, from: data)
        self.name = name
        self.bytes = bytes.count
        ways =
            try sources.map { source in
                let decoder = source.decoder
                guard try decoder.decode(type, from: bytes) == expected else {
                    throw FloorError("\(name): Sluice (\(source)) and Foundation make different models.")
                }
                return (source.rawValue, { keep(try decoder.decode(type, from: bytes)) })
            } + [("Foundation", { keep(try foundation.decode(type, from: data)) })]
    }

    /// The number of calls in a measured run.
    private static let calls = 2_000

    /// Returns the median time of a call in nanoseconds, for each way.
    func measure(rounds: Int) throws -> [Double] {
        let runs = ways.map { way in
            { for _ in 0..<Self.calls { try way.run() } }
        }
        return try Rounds(count: rounds).medians(of: runs).map { $0 * 1e9 / Double(Self.calls) }
    }
}

@JSONModel
struct SmallObject: Decodable, Equatable {
    let id: Int
    let tag: String
}

@JSONModel
struct Hashtag: Decodable, Equatable {
    let text: String
    let indices: [Int]
}

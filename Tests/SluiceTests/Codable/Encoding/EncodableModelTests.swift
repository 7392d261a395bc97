import Foundation
import Sluice
import Testing

/// Values of `Encodable` types without a plan, as properties of models: they are written in the place and with the options of the
/// encoder.
@Suite struct EncodableModelTests {
    struct Point: Codable, Equatable {
        var y: Double
        var x: Double
        var at: Date?
    }

    struct Track: JSONModel, Equatable {
        var name = ""
        var start = Point(y: 0, x: 0)
        var rest: [JSONCodable<Point>] = []

        static let plan = ModelPlan<Track>(
            JSONField(\.name, key: "name"), JSONField(\.start, key: "start"), JSONField(\.rest, key: "rest"))

        static func == (left: Track, right: Track) -> Bool {
            left.name == right.name && left.start == right.start
                && left.rest.map(\.value) == right.rest.map(\.value)
        }
    }

    private let track = Track(
        name: "a", start: Point(y: 1, x: 2), rest: [JSONCodable(Point(y: 3, x: 4.5))])

    private func text(_ track: Track, _ change: (inout JSONModelEncoder) -> Void) throws -> String {
        var encoder = JSONModelEncoder()
        change(&encoder)
        return String(decoding: try encoder.encode(track), as: UTF8.self)
    }

    @Test func `compact text has the order of the type's own encoding`() throws {
        #expect(try text(track) { _ in } == #"{"name":"a","start":{"y":1.0,"x":2.0},"rest":[{"y":3.0,"x":4.5}]}"#)
    }

    @Test func `keys are sorted and lines are indented as in the rest of the output`() throws {
        let written = try text(track) {
            $0.formatting = .pretty
            $0.keyOrder = .sorted
        }
        #expect(
            written == """
                {
                  "name": "a",
                  "rest": [
                    {
                      "x": 4.5,
                      "y": 3.0
                    }
                  ],
                  "start": {
                    "x": 2.0,
                    "y": 1.0
                  }
                }
                """)
        #expect(try JSONModelDecoder().decode(Track.self, from: written) == track)
    }

    @Test func `numbers that JSON lacks follow the strategy of the encoder`() throws {
        var track = track
        track.start.x = .infinity
        track.rest[0].value.y = .nan
        let written = try text(track) { $0.nonConformingFloatStrategy = .null }
        #expect(written == #"{"name":"a","start":{"y":1.0,"x":null},"rest":[{"y":null,"x":4.5}]}"#)
        let error = try #require(throws: JSONModelError.self) { try text(track) { _ in } }
        #expect(error.issues[0].path == "start.x")
        track.start.x = 2
        let second = try #require(throws: JSONModelError.self) { try text(track) { _ in } }
        #expect(second.issues[0].path == "rest[0].y")
    }

    @Test func `a date follows the strategy of the encoder`() throws {
        var track = track
        track.start.at = Date(timeIntervalSince1970: 1.5)
        let written = try text(track) { $0.dateStrategy = .millisecondsSince1970 }
        #expect(written.contains(#""start":{"y":1.0,"x":2.0,"at":1500}"#))
    }

    @Test func `the limit of nesting counts the brackets around the value`() throws {
        #expect(throws: JSONModelError.self) { try text(track) { $0.limits.depth = 2 } }
        #expect(try text(track) { $0.limits.depth = 3 }.isEmpty == false)
    }
}

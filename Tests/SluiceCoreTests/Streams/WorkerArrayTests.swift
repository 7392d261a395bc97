import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Arrays whose elements several threads decode.
@Suite(.serialized, .tags(.workers)) struct WorkerArrayTests {
    private enum Group: InstanceGroup { static let instances = InstanceCounter() }

    private struct Row: JSONModel {
        var id: Int
        var name: Instance<Group>?
        static let plan = ModelPlan<Row>(JSONField(\.id), JSONField(\.name))
    }

    private static let count = 12_000

    /// The text of an array.
    ///
    /// - Parameter length: Returns the length of the name of an element.
    private static func text(_ length: (Int) -> Int) -> String {
        let rows = (0..<count).map { "{\"id\":\($0),\"name\":\"\(String(repeating: "n", count: length($0)))\"}" }
        return "[\(rows.joined(separator: ","))]"
    }

    private static func decoder(_ source: JSONModelDecoder.Source) -> JSONModelDecoder {
        var decoder = JSONModelDecoder(from: source)
        decoder.workers = .exactly(3)
        decoder.workers.batchSize = 1_000
        return decoder
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the memory of an array follows from the elements so far`(_ source: JSONModelDecoder.Source) throws {
        let decoder = Self.decoder(source)
        let half = Self.count / 2
        for (text, limit) in [
            (Self.text { _ in 20 }, 1.1), (Self.text { $0 < half ? 1 : 200 }, 11),
            (Self.text { $0 < half ? 200 : 1 }, 2.5),
        ] {
            let rows = try decoder.decode([Row].self, from: text)
            #expect(rows.map(\.id) == Array(0..<Self.count))
            #expect(rows.allSatisfy { $0.name != nil })
            #expect(Double(rows.capacity) <= limit * Double(Self.count))
        }
        #expect(Group.instances.takeLive() == 0)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an error after many elements destroys them`(_ source: JSONModelDecoder.Source) throws {
        var decoder = Self.decoder(source)
        let text = Self.text { _ in 3 }.dropLast() + ",{\"id\":true}]"
        let error = #expect(throws: JSONModelError.self) { try decoder.decode([Row].self, from: String(text)) }
        decoder.workers = .exactly(1)
        let expected = #expect(throws: JSONModelError.self) { try decoder.decode([Row].self, from: String(text)) }
        #expect(error?.description == expected?.description)
        #expect(Group.instances.takeLive() == 0)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `null at the path of an array is an error`(_ source: JSONModelDecoder.Source) {
        var decoder = Self.decoder(source)
        let rows = Self.text { _ in 3 }
        for text in [
            "{\"items\":\(rows),\"items\":null}", "{\"items\":null,\"items\":\(rows)}",
            "{\"items\":null,\"others\":\(rows)}",
        ] {
            for workers in [1, 3] {
                decoder.workers = .exactly(workers)
                decoder.workers.batchSize = 1_000
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode([Row].self, from: text, at: "items")
                }
                #expect(error?.issues.first?.path == "items", "\(workers)")
            }
        }
        #expect(Group.instances.takeLive() == 0)
    }

    /// Chunks are read once, and the elements of several arrays are no array.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `chunks, and a path to several values, have the error of one thread`(_ source: JSONModelDecoder.Source) {
        var decoder = Self.decoder(source)
        let rows = Self.text { _ in 3 }
        let chunks = Array((rows.dropLast() + ",{\"id\":true}]").utf8).pieces(of: 5_000)
        var errors: [[String?]] = []
        for workers in [1, 3] {
            decoder.workers = .exactly(workers)
            decoder.workers.batchSize = 1_000
            let errorOfChunks = #expect(throws: JSONModelError.self) {
                try decoder.decode([Row].self, from: .chunks(chunks))
            }
            let errorOfPath = #expect(throws: JSONModelError.self) {
                try decoder.decode([Row].self, from: rows, at: "[*]")
            }
            errors.append([errorOfChunks?.description, errorOfPath?.description])
        }
        #expect(errors[0] == errors[1])
        #expect(Group.instances.takeLive() == 0)
    }

    private struct Reversed: JSONTransform {
        func decode(_ json: [Int]) throws -> [Int] { json.reversed() }
        func encode(_ value: [Int]) throws -> [Int] { value.reversed() }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a transform of the array applies`(_ source: JSONModelDecoder.Source) throws {
        var decoder = Self.decoder(source)
        decoder.register(Reversed())
        let text = "[\((0..<Self.count).map(String.init).joined(separator: ","))]"
        let numbers = try decoder.decode([Int].self, from: text)
        #expect(numbers == Array((0..<Self.count).reversed()))
    }
}

import TestSupport
import Testing

@testable import SluiceCodable
@testable import SluiceCore

@Suite(.tags(.encoding)) struct EncodingTapeTests {
    private struct TextKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// An object with many names, or an array with many nested containers.
    private struct Large: Encodable {
        let isObject: Bool
        let count: Int

        func encode(to encoder: any Encoder) throws {
            if isObject {
                var container = encoder.container(keyedBy: TextKey.self)
                for index in 0..<count { try container.encode(index, forKey: TextKey("\(index)")) }
            } else {
                var container = encoder.unkeyedContainer()
                for _ in 0..<count { _ = container.nestedUnkeyedContainer() }
            }
        }
    }

    // Tables are never released.
    private static let types = EncodableTypes(special: { _ in nil })

    @Test(arguments: [true, false], [true, false])
    func `the memory of a large value is freed after the call`(isObject: Bool, isSorted: Bool) throws {
        var models = EncodingOptions()
        models.isSorted = isSorted
        let options = EncodableOptions(types: Self.types, modelOptions: models, depthLimit: 512)
        let tape = EncodingTape(options)
        let first = tape.size
        func encode(_ count: Int) throws -> Int {
            let value = Large(isObject: isObject, count: count)
            try withUnsafePointer(to: value) { try tape.encodeRoot(at: $0) }
            return tape.out.count
        }
        _ = try encode(100)
        tape.restart()
        let small = tape.size
        #expect(small < 100_000)
        // The memory of small values is kept.
        let length = try encode(100)
        tape.restart()
        #expect(tape.size == small)
        _ = try encode(20_000)
        tape.restart()
        #expect(tape.size == first)
        #expect(try encode(100) == length)
    }
}

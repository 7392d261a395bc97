import Foundation
import Testing

@Suite struct InterfaceTests {
    @Test func `a decoder has the default options`() {
        let decoder = JSONDecoder()
        if case .deferredToDate = decoder.dateDecodingStrategy {} else { Issue.record("dates") }
        if case .base64 = decoder.dataDecodingStrategy {} else { Issue.record("data") }
        if case .throw = decoder.nonConformingFloatDecodingStrategy {} else { Issue.record("floats") }
        if case .useDefaultKeys = decoder.keyDecodingStrategy {} else { Issue.record("keys") }
        #expect(decoder.userInfo.isEmpty && !decoder.allowsJSON5 && !decoder.assumesTopLevelDictionary)
    }

    @Test func `an encoder has the default options`() {
        let encoder = JSONEncoder()
        if case .deferredToDate = encoder.dateEncodingStrategy {} else { Issue.record("dates") }
        if case .base64 = encoder.dataEncodingStrategy {} else { Issue.record("data") }
        if case .throw = encoder.nonConformingFloatEncodingStrategy {} else { Issue.record("floats") }
        if case .useDefaultKeys = encoder.keyEncodingStrategy {} else { Issue.record("keys") }
        #expect(encoder.userInfo.isEmpty && encoder.outputFormatting.isEmpty)
    }

    @Test func `options are read as they are set`() {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.dataDecodingStrategy = .deferredToData
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "n")
        decoder.userInfo[.closure] = 1
        if case .iso8601 = decoder.dateDecodingStrategy {} else { Issue.record("dates") }
        if case .deferredToData = decoder.dataDecodingStrategy {} else { Issue.record("data") }
        if case .convertFromSnakeCase = decoder.keyDecodingStrategy {} else { Issue.record("keys") }
        if case .convertFromString("+", "-", "n") = decoder.nonConformingFloatDecodingStrategy {
        } else {
            Issue.record("floats")
        }
        #expect(decoder.userInfo[.closure] as? Int == 1)
        decoder.userInfo = [:]
        #expect(decoder.userInfo.isEmpty)
        let encoder = JSONEncoder()
        encoder.outputFormatting.insert(.sortedKeys)
        encoder.outputFormatting.insert(.prettyPrinted)
        #expect(encoder.outputFormatting == [.prettyPrinted, .sortedKeys])
    }

    @Test func `options change between calls`() throws {
        let decoder = JSONDecoder()
        let data = Data(#"{"value":1,"VALUE":2}"#.utf8)
        #expect(try decoder.decode(Box<Date>.self, from: data).value.timeIntervalSinceReferenceDate == 1)
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(try decoder.decode(Box<Date>.self, from: data).value.timeIntervalSince1970 == 1)
        decoder.keyDecodingStrategy = .custom { AnyKey($0.last!.stringValue == "VALUE" ? "value" : "other") }
        #expect(try decoder.decode(Box<Date>.self, from: data).value.timeIntervalSince1970 == 2)
        let encoder = JSONEncoder()
        #expect(try encoder.encode(Box(value: "/")) == Data(#"{"value":"\/"}"#.utf8))
        encoder.outputFormatting = [.withoutEscapingSlashes, .prettyPrinted]
        #expect(try encoder.encode(Box(value: "/")) == Data("{\n  \"value\" : \"/\"\n}".utf8))
        encoder.keyEncodingStrategy = .custom { _ in AnyKey("x") }
        encoder.outputFormatting = []
        #expect(try encoder.encode(Box(value: 1)) == Data(#"{"x":1}"#.utf8))
    }

    private class Decoder: JSONDecoder, @unchecked Sendable {
        override init() {
            super.init()
            keyDecodingStrategy = .convertFromSnakeCase
        }

        override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            try super.decode(type, from: data.dropFirst())
        }
    }

    private class Encoder: JSONEncoder, @unchecked Sendable {
        override func encode<T: Encodable>(_ value: T) throws -> Data { try super.encode([value]) }
    }

    @Test func `decoders and encoders have subclasses`() throws {
        struct Item: Decodable { let longName: Int }
        let decoder: JSONDecoder = Decoder()
        #expect(try decoder.decode(Item.self, from: Data(#"x{"long_name":1}"#.utf8)).longName == 1)
        let encoder: JSONEncoder = Encoder()
        #expect(try encoder.encode(1) == Data("[1]".utf8))
    }

    @Test func `tasks share a decoder and an encoder`() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = JSONEncoder()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let value = try decoder.decode([Box<Int>].self, from: Data("[{\"value\":\(index)}]".utf8))[0]
                        .value
                    return try encoder.encode([value]) == Data("[\(value)]".utf8) ? value : -1_000_000
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 4950)
    }

    @Test func `a value is encoded and decoded without a change`() throws {
        struct Everything: Codable, Equatable {
            var bool = true
            var numbers: [Double] = [0.1, -2.5e-300, 1e300, 3]
            var large = UInt64.max
            var text = "quoted \"\\/\n\u{1}é😀"
            var optional: [Int?] = [1, nil]
            var nested = ["a b": ["": Box(value: Decimal(string: "12345678901234567890.125"))]]
            var date = Date(timeIntervalSinceReferenceDate: 123456.75)
            var data = Data((0..<256).map { UInt8($0) })
            var url = URL(string: "https://a.b/c?d=%20#e")!
            var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
            var levels: [CollectionDecodingTests.Level: [OtherTypeDecodingTests.Shape]] = [
                .low: [.point, .circle(radius: 2)]
            ]
        }
        let value = Everything()
        for formatting in [[], .prettyPrinted, [.sortedKeys, .withoutEscapingSlashes]]
            as [JSONEncoder.OutputFormatting]
        {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            #expect(try JSONDecoder().decode(Everything.self, from: encoder.encode(value)) == value)
        }
    }
}

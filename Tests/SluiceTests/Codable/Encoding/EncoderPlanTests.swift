import Foundation
import Sluice
import TestSupport
import Testing

/// Values with plans inside of `Encodable` values, and `Encodable` values in encoders of models.
@Suite struct EncoderPlanTests {
    private struct Point: JSONModel, Encodable {
        let x: Int
        let label: String?
        let rest: [Int]

        static let plan = ModelPlan<Point>(
            JSONField(\.x, key: "planned_x"), JSONField(\.label, key: "label"), JSONField(\.rest, key: "rest"))
    }

    /// A type without a plan.
    private struct Line: Encodable {
        var points: [Point]
        var first: Point?
        var named: [String: Point] = [:]
        var date = Date(timeIntervalSince1970: 0)
        var ratio = 2.0
    }

    private static let point = Point(x: 1, label: "a/b", rest: [])

    @Test func `a model inside of a value is written by its plan`() throws {
        let encoder = SluiceJSONEncoder()
        let json = #"{"planned_x":1,"label":"a\/b","rest":[]}"#
        #expect(try encoder.encode(Self.point, as: .string) == json)
        let line = Line(points: [Self.point, Self.point], first: Self.point, named: ["n": Self.point])
        #expect(
            try encoder.encode(line, as: .string)
                == #"{"points":[\#(json),\#(json)],"first":\#(json),"named":{"n":\#(json)},"date":-978307200,"ratio":2}"#
        )
    }

    private struct Planned: JSONModel, Encodable {
        let map: [String: Int]
        let values: JSONValue
        static let plan = ModelPlan<Planned>(JSONField(\.map, key: "map"), JSONField(\.values, key: "values"))
    }

    private struct Plain: Encodable {
        let map: [String: Int]
        let values: [String: Bool]
    }

    @Test func `a dictionary of a model has the layout of the encoder`() throws {
        for options in EncoderOptions().layouts {
            let theirs = try options.foundation.encode(Plain(map: ["a": 1], values: ["b": true]))
            let ours = try options.sluice.encode(Planned(map: ["a": 1], values: ["b": true]))
            #expect(String(decoding: ours, as: UTF8.self) == String(decoding: theirs, as: UTF8.self))
        }
    }

    @Test func `a model has the layout of the encoder`() throws {
        struct Same: Encodable {
            let label: String
            let x: Int
            let rest: [Int]

            enum CodingKeys: String, CodingKey {
                case label, rest
                case x = "planned_x"
            }
        }
        let options = EncoderOptions()
        for options in options.layouts {
            let theirs = try options.foundation.encode(["a": [Same(label: "a/b", x: 1, rest: [])]])
            let ours = try options.sluice.encode(["a": [Self.point]])
            #expect(String(decoding: ours, as: UTF8.self) == String(decoding: theirs, as: UTF8.self))
        }
    }

    @Test(arguments: ["[12345678901234567890123]", "[1.50,1e2]", "1e400", #"{"someKey":[],"aB":{"c/d":null}}"#])
    func `any JSON keeps its digits and its keys`(text: String) throws {
        let value = try JSONValue(parsing: text)
        let encoder = SluiceJSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.keyEncodingStrategy = .convertToSnakeCase
        #expect(try encoder.encode(value, as: .string) == text)
        #expect(try encoder.encode(["k": [value]], as: .string) == #"{"k":[\#(text)]}"#)
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(JSONValue.self, from: text).description == text)
        #expect(try decoder.decode([String: [JSONValue]].self, from: #"{"a_b":[\#(text)]}"#) == ["a_b": [value]])
    }

    @Test func `any JSON has the layout of the encoder`() throws {
        let value: JSONValue = ["b/c": ["k": [1, -2.5, "é/"]], "c": [:], "a": [[], nil, true]]
        try expectSameJSON(value)
        try expectSameJSON([value, 7])
    }

    private struct Owner: JSONModel, Codable, Equatable {
        let loginName: String
        static let plan = ModelPlan<Owner>(JSONField(\.loginName))
    }

    private struct Account: Codable, Equatable {
        let fullName: String
        let owner: Owner
    }

    @Test func `the snake case of the encoder applies to models, as that of the decoder does`() throws {
        let encoder = SluiceJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let account = Account(fullName: "a", owner: Owner(loginName: "b"))
        let text = #"{"full_name":"a","owner":{"login_name":"b"}}"#
        #expect(try decoder.decode(Account.self, from: Data(text.utf8)) == account)
        #expect(try encoder.encode(account, as: .string) == text)
        #expect(
            try SluiceJSONEncoder().encode(account, as: .string)
                == #"{"fullName":"a","owner":{"loginName":"b"}}"#)
    }

    private struct Price: Codable, Equatable {
        let netAmount: Double
        let paidAt: Date
    }

    /// A model with values that only `Codable` describes.
    private struct Order: JSONModel, Codable, Equatable {
        let orderNumber: Int
        let unitPrice: Price
        let otherPrices: [Price]
        static let plan = ModelPlan<Order>(
            JSONField(\.orderNumber), JSONField(\.unitPrice), JSONField(\.otherPrices))
    }

    private struct Cart: Codable, Equatable {
        let firstOrder: Order
    }

    /// The information of its coder.
    private struct Informed: Codable {
        static let key = CodingUserInfoKey(rawValue: "text")
        let text: String

        init(from decoder: any Decoder) throws {
            text = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "none"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String } ?? "none")
        }
    }

    private struct Holder: JSONModel, Codable {
        let informed: Informed
        static let plan = ModelPlan<Holder>(JSONField(\.informed))
    }

    @Test func `the strategies of the coders apply to types without a plan inside of models`() throws {
        let encoder = SluiceJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .millisecondsSince1970
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        let order = Order(
            orderNumber: 1, unitPrice: Price(netAmount: 2.5, paidAt: Date(timeIntervalSince1970: 1)),
            otherPrices: [Price(netAmount: .infinity, paidAt: Date(timeIntervalSince1970: 2))])
        let text =
            #"{"order_number":1,"unit_price":{"net_amount":2.5,"paid_at":1000},"other_prices":[{"net_amount":"+","paid_at":2000}]}"#
        let cart = #"{"first_order":\#(text)}"#
        #expect(try encoder.encode(order, as: .string) == text)
        #expect(try encoder.encode(Cart(firstOrder: order), as: .string) == cart)
        #expect(try decoder.decode(Order.self, from: text) == order)
        #expect(try decoder.decode(Cart.self, from: Data(cart.utf8)) == Cart(firstOrder: order))
        #expect(try decoder.decode(Order.self, from: cart, at: "first_order") == order)
        let orders = try decoder.models.all(Order.self, in: "[\(text)]")
        #expect(orders == [order])
        // An error has the location of its value.
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode(Order.self, from: text.replacing("1000", with: "true"))
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect((context.underlyingError as? JSONModelError)?.issues.first?.location.offset == 59)
    }

    @Test func `the information of the coders arrives in types without a plan inside of models`() throws {
        let (encoder, decoder) = (SluiceJSONEncoder(), SluiceJSONDecoder())
        guard let key = Informed.key else { return }
        encoder.userInfo[key] = "out"
        decoder.userInfo[key] = "in"
        let holders = try decoder.decode([Holder].self, from: #"[{"informed":1}]"#)
        #expect(holders.map(\.informed.text) == ["in"])
        #expect(try encoder.encode(holders, as: .string) == #"[{"informed":"out"}]"#)
    }

    private struct Base: JSONModel, Codable {
        let fullName: String
        let owner: Owner
        let price: Decimal
        let code: Int
        static let plan = ModelPlan<Base>(
            JSONField(\.fullName), JSONField(\.owner), JSONField(\.price), JSONField(\.code, key: "CodeOf"))

        init(from decoder: any Decoder) throws { self = try Self.jsonDecoded(from: decoder) }
        func encode(to encoder: any Encoder) throws { try jsonEncode(to: encoder) }
    }

    /// A type that calls the coding of a model, and of any JSON, with its own coder.
    private struct Flattened: Codable {
        let base: Base
        let all: JSONValue

        init(from decoder: any Decoder) throws {
            base = try Base(from: decoder)
            all = try JSONValue(from: decoder)
        }

        func encode(to encoder: any Encoder) throws { try base.encode(to: encoder) }
    }

    private struct Written: Encodable {
        let value: JSONValue
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    /// Two values with one encoder.
    private struct Pair: Encodable {
        let first: JSONValue
        let second: JSONValue
        func encode(to encoder: any Encoder) throws {
            try first.encode(to: encoder)
            try second.encode(to: encoder)
        }
    }

    private struct Priced: JSONModel, Codable {
        let price: Double
        static let plan = ModelPlan<Priced>(JSONField(\.price))
    }

    private struct Passing: Encodable {
        let model: Priced
        func encode(to encoder: any Encoder) throws { try model.jsonEncode(to: encoder) }
    }

    @Test func `the error of a model is the same if a value passes its own coder to the model`() throws {
        func context(_ value: some Encodable) throws -> EncodingError.Context {
            let error = #expect(throws: EncodingError.self) {
                try SluiceJSONEncoder().encode(["a": value], as: .string)
            }
            guard case .invalidValue(_, let context) = error else { throw CancellationError() }
            return context
        }
        let model = Priced(price: .nan)
        for context in [try context(model), try context(Passing(model: model))] {
            #expect(context.codingPath.map { $0.stringValue } == ["a", "price"])
            let issue = (context.underlyingError as? JSONModelError)?.issues.first
            #expect(issue?.path == "a.price")
        }
    }

    @Test func `a model and any JSON are coded alike if a type passes its own coder`() throws {
        let encoder = SluiceJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let text = #"{"full_name":"a","owner":{"login_name":"b"},"price":0.12345678901234567890123,"CodeOf":1}"#
        let value = try decoder.decode(Flattened.self, from: text)
        #expect(value.base.fullName == "a")
        #expect(value.base.owner == Owner(loginName: "b"))
        #expect(value.base.price == Decimal(string: "0.12345678901234567890123"))
        #expect(value.base.code == 1)
        #expect(value.all.description == text)
        #expect(try encoder.encode(value, as: .string) == text)
        for text in ["12345678901234567890123", #"{"someKey":{"aB":1e400},"k":[]}"#] {
            let written = Written(value: try JSONValue(parsing: text))
            #expect(try encoder.encode(written, as: .string) == text)
        }
        let equivalent = "{\"\u{E9}\":1,\"e\u{301}\":[{}],\"aB\":{\"cD\":2}}"
        for encoder in [encoder, SluiceJSONEncoder()] {
            let written = try encoder.encode([Written(value: JSONValue(parsing: equivalent))], as: .bytes)
            #expect(written == Array("[\(equivalent)]".utf8))
            // Another object adds its members.
            let both = try encoder.encode(
                Pair(first: ["a": 1, "bC": 2], second: ["bC": [3], "d": nil]), as: .string)
            #expect(both == #"{"a":1,"bC":[3],"d":null}"#)
        }
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode([Flattened].self, from: #"[{"full_name":"a","owner":{"login_name":7}}]"#)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        let issue = try #require(context.underlyingError as? JSONModelError).issues[0]
        #expect(issue.path == "[0].owner.login_name")
        #expect(issue.location.offset == 40)
    }

    private struct Numbers: JSONModel, Encodable {
        let values: [Double]
        static let plan = ModelPlan<Numbers>(JSONField(\.values))
    }

    @Test func `the error of a plan is an encoding error with the whole path`() throws {
        let failure = EncodingFailure { _ = try SluiceJSONEncoder().encode(["a": [Numbers(values: [1, .nan])]]) }
        #expect(failure?.path == ["a", "Index 0", "values", "Index 1"])
    }

    @Test func `the error of a model that a type passes its encoder to is an encoding error, too`() throws {
        struct Wrapper: Encodable {
            let numbers: Numbers
            func encode(to encoder: any Encoder) throws { try numbers.jsonEncode(to: encoder) }
        }
        let value = ["a": [Wrapper(numbers: Numbers(values: [1, .nan]))]]
        let wrapped = EncodingFailure { _ = try SluiceJSONEncoder().encode(value) }
        #expect(wrapped?.path == ["a", "Index 0", "values", "Index 1"])
        #expect(try failure { _ = try JSONModelEncoder().encode(value) }.path == "a[0].values[1]")
    }

    @Test func `a coding key with an integer is a key in the path of a plan's error`() throws {
        struct Numbered: Encodable {
            enum CodingKeys: Int, CodingKey { case numbers = 7 }
            let numbers: [Numbers]
        }
        let numbers = Numbers(values: [.nan])
        let error = #expect(throws: JSONModelError.self) {
            _ = try JSONModelEncoder().encode(Numbered(numbers: [numbers]))
        }
        #expect(error?.issues.first?.path == "numbers[0].values[0]")
        do {
            _ = try SluiceJSONEncoder().encode(["1": numbers])
            Issue.record("the number was encoded")
        } catch EncodingError.invalidValue(_, let context) {
            let issue = try #require(context.underlyingError as? JSONModelError).issues[0]
            #expect(issue.path == JSONPath([.key("1"), .key("values"), .index(0)]))
        }
    }

    @Test func `the depth of a plan counts`() throws {
        struct Node: JSONModel, Encodable {
            let next: [Node]
            static let plan = ModelPlan<Node>(JSONField(\.next, key: "next"))
        }
        var node = Node(next: [])
        for _ in 0..<254 { node = Node(next: [node]) }
        _ = try SluiceJSONEncoder().encode(node)
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().encode([[node]]) }
    }

    // MARK: Encoders of models

    @Test func `an encoder of models encodes other types`() throws {
        let line = Line(points: [Self.point], first: nil)
        let json =
            #"{"points":[{"planned_x":1,"label":"a/b","rest":[]}],"named":{},"date":"1970-01-01T00:00:00Z","ratio":2.0}"#
        let encoder = JSONModelEncoder()
        #expect(try encoder.encode(line, as: .string) == json)
        #expect(try encoder.encode(line) == Array(json.utf8))
        #expect(try encoder.encode([line], as: .string) == "[\(json)]")
        var pieces: [UInt8] = []
        try encoder.write(line) { pieces += $0 }
        #expect(pieces == Array(json.utf8))
        pieces = []
        try encoder.write(elements: [line, line]) { pieces += $0 }
        #expect(pieces == Array("[\(json),\(json)]".utf8))
        var lines: [UInt8] = []
        var writer = encoder.writer(to: { lines += $0 }, framing: .lines)
        try writer.write(line)
        try writer.write(Self.point)
        try writer.finish()
        #expect(
            String(decoding: lines, as: UTF8.self) == json + "\n" + #"{"planned_x":1,"label":"a/b","rest":[]}"#
                + "\n")
    }

    @Test func `the options of an encoder of models apply to other types`() throws {
        var encoder = JSONModelEncoder()
        encoder.formatting = .pretty
        encoder.keyOrder = .sorted
        encoder.nullStrategy = .write
        encoder.dateStrategy = .secondsSince1970
        let line = Line(points: [Point(x: 1, label: nil, rest: [2])], first: nil)
        let json = """
            {
              "date": 0,
              "named": {},
              "points": [
                {
                  "label": null,
                  "planned_x": 1,
                  "rest": [
                    2
                  ]
                }
              ],
              "ratio": 2.0
            }
            """
        #expect(try encoder.encode(line, as: .string) == json)
    }

    @Test func `a date in a property without a plan follows the strategy of the encoder of models`() throws {
        struct Point: Codable { var y = 1.0, x = 2.0, at: Date? }
        struct Track: JSONModel {
            let start: Point
            let rest: [JSONCodable<Point>]
            static let plan = ModelPlan<Track>(JSONField(\.start), JSONField(\.rest))
        }
        var encoder = JSONModelEncoder()
        encoder.dateStrategy = .millisecondsSince1970
        let point = Point(at: Date(timeIntervalSince1970: 1.5))
        let text = #"{"y":1.0,"x":2.0,"at":1500}"#
        let track = Track(start: point, rest: [JSONCodable(point)])
        #expect(try encoder.encode(track, as: .string) == #"{"start":\#(text),"rest":[\#(text)]}"#)
    }

    @Test func `errors of other types are located`() throws {
        struct Numbers: Encodable {
            let values: [[Double]]
            var single = 0.0
        }
        var encoder = JSONModelEncoder()
        let planned = ["a": Numbers(values: [[1], [.nan]])]
        #expect(try failure { _ = try encoder.encode(planned) }.path == "a.values[1][0]")
        let other = ["a": [Numbers(values: [], single: .infinity)]]
        let second = #expect(throws: JSONModelError.self) { _ = try encoder.encode(other) }
        #expect(second?.issues.first?.path == "a[0].single")
        #expect(second?.issues.first?.underlying is EncodingError)
        struct Problem: Error {}
        let third = #expect(throws: JSONModelError.self) {
            _ = try encoder.encode([EncodedBy { _ in throw Problem() }])
        }
        #expect(third?.issues.first?.underlying is Problem)

        encoder.nonConformingFloatStrategy = .null
        #expect(try encoder.encode(planned, as: .string) == #"{"a":{"values":[[1.0],[null]],"single":0.0}}"#)
        #expect(try encoder.encode(other, as: .string) == #"{"a":[{"values":[],"single":null}]}"#)
        encoder.limits.depth = 3
        #expect(try failure { _ = try encoder.encode([planned]) }.kind == .limitExceeded(.depth, limit: 3))
    }

    @Test func `a filter needs a plan`() throws {
        var encoder = JSONModelEncoder()
        encoder.except = ["points"]
        let error = #expect(throws: JSONModelError.self) { _ = try encoder.encode(Line(points: [])) }
        #expect(error?.issues.first?.kind.name == "notEncodable")
    }

    @Test func `a filter of a writer needs a plan, too`() throws {
        var encoder = JSONModelEncoder()
        encoder.except = ["ratio"]
        var lines: [UInt8] = []
        var writer = encoder.writer(to: { lines += $0 }, framing: .lines)
        do {
            try writer.write(Line(points: []))
            Issue.record("the element was written")
        } catch {
            #expect(error.issues.first?.kind.name == "notEncodable", "\(error)")
        }
        encoder.except = ["label"]
        var plans = encoder.writer(to: { lines += $0 }, framing: .lines)
        try plans.write(Self.point)
        try writer.finish()
        try plans.finish()
        #expect(String(decoding: lines, as: UTF8.self) == #"{"planned_x":1,"rest":[]}"# + "\n")
    }

    @Test func `a filter needs a plan before the file is opened`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "sluice-filter-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("kept".utf8).write(to: URL(filePath: path))
        var encoder = JSONModelEncoder()
        encoder.only = ["ratio"]
        for inPlace in [false, true] {
            for elements in [[], [Line(points: [])]] {
                #expect(throws: JSONModelError.self) {
                    try encoder.write(elements: elements, to: .file(path, inPlace: inPlace))
                }
                #expect(try Data(contentsOf: URL(filePath: path)) == Data("kept".utf8))
            }
        }
    }

    /// A model whose properties follow the strategies of the coder, except for those with a transform.
    private struct Stay: JSONModel, Codable, Equatable {
        let from: Date
        let until: Date?
        let visits: [String: [Date]]
        let photo: Data
        let ratio: Double
        let share: Float?
        let changed: Date
        static let plan = ModelPlan<Stay>(
            JSONField(\.from), JSONField(\.until), JSONField(\.visits), JSONField(\.photo), JSONField(\.ratio),
            JSONField(\.share), JSONField(\.changed, transform: .seconds))
    }

    /// The same without a plan.
    private struct PlainStay: Codable {
        let from: Date
        let until: Date?
        let visits: [String: [Date]]
        let photo: Data
        let ratio: Double
        let share: Float?
        let changed: Int
    }

    private struct Trip<S: Codable>: Codable { let stays: [S] }

    @Test(arguments: 0..<5)
    func `the strategies of the coders apply to dates, data and numbers of models`(_ index: Int) throws {
        let (encoder, decoder) = (SluiceJSONEncoder(), SluiceJSONDecoder())
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        switch index {
        case 0: break
        case 1:
            (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = (.secondsSince1970, .secondsSince1970)
        case 2:
            (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = (
                .millisecondsSince1970, .millisecondsSince1970
            )
            (encoder.dataEncodingStrategy, decoder.dataDecodingStrategy) = (.deferredToData, .deferredToData)
        case 3: (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = (.iso8601, .iso8601)
        default:
            encoder.dateEncodingStrategy = .custom { date, encoder in
                try ["at": date.timeIntervalSince1970].encode(to: encoder)
            }
            decoder.dateDecodingStrategy = .custom { decoder in
                Date(timeIntervalSince1970: try [String: Double](from: decoder)["at"] ?? 0)
            }
        }
        let dates = [0, 1, 86_400].map { Date(timeIntervalSince1970: $0) }
        let stay = Stay(
            from: dates[1], until: index == 1 ? nil : dates[2], visits: ["a": dates], photo: Data([1, 2, 255]),
            ratio: -.infinity, share: 0.5, changed: dates[2])
        let plain = PlainStay(
            from: stay.from, until: stay.until, visits: stay.visits, photo: stay.photo, ratio: stay.ratio,
            share: stay.share, changed: 86_400)
        let text = try encoder.encode(Trip(stays: [plain]), as: .string)
        #expect(try encoder.encode(Trip(stays: [stay]), as: .string) == text)
        #expect(try decoder.decode(Trip<Stay>.self, from: Data(text.utf8)).stays == [stay])
        let root = try encoder.encode(plain)
        #expect(try encoder.encode(stay) == root)
        #expect(try decoder.decode(Stay.self, from: root) == stay)
        #expect(try decoder.decode(Stay.self, from: text, at: "stays[0]") == stay)
        let stays = try decoder.models.all(Stay.self, in: text, at: "stays[*]")
        #expect(stays == [stay])
        // The decoder of models has its own strategy.
        let own = try JSONModelEncoder().encode(
            Stay(from: dates[1], until: nil, visits: [:], photo: Data(), ratio: 1, share: nil, changed: dates[0]),
            as: .string)
        #expect(own.contains(#""from":"1970-01-01T00:00:01Z""#))
    }

    @Test func `equal sets have equal text if keys are sorted`() throws {
        struct Holder: Encodable {
            let set: Set<Int>
            let pairs: [[Int]: Set<String>]
        }
        func holder(_ isLarge: Bool) -> Holder {
            var set = Set<Int>(minimumCapacity: isLarge ? 5_000 : 0)
            for number in isLarge ? Array((0..<20).reversed()) : Array(0..<20) { set.insert(number * 7_919) }
            return Holder(
                set: set, pairs: Dictionary(uniqueKeysWithValues: set.map { ([$0], Set(set.map { "\($0)" })) }))
        }
        let encoder = SluiceJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        #expect(try encoder.encode(holder(true)) == encoder.encode(holder(false)))
        let error = #expect(throws: EncodingError.self) { try encoder.encode(["a": Set([Double.nan])]) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
    }
}

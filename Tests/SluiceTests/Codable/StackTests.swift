import Foundation
import Sluice
import Synchronization
import TestSupport
import Testing

/// The stack that initializers and `encode(to:)` of clients use for each level of a value.
@Suite(.serialized) struct StackTests {
    /// The addresses of the stack at the levels of a value.
    private static let addresses = Mutex<[UInt]>([])

    /// Notes the address of the stack when decoded or encoded.
    struct Mark: Codable {
        init() {}
        init(from decoder: any Decoder) throws { note() }
        func encode(to encoder: any Encoder) throws {
            note()
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
        @inline(never) private func note() {
            var byte = 0
            withUnsafePointer(to: &byte) { byte in
                StackTests.addresses.withLock { $0.append(UInt(bitPattern: byte)) }
            }
        }
    }

    struct Node: Codable {
        var mark: Mark?
        var kids: [Node]?
    }

    final class Link: Codable {
        var mark: Mark?
        var next: Link?
        init(_ next: Link?) { (mark, self.next) = (Mark(), next) }
    }

    struct Table: Codable {
        var mark: Mark?
        var kids: [String: Table]?
    }

    indirect enum List: Codable {
        case end
        case next(List)

        init(from decoder: any Decoder) throws {
            _ = try Mark(from: decoder)
            var list = try decoder.unkeyedContainer()
            self = list.isAtEnd ? .end : .next(try list.decode(List.self))
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(Mark())
            if case .next(let next) = self { try list.encode(next) }
        }
    }

    private static let levels = 100

    /// Returns the bytes of stack for each level.
    private func used(_ body: () throws -> Void) throws -> Int {
        Self.addresses.withLock { $0 = [] }
        try body()
        let found = Self.addresses.withLock { $0 }
        try #require(found.count > 80)
        return Int(found[20] - found[80]) / 60
    }

    private func check<T: Codable>(_ type: T.Type, _ open: String, _ close: String, _ core: String, _ value: T)
        throws
    {
        let text = Data(
            (String(repeating: open, count: Self.levels) + core + String(repeating: close, count: Self.levels)).utf8
        )
        let decoded = try used { _ = try SluiceJSONDecoder().decode(type, from: text) }
        let foundationDecoded = try used { _ = try JSONDecoder().decode(type, from: text) }
        let encoded = try used { _ = try SluiceJSONEncoder().encode(value) }
        let foundationEncoded = try used { _ = try JSONEncoder().encode(value) }
        #expect(decoded <= foundationDecoded, "\(type)")
        #expect(encoded <= foundationEncoded, "\(type)")
    }

    @Test(.enabled(if: !isSanitized)) func `a level takes no more stack than in Foundation`() throws {
        var (node, link, table, list) = (Node(mark: Mark()), Link(nil), Table(mark: Mark()), List.end)
        for _ in 0..<Self.levels {
            node = Node(mark: Mark(), kids: [node])
            link = Link(link)
            table = Table(mark: Mark(), kids: ["a": table])
            list = .next(list)
        }
        try check(Node.self, #"{"mark":1,"kids":["#, "]}", "{}", node)
        try check(Link.self, #"{"mark":1,"next":"#, "}", "{}", link)
        try check(Table.self, #"{"mark":1,"kids":{"a":"#, "}}", "{}", table)
        try check(List.self, "[", "]", "[]", list)
    }

    // MARK: The end of the stack

    private func lists(_ levels: Int) -> Data {
        Data((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8)
    }

    @Test func `the greatest depth is decoded on a small stack if the frames of the client allow it`() throws {
        try onSmallStack {
            _ = try SluiceJSONDecoder().decode(List.self, from: lists(500))
            var value = List.end
            for _ in 1..<300 { value = .next(value) }
            _ = try SluiceJSONEncoder().encode(value)
        }.get()
    }

    @Test func `the end of the stack is a depth error`() throws {
        let text = String(repeating: #"{"kids":["#, count: 2_000) + String(repeating: "]}", count: 2_000)
        let error = onSmallStack {
            let decoder = SluiceJSONDecoder()
            decoder.limits.depth = 4_096
            _ = try decoder.decode(Node.self, from: Data(text.utf8))
        }
        guard case .failure(DecodingError.dataCorrupted(let context)) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.debugDescription == "The given data was not valid JSON.")
        let issue = try #require((context.underlyingError as? JSONModelError)?.issues.first)
        #expect(issue.kind == .limitExceeded(.depth, limit: 4_096))
        #expect(issue.description.hasPrefix("nesting is deeper than the stack of the thread allows"))
        #expect(issue.path.components.count > 20)
        #expect(issue.location.offset > 100)

        var node = Node()
        for _ in 0..<250 { node = Node(kids: [node]) }
        let encoding = onSmallStack(bytes: 128 * 1_024) { [node] in _ = try SluiceJSONEncoder().encode(node) }
        guard case .failure(EncodingError.invalidValue(_, let context)) = encoding else {
            Issue.record("\(encoding)")
            return
        }
        #expect(context.debugDescription == "Unable to encode the given top-level value to JSON.")
        #expect("\(context.underlyingError as Any)".contains("the stack of the thread"))
    }

    /// Any JSON, whose initializer asks for no keyed or unkeyed container.
    struct AnyJSON: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() || (try? container.decode([AnyJSON].self)) != nil { return }
            _ = try container.decode([String: AnyJSON].self)
        }
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `the end of the stack is an error in arrays and dictionaries without a container`(
        open: String, close: String
    ) throws {
        let text = String(repeating: open, count: 4_000) + "null" + String(repeating: close, count: 4_000)
        let error = onSmallStack {
            let decoder = SluiceJSONDecoder()
            decoder.limits.depth = 4_096
            _ = try decoder.decode(AnyJSON.self, from: Data(text.utf8))
        }
        guard case .failure(DecodingError.dataCorrupted(let context)) = error else {
            Issue.record("\(error)")
            return
        }
        #expect("\(context.underlyingError as Any)".contains("the stack of the thread"))
    }

    /// A value that turns any error of its elements into an empty value.
    struct Careless: Codable {
        private enum CodingKeys: CodingKey { case kids }

        var kids: [Careless] = []

        init(kids: [Careless]) { self.kids = kids }

        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: CodingKeys.self)
            kids = (try? container?.decode([Careless].self, forKey: .kids)) ?? []
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try? container.encode(kids, forKey: .kids)
        }
    }

    @Test func `clients cannot catch the end of the stack`() throws {
        let text = String(repeating: #"{"kids":["#, count: 2_000) + String(repeating: "]}", count: 2_000)
        var value = Careless(kids: [])
        for _ in 0..<250 { value = Careless(kids: [value]) }
        let decoded = onSmallStack {
            let decoder = SluiceJSONDecoder()
            decoder.limits.depth = 4_096
            _ = try decoder.decode(Careless.self, from: Data(text.utf8))
        }
        #expect(throws: DecodingError.self) { try decoded.get() }
        let encoded = onSmallStack(bytes: 128 * 1_024) { [value] in
            _ = try SluiceJSONEncoder().encode(value)
        }
        #expect(throws: EncodingError.self) { try encoded.get() }
        let models = onSmallStack {
            var decoder = JSONModelDecoder()
            decoder.limits.depth = 4_096
            _ = try decoder.decode(JSONCodable<Careless>.self, from: text)
        }
        #expect(throws: JSONModelError.self) { try models.get() }
    }
}

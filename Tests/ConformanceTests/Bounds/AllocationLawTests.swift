import Foundation
import Sluice
import TestHeap
import TestSupport
import Testing

@testable import FuzzSupport

/// The allocations of each verb as functions of the size and of the depth of a text.
///
/// A call is counted on its thread. The memory of worker threads is not counted.
@Suite(
    .enabled(
        if: sluice_counts_allocations(), "allocations are counted with the C library of GNU, and without sanitizers"
    ))
struct AllocationLawTests {
    private static func count(_ body: () throws -> Void) rethrows -> Int {
        // The first calls make tables, shapes and buffers that are kept.
        try body()
        try body()
        let before = sluice_allocation_count()
        try body()
        return Int(sluice_allocation_count() - before)
    }

    private static func decoder(_ source: JSONModelDecoder.Source) -> JSONModelDecoder {
        JSONModelDecoder.with {
            $0.source = source
            $0.limits.depth = JSONLimits.maximumDepth
        }
    }

    @Test func `allocations are counted`() {
        var kept: [[Int]] = []
        kept.reserveCapacity(100)
        let before = sluice_allocation_count()
        for index in 0..<100 { kept.append([index, index]) }
        #expect(sluice_allocation_count() - before == 100)
    }

    // MARK: Every verb

    /// Objects and arrays in turn, with members around the inner value.
    private static func deep(_ depth: Int) -> [UInt8] {
        let levels = (0..<depth).map { $0 % 2 == 0 ? (#"{"a":1,"b":"#, #","c":null}"#) : ("[true,", ",-1.5]") }
        return Array((levels.map(\.0) + ["0"] + levels.reversed().map(\.1)).joined().utf8)
    }

    private static func long(_ count: Int) -> [UInt8] {
        let element = #"{"id":1,"name":"a \u0041 text of many bytes","list":[1.5,null]}"#
        return Array("[\(Array(repeating: element, count: count).joined(separator: ","))]".utf8)
    }

    private func count(_ verb: MemoryVerb, _ text: [UInt8], _ source: JSONModelDecoder.Source) -> Int {
        let decoder = Self.decoder(source)
        return Self.count {
            text.withUnsafeBytes { bytes in
                // An error is a result, too: a document is no text sequence.
                _ = try? verb.read(JSONRaw.self, bytes, at: JSONPath(), .end, with: decoder)
            }
        }
    }

    /// The greatest numbers of allocations for each element of ``long(_:)``, and for each level of ``deep(_:)``.
    ///
    /// A `JSONValue` takes one for each array and for each string of more than 15 bytes, and two for each object. The chunks of feeds are
    /// small, and are copied by ``MemoryVerb``, too.
    private static func law(of verb: MemoryVerb) -> (element: Double, level: Double) {
        switch verb {
        case .rawBuffer, .buffer, .mutableRawBuffer, .mutableBuffer, .span, .rawSpan, .data, .raw, .validate,
            .validateLines, .partial:
            (0, 0)
        case .value, .prefix, .firstContainer, .merge, .mergePatch, .lines, .concatenated, .cursor, .cursorOfLines:
            (4, 1.5)
        // The text of levels is an object. Each of its members is an element.
        case .document: (4, 0)
        case .members: (0, 1.5)
        // The text is an error of these framings.
        case .textSequence, .events: (0, 0)
        // Two calls.
        case .workers: (8.1, 1.5)
        case .feed: (26, 10)
        case .feedOfLines: (22, 10)
        case .feedOfEvents: (2, 0.5)
        case .feedOfBytes: (173, 41)
        // The containers of the standard library, and boxes.
        case .codable, .json5: (80, 46)
        }
    }

    @Test(arguments: MemoryVerb.allCases, JSONModelDecoder.Source.allCases)
    func `the allocations are constant, or in proportion to the values`(
        _ verb: MemoryVerb, _ source: JSONModelDecoder.Source
    ) {
        let law = Self.law(of: verb)
        let sizes = [50, 250].map { count(verb, Self.long($0), source) }
        let depths = [64, 256].map { count(verb, Self.deep($0), source) }
        expect(sizes, law.element, 200)
        expect(depths, law.level, 192)
    }

    /// Checks that the allocations between two sizes are at most those of the values. Memory that grows is doubled, which takes others.
    private func expect(
        _ counts: [Int], _ each: Double, _ distance: Int, _ note: Comment? = nil,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(Double(counts[1] - counts[0]) <= each * Double(distance) + 24, note, sourceLocation: location)
    }

    // MARK: Values of types

    private struct Row: JSONModel {
        var id: Int
        var score: Double?
        var isOpen: Bool
        static let plan = ModelPlan<Row>(
            JSONField(\.id, key: "id"), JSONField(\.score, key: "score"), JSONField(\.isOpen, key: "open"))
    }

    private struct Named: JSONModel {
        var name: String
        static let plan = ModelPlan<Named>(JSONField(\.name, key: "name"))
    }

    private final class Node: JSONModel {
        struct Storage { var id: Int }
        let id: Int
        init(_ id: Int) { self.id = id }
        static let plan = ModelPlan<Node>(
            storage: Storage.self, [JSONField(\.id, key: "id")], make: { Node($0.id) }, read: { Storage(id: $0.id) }
        )
    }

    private struct CodableRow: Codable {
        var id: Int
        var score: Double?
        var open: Bool
    }

    private struct Law: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The greatest number of allocations for each element, and with yajl.
        let each, withYajl: Double
        let texts: Texts
        let call: @Sendable (JSONModelDecoder, [UInt8]) throws -> Void

        init(
            _ name: String, each: Double = 0, withYajl: Double? = nil, _ texts: Texts,
            call: @escaping @Sendable (JSONModelDecoder, [UInt8]) throws -> Void
        ) {
            (testDescription, self.each, self.withYajl) = (name, each, withYajl ?? each)
            (self.texts, self.call) = (texts, call)
        }
    }

    /// Texts of any number of elements. The character `#` stands for the index of an element.
    private struct Texts: Sendable, ExpressibleByStringLiteral {
        var start = "[", element: String, separator = ",", end = "]"

        /// Creates texts with an array.
        init(stringLiteral element: String) { self.element = element }

        private init(start: String, element: String, separator: String, end: String) {
            (self.start, self.element, self.separator, self.end) = (start, element, separator, end)
        }

        func callAsFunction(_ count: Int) -> [UInt8] {
            let elements = (0..<count).map { element.replacing("#", with: "\($0)") }
            return Array((start + elements.joined(separator: separator) + end).utf8)
        }

        private static let row = ##"{"id":#,"score":#.5,"open":true,"more":[1,{"a":"b"}]}"##
        static let rows = Texts(stringLiteral: row)
        static let lines = Texts(start: "", element: row, separator: "\n", end: "\n")
        static let dictionary = Texts(start: "{", element: ##""key#":#"##, separator: ",", end: "}")
        /// A model with elements for a key that no member has.
        static let unknown = Texts(
            start: #"{"more":["#, element: row, separator: ",", end: #"],"id":1,"open":false}"#)
    }

    private static let laws: [Law] = [
        Law("unknown members", .unknown) { decoder, text in _ = try decoder.decode(Row.self, from: text) },
        Law("values before a path", .unknown) { decoder, text in
            _ = try decoder.decode(Int.self, from: text, at: "id")
        },
        Law("integers", "#") { decoder, text in _ = try decoder.decode([Int].self, from: text) },
        Law("decimal numbers", "#.25") { decoder, text in _ = try decoder.decode([Double].self, from: text) },
        Law("optional numbers", "null,#") { decoder, text in _ = try decoder.decode([Int?].self, from: text) },
        Law("strings of up to 15 bytes", ##""a \u0041\n#""##) { decoder, text in
            _ = try decoder.decode([String].self, from: text)
        },
        Law("longer strings", each: 1, ##""a string of more than fifteen bytes #""##) { decoder, text in
            _ = try decoder.decode([String].self, from: text)
        },
        Law("longer strings with escapes", each: 1, ##""a string of more \u0041\n bytes #""##) { decoder, text in
            _ = try decoder.decode([String].self, from: text)
        },
        Law("arrays in an array", each: 1, "[#,2,3,4,5,6,7,8,9]") { decoder, text in
            _ = try decoder.decode([[Int]].self, from: text)
        },
        Law("models", .rows) { decoder, text in _ = try decoder.decode([Row].self, from: text) },
        Law("models with a string", each: 1, ##"{"name":"a name of more than fifteen bytes #"}"##) {
            decoder, text in
            _ = try decoder.decode([Named].self, from: text)
        },
        Law("instances of classes", each: 1, ##"{"id":#}"##) { decoder, text in
            _ = try decoder.decode([Node].self, from: text)
        },
        Law("entries of a dictionary", .dictionary) { decoder, text in
            _ = try decoder.decode([String: Int].self, from: text)
        },
        // yajl copies the text of each value.
        Law("raw values", each: 1, withYajl: 3, .rows) { decoder, text in
            _ = try decoder.decode([JSONRaw].self, from: text)
        },
        Law("models with issues that are collected", .rows) { decoder, text in
            var decoder = decoder
            decoder.errorPolicy = .collect(limit: 10)
            _ = try decoder.decode([Row].self, from: text)
        },
        Law("partial models", .rows) { decoder, text in _ = try decoder.decodePartially([Row].self, from: text) },
        Law("merged models", .rows) { decoder, text in
            var rows: [Row] = []
            try decoder.merge(text, into: &rows)
        },
        Law("elements of an array", .rows) { decoder, text in
            _ = try decoder.forEach(Row.self, in: text, at: "[*]") { _ in }
        },
        // yajl makes a parser for each line.
        Law("lines", withYajl: 8, .lines) { decoder, text in
            _ = try decoder.forEach(Row.self, in: text, framing: .lines) { _ in }
        },
        Law("values without separators", withYajl: 8, .lines) { decoder, text in
            _ = try decoder.forEach(Row.self, in: text, framing: .concatenated) { _ in }
        },
        // Some elements wait in an array, which is made for each part of the text.
        Law("pulled elements", each: 0.02, .rows) { decoder, text in
            var cursor = decoder.cursor(of: Row.self, in: text, at: "[*]")
            while try cursor.next() != nil {}
        },
        Law("pulled lines", each: 0.05, withYajl: 8.05, .lines) { decoder, text in
            var cursor = decoder.cursor(of: Row.self, in: text, framing: .lines)
            while try cursor.next() != nil {}
        },
        Law("valid text", .rows) { decoder, text in try decoder.validate(text) },
        Law("valid lines", withYajl: 7, .lines) { decoder, text in try decoder.validate(text, framing: .lines) },
        Law("Codable integers", "#") { decoder, text in
            let codable = SluiceJSONDecoder()
            codable.source = decoder.source
            _ = try codable.decode([Int].self, from: Data(text))
        },
        Law("Codable models", .rows) { decoder, text in
            let codable = SluiceJSONDecoder()
            codable.source = decoder.source
            _ = try codable.decode([CodableRow].self, from: Data(text))
        },
    ]

    @Test(arguments: laws, JSONModelDecoder.Source.allCases)
    private func `each element takes the allocations of its value`(_ law: Law, _ source: JSONModelDecoder.Source)
        throws
    {
        let decoder = Self.decoder(source)
        let counts = try [100, 5_000].map { size in
            let text = law.texts(size)
            return try Self.count { try law.call(decoder, text) }
        }
        expect(counts, source == .scanner ? law.each : law.withYajl, 4_900)
    }

    // MARK: Encoding

    private static func rows(_ count: Int) -> [Row] { (0..<count).map { Row(id: $0, score: 0.5, isOpen: true) } }

    @Test func `encoding takes no allocation for an element`() throws {
        let encoder = JSONModelEncoder()
        func check(_ name: Comment, each: Double = 0, _ call: (_ count: Int) throws -> Int) throws {
            expect(try [100, 5_000].map(call), each, 4_900, name)
        }
        try check("integers") { count in
            let value = Array(0..<count)
            return try Self.count { _ = try encoder.encode(value) }
        }
        try check("strings") { count in
            let value = (0..<count).map { "a string of more than fifteen bytes \($0)\n" }
            return try Self.count { _ = try encoder.encode(value) }
        }
        try check("models") { count in
            let value = Self.rows(count)
            return try Self.count { _ = try encoder.encode(value) }
        }
        try check("a string") { count in
            let value = Self.rows(count)
            return try Self.count { _ = try encoder.encode(value, as: .string) }
        }
        try check("chunks") { count in
            let value = Self.rows(count)
            return try Self.count { try encoder.write(value) { _ in } }
        }
        // The iterator of a sequence whose type is not known takes one.
        try check("elements of a sequence", each: 1) { count in
            let value = Self.rows(count)
            return try Self.count { try encoder.write(elements: value) { _ in } }
        }
    }

    @Test(arguments: NestedForm.allCases)
    func `the allocations of encoding are constant, or in proportion to the depth with Codable`(_ form: NestedForm)
        throws
    {
        var encoder = JSONModelEncoder()
        encoder.limits.depth = JSONLimits.maximumDepth
        let counts = try form.depths.map { depth in
            let encode = form.encoding(depth: depth)
            return try Self.count { _ = try encode(encoder) }
        }
        print("allocations, encoding, \(form), depths \(form.depths): \(counts)")
        expect(counts, form.allocationsPerLevel, form.depths[1] - form.depths[0])
    }
}

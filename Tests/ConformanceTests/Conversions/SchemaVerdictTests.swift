import Foundation
import FuzzSupport
import Sluice
import TestSupport
import Testing

/// The schemas of enums accept exactly the small documents that a decoder accepts, and all that an encoder writes.
@Suite struct SchemaVerdictTests {
    @Test(arguments: [false, true])
    func `a tag in the object of the value`(_ rejectsUnknownKeys: Bool) throws {
        try check(Internal.self, rejectsUnknownKeys)
    }

    @Test(arguments: [false, true])
    func `a tag beside the value`(_ rejectsUnknownKeys: Bool) throws {
        try check(Adjacent.self, rejectsUnknownKeys)
    }

    @Test(arguments: [false, true])
    func `a name as the key of the value`(_ rejectsUnknownKeys: Bool) throws {
        try check(External.self, rejectsUnknownKeys)
    }

    @Test(arguments: [false, true])
    func `no tag`(_ rejectsUnknownKeys: Bool) throws { try check(Untagged.self, rejectsUnknownKeys) }

    @Test func `the keys of a dictionary`() throws {
        try compareKeys(of: Int8.self, Int16.self, Int32.self, Int64.self, Int.self, Int128.self)
        try compareKeys(of: UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt.self, UInt128.self)
        try compareKeys(of: Double.self, Float.self, Float16.self, UUID.self, Date.self, String.self)
        try compareKeys(of: Level.self, CodingLevel.self, Name.self, Wrapped<Int8>.self, Wrapped<UUID>.self)
    }

    /// Compares the verdicts of schemas with those of a decoder for keys, and with the keys that an encoder writes.
    private func compareKeys<each K: Hashable>(of _: repeat (each K).Type) throws {
        func compare<Key: Hashable>(_: Key.Type) throws {
            let schemas = try [Key: Int].jsonSchema()
            let decoding = SchemaValidator(schemas)
            let encoding = try SchemaValidator([Key: Int].jsonSchema(.encoding))
            for key in Self.hostileKeys {
                let json = JSONValue.object([key: 1])
                let value = try? JSONModelDecoder().decode([Key: Int].self, from: json)
                // No regular expression describes the finite numbers.
                let isInfinite =
                    Key.self is any BinaryFloatingPoint.Type && Double(key) != nil && !key.contains(/[xn]/)
                    || key == "1e99999" && Key.self == Date.self
                #expect(
                    decoding.accepts(json) == (value != nil || isInfinite), "\(key.debugDescription) in \(schemas)")
                guard let value else { continue }
                let written = try JSONModelEncoder().encode(value, as: .value)
                #expect(encoding.accepts(written) && decoding.accepts(written), "\(written) of \(Key.self)")
            }
        }
        repeat try compare((each K).self)
    }

    private static let hostileKeys: [String] = {
        // Integers at, before and beyond the ends of all types, and with one more digit.
        let magnitudes: [UInt128] =
            [0, 1, 5, 9, 10] + [7, 8, 15, 16, 31, 32, 63, 64, 127].map { 1 << $0 } + [.max, .max / 10 * 9]
        var integers = magnitudes.flatMap { [$0 &- 1, $0, $0 == .max ? $0 : $0 + 1].map(\.description) }
        integers += integers.map { "\($0)0" } + ["340282366920938463463374607431768211456"]
        var keys = integers.flatMap { integer in ["", "-", "+", "00", "-0", "+0"].map { $0 + integer } }
        keys += [
            "", "+", "-", "+-1", "--1", "1_0", "0x1", "\u{663}", "\u{FF11}", "1\n", "\n1", " 1", "1 ", "1.0",
            "-1e0",
        ]
        keys += [".", "5.", ".5", "e5", "1.e5", ".e1", "1e", "1e+", "+.5E-3", "1e5e5", "1..2", "-00.50", "1,5"]
        keys += ["nan", "inf", "-inf", "infinity", "0x1p3", "1e99999", "true", "off", "Low", "low", "x", "\u{E9}"]
        let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        keys += [uuid, uuid.lowercased(), "{\(uuid)}", "\(uuid)\n", "\(uuid)0", String(uuid.dropLast())]
        keys += [uuid.filter { $0 != "-" }, "G\(uuid.dropFirst())", "E621E1F8C-36C-495A-93FC-0C247A3E6E5F"]
        let days = [
            "2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "2024-02-30", "2024-04-31", "2024-13-01",
            "2024-00-01", "2024-12-31", "0000-02-29", "0001-01-00", "2024-1-1", "02024-01-01",
        ]
        let times = [
            "", "T", "T00:00:00Z", "t23:59:59.25z", "T24:00:00Z", "T24:00:01Z", "T23:59:60Z", "T23:60:00Z",
            "T23:59:61Z",
            " 12:00:00Z", "T12:00Z", "T12:00:00", "T12:00:00.Z", "T12:00:00+02", "T12:00:00-0230",
            "T12:00:00+02:60",
            "T12:00:00+24:00", "T12:00:00+2", "T12:00:00,5Z", "T12:00:00Z\n", "T24:00:00.000-01:00", "T24:00:00.5Z",
        ]
        return keys + days.flatMap { day in times.map { day + $0 } }
    }()

    private func check<W: Way>(_ way: W.Type, _ rejectsUnknownKeys: Bool) throws {
        try check(way, NoFallback.self, rejectsUnknownKeys)
        try check(way, PlainFallback.self, rejectsUnknownKeys)
        try check(way, NameFallback.self, rejectsUnknownKeys)
        try check(way, WholeFallback.self, rejectsUnknownKeys)
    }

    private func check<W: Way, F: Fallback>(_ way: W.Type, _ fallback: F.Type, _ rejectsUnknownKeys: Bool) throws {
        var decoder = JSONModelDecoder()
        decoder.unknownKeys = rejectsUnknownKeys ? .reject : .ignore
        let others = [#""circle""#, #""point""#, #""x""#, "null", "5", "[]"]
        let objects = Self.objects(W.members + [#""id":1"#, #""radius":1"#, #""radius":"r""#, #""x":1"#])
        try compare(Shape<W, F, AnyKeys>.self, others + objects, decoder)
        // The schema of a case does not know the keys of the other fields of the model, which are neither entries of a dictionary nor
        // unknown names: all cases would have to list these keys, and no keyword counts the members with other keys than some.
        let isExact: (String) -> Bool = {
            switch W.tagging {
            case .internal: !$0.contains("counts")
            case .adjacent: true
            case .external:
                F.name == nil || F.name == "whole" || ["circle", "counts", "point"].contains(where: $0.contains)
            case .untagged: F.name == "point" || F.name == "whole"
            }
        }
        try compare(Holder<Shape<W, F, AnyKeys>>.self, objects, decoder, isExact)
        try compare(OptionalHolder<Shape<W, F, AnyKeys>>.self, objects, decoder, isExact)
    }

    @Test func `a model that rejects or collects the keys of other cases`() throws {
        try checkRest(Internal.self)
        try checkRest(Adjacent.self)
        try checkRest(External.self)
        try checkRest(Untagged.self)
    }

    private func checkRest<W: Way>(_ way: W.Type) throws {
        try checkRest(way, NoFallback.self)
        try checkRest(way, PlainFallback.self)
        // An unknown name without a tag, and a string without a name, are any key.
        if W.tagging.isNamed { try checkRest(way, NameFallback.self) }
    }

    private func checkRest<W: Way, F: Fallback>(_ way: W.Type, _ fallback: F.Type) throws {
        let objects = Self.objects(W.members + [#""id":1"#, #""radius":1"#, #""radius":"r""#, #""x":1"#])
        let decoder = JSONModelDecoder()
        // An unknown name may be any key, and the first case of an untagged enum that fits is chosen, whatever keys are left.
        let isExact: (String) -> Bool = {
            switch W.tagging {
            case .internal, .adjacent: true
            case .external: F.name == nil || $0 != #"{"id":1}"#
            case .untagged: !$0.contains("kind") || !$0.contains("radius")
            }
        }
        try compare(Sealed<Shape<W, F, KnownKeys>>.self, objects, decoder, isExact)
        try compare(OptionalSealed<Shape<W, F, KnownKeys>>.self, objects, decoder, isExact)
        let keepsAll = if case .internal = W.tagging { true } else { false }
        try compare(Open<Shape<W, F, KnownKeys>>.self, objects, decoder, isExact, keepsAll: keepsAll)
        try compare(OptionalOpen<Shape<W, F, KnownKeys>>.self, objects, decoder, isExact, keepsAll: keepsAll)
    }

    /// - Parameter isExact: Whether the schema tells that a document is refused.
    private func compare<T: JSONModel>(
        _ type: T.Type, _ documents: [String], _ decoder: JSONModelDecoder,
        _ isExact: (String) -> Bool = { _ in true }, keepsAll: Bool = false
    ) throws {
        let schemas = (decoding: try decoder.jsonSchema(of: type), encoding: try type.jsonSchema(.encoding))
        let validators = (
            decoding: SchemaValidator(schemas.decoding), encoding: SchemaValidator(schemas.encoding)
        )
        for document in documents {
            let json = try decoder.decode(JSONValue.self, from: document)
            let value = try? decoder.decode(type, from: document)
            let isValid = validators.decoding.accepts(json)
            #expect(
                isValid == (value != nil) || isValid && !isExact(document),
                "\(document) as \(type)\n\(schemas.decoding)")
            guard let value, let written = try? JSONModelEncoder().encode(value, as: .value) else { continue }
            #expect(validators.encoding.accepts(written), "\(written) of \(type)\n\(schemas.encoding)")
            if keepsAll {
                let names = (json.object?.keys).map { Set($0) } ?? []
                #expect(names.isSubset(of: (written.object?.keys).map { Array($0) } ?? []), "\(document)")
            }
        }
    }

    /// Objects of up to four members with different keys.
    private static func objects(_ members: [String]) -> [String] {
        var objects: [[String]] = [[]]
        for member in members {
            let key = member.prefix { $0 != ":" }
            objects += objects.filter { $0.count < 4 && !$0.contains { $0.prefix { $0 != ":" } == key } }
                .map { $0 + [member] }
        }
        return objects.map { "{\($0.joined(separator: ","))}" }
    }
}

// MARK: Models

private enum Level: Int {
    case low = 1
    case high = -5
    case none = 0
}
private enum CodingLevel: Int, CodingKeyRepresentable {
    case low = 1
    case high = 128
}
private enum Name: String {
    case on, off
    case low = "1"
}

private struct Wrapped<Raw: JSONDictionaryKey>: RawRepresentable, Hashable {
    let rawValue: Raw
}

private protocol Way {
    static var tagging: JSONTagging { get }
    static var members: [String] { get }
}

private enum Internal: Way {
    static let tagging = JSONTagging.internal(tag: "type")
    static let members =
        ["circle", "point", "counts", "inner", "x"].map { #""type":"\#($0)""# } + [
            #""type":1"#, #""1":2"#, #""kind":"circle""#, #""kind":"x""#,
        ]
}

extension JSONTagging {
    /// Whether a member has the name of the case.
    fileprivate var isNamed: Bool { self != .external && self != .untagged }
}

private enum Adjacent: Way {
    static let tagging = JSONTagging.adjacent(tag: "t", content: "c")
    static let members =
        ["circle", "point", "counts", "x"].map { #""t":"\#($0)""# } + [
            #""t":1"#, #""c":{"radius":1}"#, #""c":{"1":2}"#, #""c":{}"#, #""c":5"#,
        ]
}

private enum External: Way {
    static let tagging = JSONTagging.external
    static let members = [
        #""circle":{"radius":1}"#, #""circle":5"#, #""point":null"#, #""point":{"y":1}"#, #""counts":{"1":2}"#,
        #""counts":{"x":2}"#, #""y":{}"#,
    ]
}

private enum Untagged: Way {
    static let tagging = JSONTagging.untagged
    static let members = [#""1":2"#, #""kind":"circle""#, #""kind":"x""#]
}

private protocol Fallback { static var name: String? { get } }
private enum NoFallback: Fallback { static let name: String? = nil }
private enum PlainFallback: Fallback { static let name: String? = "point" }
private enum NameFallback: Fallback { static let name: String? = "name" }
private enum WholeFallback: Fallback { static let name: String? = "whole" }

private struct Circle: JSONModel {
    let radius: Int
    static let plan = ModelPlan<Circle>(JSONField(\.radius)).describing("A circle.", [:])
}

private enum Inner: JSONEnum {
    case circle(Circle)
    static let plan = ModelPlan<Inner>(
        cases: [
            .of("circle", Self.circle) { if case .circle(let value) = $0 { value } else { nil } }
        ], tagging: .internal(tag: "kind"))
}

/// Whether all keys of an enum are known.
private protocol Keys { static var areKnown: Bool { get } }
private enum AnyKeys: Keys { static let areKnown = false }
private enum KnownKeys: Keys { static let areKnown = true }

private enum Shape<W: Way, F: Fallback, K: Keys>: JSONEnum {
    case circle(Circle)
    case counts([Int: Int])
    case inner(Inner)
    case point
    case name(String)
    case whole(JSONValue)

    static var plan: ModelPlan<Shape> {
        .shared {
            var cases: [JSONCase<Shape>] = [
                .of("circle", Self.circle) { if case .circle(let value) = $0 { value } else { nil } }
            ]
            if !K.areKnown {
                cases.append(.of("counts", Self.counts) { if case .counts(let value) = $0 { value } else { nil } })
            }
            cases += [
                .of("inner", Self.inner) { if case .inner(let value) = $0 { value } else { nil } },
                JSONCase("point", value: .point, matches: { if case .point = $0 { true } else { false } }),
            ]
            if F.name == "name" {
                cases.append(.of("name", Self.name) { if case .name(let value) = $0 { value } else { nil } })
            }
            if F.name == "whole" {
                cases.append(.of("whole", Self.whole) { if case .whole(let value) = $0 { value } else { nil } })
            }
            return ModelPlan(cases: cases, tagging: W.tagging, fallback: F.name)
        }
    }
}

/// A model with an enum beside its own key.
private struct Holder<Value: JSONModel>: JSONModel {
    let id: Int
    let value: Value
    static var plan: ModelPlan<Holder> {
        .shared { ModelPlan(JSONField(\.id), JSONField(flatten: \.value)) }
    }
}

private struct OptionalHolder<Value: JSONModel>: JSONModel {
    let id: Int
    let value: Value?
    static var plan: ModelPlan<OptionalHolder> {
        .shared { ModelPlan(JSONField(\.id), JSONField(flatten: \.value)) }
    }
}

/// Models that reject the keys of other cases.
private struct Sealed<Value: JSONModel>: JSONModel {
    let id: Int
    let value: Value
    static var plan: ModelPlan<Sealed> {
        .shared { ModelPlan([JSONField(\.id), JSONField(flatten: \.value)], unknownKeys: .reject) }
    }
}

private struct OptionalSealed<Value: JSONModel>: JSONModel {
    let id: Int
    let value: Value?
    static var plan: ModelPlan<OptionalSealed> {
        .shared { ModelPlan([JSONField(\.id), JSONField(flatten: \.value)], unknownKeys: .reject) }
    }
}

/// Models that collect the keys of other cases.
private struct Open<Value: JSONModel>: JSONModel {
    let id: Int
    let value: Value
    let rest: [String: Int]
    static var plan: ModelPlan<Open> {
        .shared { ModelPlan(JSONField(\.id), JSONField(flatten: \.value), JSONField(extra: \.rest)) }
    }
}

private struct OptionalOpen<Value: JSONModel>: JSONModel {
    let id: Int
    let value: Value?
    let rest: [String: Int]
    static var plan: ModelPlan<OptionalOpen> {
        .shared { ModelPlan(JSONField(\.id), JSONField(flatten: \.value), JSONField(extra: \.rest)) }
    }
}

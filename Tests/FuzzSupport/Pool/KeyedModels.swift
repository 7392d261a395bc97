import Foundation
import Sluice

// Dictionaries with every kind of key, and equal keys in several normal forms.

/// A raw value that declares no conformance.
enum Mode: String, Codable {
    case fast, slow
}

/// A raw-value struct around a string, whose keys are equal if they are canonically equivalent.
struct Label: RawRepresentable, Hashable {
    let rawValue: String
}

/// A raw value whose raw value has raw values.
struct Stage: RawRepresentable, Hashable {
    let rawValue: Color
}

/// A key by way of a coding key.
struct FieldName: Hashable, CodingKeyRepresentable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
    let text: String
    init?(codingKey: some CodingKey) {
        if codingKey.stringValue.isEmpty { return nil }
        text = codingKey.stringValue
    }
    var codingKey: any CodingKey { Key(stringValue: text) }
}

/// A key without a text.
struct Corner: Hashable, Codable {
    let x: Int
}

extension Mode: Sampled, SampledKey {
    static func sample(_ sampler: Sampler) -> JSONNode { .string(sampleKey(sampler)) }
    static func sampleKey(_ sampler: Sampler) -> String { sampler.pick(["fast", "slow"]) }
}
extension Label: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String { sampler.pick(Equivalents.keys) }
}
extension Stage: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String { Color.sampleKey(sampler) }
}
extension FieldName: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String { sampler.pick(SampledStrings.keys) }
}
extension Double: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String { sampler.pick(["0", "-1.5", "5e-1", "1e300", "2.25"]) }
}
extension Date: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String {
        sampler.pick(["2024-05-06T07:08:09.123Z", "1953-01-01T00:00:00.001+02:00", "1674036251.123", "-5", "1e15"])
    }
}
extension URL: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String { sampler.pick(["https://a.b/c", "d?e=f", "x:y"]) }
}
extension UUID: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String {
        sampler.pick(["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e60"])
    }
}

/// The JSON of an object that may have two keys that are canonically equivalent.
enum Equivalents: Sampled {
    static let keys = ["\u{E9}", "e\u{301}", "K", "\u{212A}", "a", "a\u{323}\u{307}", "a\u{307}\u{323}", "東京"]

    static func sample(_ sampler: Sampler) -> JSONNode {
        .object(
            keys.filter { _ in sampler.chance(4) }.map { .init(key: $0, value: .literal("\(sampler.below(9))")) })
    }
}

/// Corners and numbers in turn.
private enum Corners: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        .array(
            (0..<sampler.below(3)).flatMap { index -> [JSONNode] in
                [.object([.init(key: "x", value: .literal("\(index)"))]), .literal("\(sampler.below(9))")]
            })
    }
}

struct Keyed: SampledModel {
    let byMode: [Mode: Int]?
    let modes: [[Mode: Mode]]
    let byStage: [String: [Stage: Leaf]]
    let byName: [FieldName: Tracked]
    let byRatio: [Double: Int]
    let byDate: [Date: Bool]
    let byURL: [URL: [UUID: Int]]
    let byCorner: [Corner: Int]
    let byLabel: [Label: Int]
    let names: [String: Int]
    let lossy: [[String: Int]]
    let object: JSONValue
    let extra: [String: JSONValue]
    static let plan = ModelPlan<Keyed> {
        JSONField(\.byMode, key: "by_mode")
        JSONField(\.modes, key: "modes", default: [])
        JSONField(\.byStage, key: "by_stage", default: [:])
        JSONField(\.byName, key: "by_name", default: [:]).lossy()
        JSONField(\.byRatio, key: "by_ratio", default: [:])
        JSONField(\.byDate, key: "by_date", default: [:])
        JSONField(\.byURL, key: "by_url", default: [:])
        JSONField(\.byCorner, key: "by_corner", default: [:])
        JSONField(\.byLabel, key: "by_label", default: [:])
        JSONField(\.names, key: "names", default: [:])
        JSONField(\.lossy, key: "lossy", default: []).lossy()
        JSONField(\.object, key: "object", default: .null)
        JSONField(extra: \.extra)
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("by_mode", as: [Mode: Int]?.self)
        object.optional("modes", as: [[Mode: Mode]].self)
        object.optional("by_stage", as: [String: [Stage: Leaf]].self)
        object.optional("by_name", as: [FieldName: Tolerated<Tracked>].self)
        object.optional("by_ratio", as: [Double: Int].self)
        object.optional("by_date", as: [Date: Bool].self)
        object.optional("by_url", as: [URL: [UUID: Int]].self)
        object.optional("by_corner", as: Corners.self)
        object.optional("by_label", as: [Label: Int].self)
        object.optional("names", as: [String: Int].self)
        object.optional("lossy", as: [Equivalents].self)
        object.optional("object", as: Equivalents.self)
        object.optional("e\u{301}", as: Int.self)
        object.optional("\u{E9}", as: Int.self)
    }

    // A date or number as a key may be written in another way than it was read.
    static var roundTrips: Bool { false }
}

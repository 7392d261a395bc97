import SluiceCodable
import SluiceCore

// Models that nest as deeply as their documents: one for each way in which the decoder or the encoder could recurse.

/// A type with documents of any depth.
public protocol DeepModel: JSONConvertible, SendableMetatype {
    /// The text before and after a value that is one level deeper.
    static var levels: [(open: String, close: String)] { get }
    /// Innermost values. Some do not fit the type.
    static var cores: [String] { get }
}

extension DeepModel {
    /// Returns a document.
    ///
    /// - Parameters:
    ///   - depth: The number of levels.
    ///   - level: Returns the position in `levels` of each level, from the outside.
    public static func document(_ depth: Int, core: String, level: (Int) -> Int) -> String {
        var (open, close) = ("", [String]())
        for index in 0..<depth {
            let level = levels[level(index)]
            open += level.open
            close.append(level.close)
        }
        return open + core + close.reversed().joined()
    }
}

/// How the cases of a deep enum are told apart.
public protocol DeepTagging {
    static var tagging: JSONTagging { get }
    static var levels: [(open: String, close: String)] { get }
    static var cores: [String] { get }
    /// Whether a payload that is an enum is a case.
    static var hasInnerEnum: Bool { get }
}

public enum DeepUntagged: DeepTagging {
    public static var tagging: JSONTagging { .untagged }
    public static var levels: [(open: String, close: String)] {
        [("[", "]"), (#"{"a":"#, "}"), (#"{"next":"#, "}"), ("[2,", "]"), ("[", #","y"]"#)]
    }
    public static var cores: [String] { ["1", #""x""#, #""end""#, "true", "[]", "{}", "null"] }
    public static var hasInnerEnum: Bool { false }
}

public enum DeepExternal: DeepTagging {
    public static var tagging: JSONTagging { .external }
    public static var levels: [(open: String, close: String)] {
        [
            (#"{"node":"#, "}"), (#"{"list":["#, "]}"), (#"{"table":{"a":"#, "}}"), (#"{"link":{"next":"#, "}}"),
            (#"{"x":1,"node":"#, "}"),
        ]
    }
    public static var cores: [String] { [#""end""#, #"{"leaf":1}"#, #"{"leaf":"x"}"#, "{}", "null", "7"] }
    public static var hasInnerEnum: Bool { true }
}

public enum DeepAdjacent: DeepTagging {
    public static var tagging: JSONTagging { .adjacent(tag: "t", content: "c") }
    public static var levels: [(open: String, close: String)] {
        [
            (#"{"t":"node","c":"#, "}"), (#"{"c":"#, #","t":"node"}"#), (#"{"t":"list","c":["#, "]}"),
            (#"{"c":["#, #"],"t":"list"}"#), (#"{"t":"table","c":{"a":"#, "}}"),
        ]
    }
    public static var cores: [String] {
        [#"{"t":"end"}"#, #"{"t":"leaf","c":1}"#, #"{"c":"x","t":"leaf"}"#, "{}", "7"]
    }
    public static var hasInnerEnum: Bool { true }
}

public enum DeepInternal: DeepTagging {
    public static var tagging: JSONTagging { .internal(tag: "type") }
    public static var levels: [(open: String, close: String)] {
        [
            (#"{"type":"link","next":"#, "}"), (#"{"next":"#, #","type":"link"}"#), (#"{"type":"table","a":"#, "}"),
            (#"{"a":"#, #","type":"table"}"#),
        ]
    }
    public static var cores: [String] { [#"{"type":"end"}"#, #"{"type":"other"}"#, "{}", "7"] }
    public static var hasInnerEnum: Bool { false }
}

/// A model with one more level.
public struct DeepLink<Next: JSONConvertible>: JSONModel {
    public let next: Next
    public static var plan: ModelPlan<DeepLink> { .shared { ModelPlan<DeepLink>(JSONField(\.next, key: "next")) } }
}

/// A recursive enum.
public indirect enum DeepTree<T: DeepTagging>: JSONEnum, DeepModel {
    case end
    case leaf(Int)
    case node(DeepTree)
    case list([DeepTree])
    case table([String: DeepTree])
    case link(DeepLink<DeepTree>)

    public static var plan: ModelPlan<DeepTree> {
        .shared {
            var cases: [JSONCase<DeepTree>] = [
                JSONCase("end", value: .end, matches: { if case .end = $0 { true } else { false } }),
                .of("link", Self.link) { if case .link(let value) = $0 { value } else { nil } },
                .of("table", Self.table) { if case .table(let value) = $0 { value } else { nil } },
            ]
            if T.tagging == .internal(tag: "type") { return ModelPlan(cases: cases, tagging: T.tagging) }
            cases += [
                .of("leaf", Self.leaf) { if case .leaf(let value) = $0 { value } else { nil } },
                .of("list", Self.list) { if case .list(let value) = $0 { value } else { nil } },
            ]
            if T.hasInnerEnum {
                cases.append(.of("node", Self.node) { if case .node(let value) = $0 { value } else { nil } })
            }
            return ModelPlan(cases: cases, tagging: T.tagging)
        }
    }

    public static var levels: [(open: String, close: String)] { T.levels }
    public static var cores: [String] { T.cores }
}

/// A recursive enum whose payload shares the object of the tag with another enum.
public indirect enum DeepChain: JSONEnum, DeepModel {
    case end(DeepNothing)
    case node(DeepChain)
    public static let plan = ModelPlan<DeepChain>(
        cases: [
            .of("end", Self.end) { if case .end(let value) = $0 { value } else { nil } },
            .of("node", Self.node) { if case .node(let value) = $0 { value } else { nil } },
        ], tagging: .internal(tag: "type"))
    public static var levels: [(open: String, close: String)] { [(#""type":"node","#, "")] }
    public static var cores: [String] { [#""type":"end""#, #""type":1"#] }

    public struct DeepNothing: JSONModel {
        public let id: Int?
        public static let plan = ModelPlan<DeepNothing>(JSONField(\.id, key: "id"))
    }
}

/// Two enums whose tags alternate in one object.
public indirect enum DeepAlternation: JSONEnum {
    case end(DeepChain.DeepNothing)
    case node(Other)
    public static let plan = ModelPlan<DeepAlternation>(
        cases: [
            .of("end", Self.end) { if case .end(let value) = $0 { value } else { nil } },
            .of("node", Self.node) { if case .node(let value) = $0 { value } else { nil } },
        ], tagging: .internal(tag: "a"))

    public indirect enum Other: JSONEnum {
        case end(DeepChain.DeepNothing)
        case node(DeepAlternation)
        public static let plan = ModelPlan<Other>(
            cases: [
                .of("end", Self.end) { if case .end(let value) = $0 { value } else { nil } },
                .of("node", Self.node) { if case .node(let value) = $0 { value } else { nil } },
            ], tagging: .internal(tag: "b"))
    }
}

/// An untagged enum whose case without a payload is refused by a hook.
public indirect enum DeepRefusal: JSONEnum, JSONHooks, DeepModel {
    struct Refused: Error {}
    case list([DeepRefusal])
    case other
    public static let plan = ModelPlan<DeepRefusal>(
        cases: [
            .of("list", Self.list) { if case .list(let value) = $0 { value } else { nil } },
            JSONCase("other", value: .other, matches: { if case .other = $0 { true } else { false } }),
        ], tagging: .untagged, fallback: "other")
    public func validate() throws { if case .other = self { throw Refused() } }
    public static var levels: [(open: String, close: String)] { [("[", "]"), ("[[],", "]")] }
    public static var cores: [String] { ["[]", "1"] }
}

/// A struct with arrays, dictionaries and optionals of itself.
public struct DeepRecord: JSONModel, DeepModel {
    public var kids: [DeepRecord]
    public var table: [String: DeepRecord]
    public var lossy: [DeepRecord]
    public var value: JSONValue?
    public static let plan = ModelPlan<DeepRecord>(
        JSONField(\.kids, key: "kids", default: []), JSONField(\.table, key: "table", default: [:]),
        JSONField(\.lossy, key: "lossy", default: []).lossy(), JSONField(\.value, key: "value"))
    public static var levels: [(open: String, close: String)] {
        [(#"{"kids":["#, "]}"), (#"{"table":{"a":"#, "}}"), (#"{"lossy":["#, "]}"), (#"{"value":["#, "]}")]
    }
    public static var cores: [String] { ["{}", "1", #"{"kids":1}"#] }
}

/// A class, which the runtime releases by recursion.
public final class DeepClass: JSONModel, DeepModel {
    public let next: DeepClass?
    init(_ next: DeepClass?) { self.next = next }
    public struct Storage { var next: DeepClass? }
    public static let plan = ModelPlan<DeepClass>(
        storage: Storage.self, [JSONField(\.next)], make: { DeepClass($0.next) }, read: { Storage(next: $0.next) })
    public static var levels: [(open: String, close: String)] { [(#"{"next":"#, "}")] }
    public static var cores: [String] { ["null", "{}", "1"] }
}

/// A model whose enum is a part of its object.
public struct DeepFlattened: JSONModel, DeepModel {
    public var id: Int?
    public var part: Part
    public static let plan = ModelPlan<DeepFlattened>(JSONField(\.id), JSONField(flatten: \.part))
    public static var levels: [(open: String, close: String)] { [(#"{"node":"#, "}"), (#"{"id":1,"node":"#, "}")] }
    public static var cores: [String] { [#"{"end":null}"#, "{}", "1"] }

    public indirect enum Part: JSONEnum {
        case end
        case node(DeepFlattened)
        public static let plan = ModelPlan<Part>(cases: [
            JSONCase("end", value: .end, matches: { if case .end = $0 { true } else { false } }),
            .of("node", Self.node) { if case .node(let value) = $0 { value } else { nil } },
        ])
    }
}

/// A type that is made from a model of itself.
public final class DeepTransformed: JSONConvertible, DeepModel {
    let inner: [DeepTransformed]
    init(_ inner: [DeepTransformed]) { self.inner = inner }
    struct Inner: JSONModel {
        let inner: [DeepTransformed]
        static let plan = ModelPlan<Inner>(JSONField(\.inner, key: "a", default: []))
    }
    struct Transform: JSONTransform {
        func decode(_ json: Inner) throws -> DeepTransformed { DeepTransformed(json.inner) }
        func encode(_ value: DeepTransformed) throws -> Inner { Inner(inner: value.inner) }
    }
    public static var jsonShape: JSONShape { .transformed(by: Transform()) }
    public static var levels: [(open: String, close: String)] {
        [(#"{"a":["#, "]}"), (#"{"a":[{},"#, "]}")]
    }
    public static var cores: [String] { ["{}", "1"] }
}

/// A type whose transform decodes and encodes JSON by calls of its own.
public final class DeepCalls: JSONConvertible, DeepModel {
    let inner: DeepCalls?
    init(_ inner: DeepCalls?) { self.inner = inner }
    struct Transform: JSONTransform {
        func decode(_ json: JSONRaw) throws -> DeepCalls {
            if json.bytes == Array("[]".utf8) { return DeepCalls(nil) }
            let decoder = JSONModelDecoder()
            return DeepCalls(try decoder.decode([DeepCalls].self, from: json.bytes).first)
        }
        func encode(_ value: DeepCalls) throws -> JSONRaw {
            guard let inner = value.inner else { return try JSONRaw("[]") }
            return try JSONRaw(JSONModelEncoder().encode([inner]))
        }
    }
    public static var jsonShape: JSONShape { .transformed(by: Transform()) }
    public static var levels: [(open: String, close: String)] { [("[", "]")] }
    public static var cores: [String] { ["[]", "1"] }
}

/// A model whose hook reads a lazy value, whose hook reads a lazy value.
public struct DeepLazy: JSONModel, JSONHooks, DeepModel {
    public var next: JSONLazy<DeepLazy>?
    public static let plan = ModelPlan<DeepLazy>(JSONField(\.next, key: "next"))
    public func validate() throws { _ = try next?.value }
    public static var levels: [(open: String, close: String)] { [(#"{"next":"#, "}")] }
    public static var cores: [String] { ["null", "1"] }
}

/// A model with a hook for each value.
public struct DeepHooked: JSONModel, JSONValueHook, DeepModel {
    public var kids: [DeepHooked]
    public static let plan = ModelPlan<DeepHooked>(JSONField(\.kids, key: "kids", default: []))
    public static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? { value }
    public static var levels: [(open: String, close: String)] { [(#"{"kids":["#, "]}")] }
    public static var cores: [String] { ["{}", "1"] }
}

/// A type without a plan.
public struct DeepCodable: Codable {
    public var name: String?
    public var kids: [DeepCodable]?
    public var table: [String: DeepCodable]?
}

extension JSONCodable: DeepModel where Value == DeepCodable {
    public static var levels: [(open: String, close: String)] {
        [(#"{"kids":["#, "]}"), (#"{"table":{"a":"#, "}}"), (#"{"name":"n","kids":[{},"#, "]}")]
    }
    public static var cores: [String] { ["{}", "1", #"{"name":1}"#] }
}

/// A model with a property without a plan, which has a model.
public struct DeepMixed: JSONModel, DeepModel {
    public var part: Part?
    public static let plan = ModelPlan<DeepMixed>(JSONField(\.part, key: "part"))
    public struct Part: Codable { public var models: [DeepMixed] }
    public static var levels: [(open: String, close: String)] { [(#"{"part":{"models":["#, "]}}")] }
    public static var cores: [String] { ["{}", "1"] }
}

extension DeepMixed: Codable {
    public init(from decoder: any Decoder) throws { self = try Self.jsonDecoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try jsonEncode(to: encoder) }
}

extension JSONValue: DeepModel {
    public static var levels: [(open: String, close: String)] { [("[", "]"), (#"{"a":"#, "}"), ("[1,", ",2]")] }
    public static var cores: [String] { ["1", "[]", "{}"] }
}

extension JSONRaw: DeepModel {
    public static var levels: [(open: String, close: String)] { JSONValue.levels }
    public static var cores: [String] { JSONValue.cores }
}

#if Macros
import Sluice
import TestSupport

// The options and attributes of plans, as the compiler has to take them from the macro.

struct Trimmed: JSONTransform {
    func decode(_ json: String) throws -> String { json.filter { $0 != " " } }
    func encode(_ value: String) throws -> String { value }
}

@JSONModel(keys: .snakeCase, coercion: .lenient, unknownKeys: .report)
struct Strategic {
    let userName: String
    @JSONKey("ID") let id: Int
}

@JSONModel(keys: .custom { $0 + "_" }, coercion: .mjExtension(decimalSeparator: ","))
final class StrategicClass {
    let userName: String
    var maybe: Int?
}

@JSONModel
struct Attributed {
    @JSONIgnore(.decoding) let kind = "user"
    @JSONIgnore(.encoding) let password: String
    @JSONDefault(3) let level: Int
    @JSONDefault(Level.low, on: [.missing, .mismatch]) let grade: Level
    @JSONDefault(on: .mismatch) var count = 0
    @JSONDefault(on: [.mismatch]) var perhaps: Int?
    @JSONTransform(Trimmed()) var name = "none"
    @JSONTransform(Trimmed()) let nick: String?
    @JSONTransform(Trimmed()) var aliases: [String]?
    @JSONTransform(Trimmed()) var byRole: [String: [String]] = [:]
    @JSONTransform(Trimmed()) var marks: Set<String> = []
    @JSONTransform(Trimmed()) var table: [[String]] = []
    @JSONKey("items[*].id") @JSONLossy let ids: [Int]
    @JSONLossy var byName: [String: Int] = [:]
    @JSONCoercion(.lenient) let number: Int
    @JSONEmbedded @JSONKey("in") var inner: Repository?
    @JSONFlatten let point: PublicPoint
    @JSONExtra var rest: [String: JSONValue] = [:]
}

@JSONModel
struct NilDefaults {
    @JSONDefault(nil) let date: Int?
    @JSONDefault(nil, on: .mismatch) let count: Int?
    @JSONDefault(nil, on: [.missing, .mismatch]) let name: String?
    @JSONDefault(5, on: .null) let level: Int
}

/// The same by way of storage.
@JSONModel
final class AttributedClass {
    @JSONIgnore(.decoding) let kind = "user"
    @JSONIgnore(.encoding) let password: String
    @JSONIgnore var cached = 1
    @JSONDefault(3) let level: Int
    @JSONTransform(Trimmed()) var name = "none"
    @JSONFlatten let point: PublicPoint
    @JSONExtra var rest: [String: JSONValue]
}

@JSONModel
public struct Hooked {
    public var name: String
    public func validate() throws { if name.isEmpty { throw Bad() } }
    public mutating func didDecode() { name += "!" }
    public static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? { value }
    struct Bad: Error {}
}

@JSONModel
final class HookedClass: JSONHooks {
    var name: String
    func didDecode() { name += "!" }
}

/// Initializers of their own make these objects from other coders. The hooks follow.
@JSONModel(.codable)
final class HookedCoded {
    var name: String
    @JSONIgnore var checks = 0
    func didDecode() { checks += 1 }
    func validate() -> Bool { name != "" }
}

@JSONModel(.codable)
final class HookedCodedAgain: HookedBase {
    var title = "t"
}

/// A hook in the declaration, and another one in an extension, which needs the conformance.
@JSONModel
struct HookedTwice {
    var name: String
    mutating func didDecode() { name += "!" }
}

extension HookedTwice: JSONHooks {
    func validate() throws { if name == "!" { throw Hooked.Bad() } }
}

/// The same in a class that may have subclasses. Ignored properties count the calls.
@JSONModel
class HookedBase {
    var name: String
    @JSONIgnore var writes = 0
    func didDecode() { name += "!" }
    func willEncode() { writes += 1 }
}

extension HookedBase: JSONHooks {
    func validate() throws { if name == "!" { throw Hooked.Bad() } }
}

@JSONModel
final class HookedDerived: HookedBase {
    var title: String
    override func didDecode() {
        super.didDecode()
        title += "?"
    }
}

/// A class whose superclass has hooks without a conformance.
@JSONModel
class HookedLone {
    var name: String
    func didDecode() { name += "!" }
}

@JSONModel
final class HookedAgain: HookedLone {
    var title = "t"
    @JSONIgnore var checks = 0
    @JSONIgnore var writes = 0
    func validate() { checks += 1 }
}

extension HookedAgain: JSONHooks {
    func willEncode() { writes += 1 }
}

@JSONModel
struct HookedBox<Content: JSONConvertible & Sendable> {
    var content: Content
    var name: String
    mutating func didDecode() { name += "!" }
}

extension HookedBox: JSONHooks {}

@JSONModel
struct HookedStorage {
    var name: String { didSet {} }
    mutating func didDecode() { name += "!" }
}

extension HookedStorage: JSONHooks {}

@JSONModel
enum HookedChoice: Equatable {
    case name(String)
    mutating func didDecode() {
        if case .name(let name) = self { self = .name(name + "!") }
    }
}

extension HookedChoice: JSONHooks {}

/// Two methods of one name, of which each is a hook.
@JSONModel
struct HookedVerdict {
    var name: String
    func validate() -> Bool { name != "no" }
}

extension HookedVerdict: JSONHooks {
    func validate() throws { if name == "bad" { throw Hooked.Bad() } }
}

@JSONModel
struct Doubled {
    var x: Int
    static func transform(_ value: JSONValue?, for property: String) -> JSONValue? { .number(JSONNumber(4)) }
}

@JSONModel
final class Checked {
    let x: Int
    func validate() throws { if x == 0 { throw Hooked.Bad() } }
}

@JSONModel(.codable)
public struct CodedPoint: Equatable {
    @JSONKey("X") public let x: Double
    public let y: Double
}

@JSONModel(.codable)
final class CodedNode {
    let id: Int
    var next: CodedNode?
    func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
}

enum CodedOuter {
    @JSONModel(.codable)
    private struct Hidden: JSONModel, JSONConvertible, Codable {
        var x: Int
    }

    static func takesCodable() -> any Codable.Type { Hidden.self }
}
#endif

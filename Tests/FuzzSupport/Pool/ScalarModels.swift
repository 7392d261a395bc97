import Foundation
import Sluice
import TestSupport

// Every width of number, strings, booleans and raw values.

struct Numbers: SampledModel {
    let i8: Int8
    let i16: Int16?
    let i32: Int32?
    let i64: Int64?
    let i128: Int128?
    let u8: UInt8?
    let u16: UInt16?
    let u32: UInt32?
    let u64: UInt64?
    let u128: UInt128?
    let word: Int
    let unsigned: UInt?
    let double: Double
    let float: Float?
    let flag: Bool
    let text: String
    let list: [Int16]
    let grid: [[Double]]
    let doubled: Int??

    static let plan = ModelPlan<Numbers> {
        JSONField(\.i8, key: "i8")
        JSONField(\.i16, key: "i16")
        JSONField(\.i32, key: "i32")
        JSONField(\.i64, key: "i64")
        JSONField(\.i128, key: "i128")
        JSONField(\.u8, key: "u8")
        JSONField(\.u16, key: "u16")
        JSONField(\.u32, key: "u32")
        JSONField(\.u64, key: "u64")
        JSONField(\.u128, key: "u128")
        JSONField(\.word, key: "word")
        JSONField(\.unsigned, key: "unsigned")
        JSONField(\.double, key: "double")
        JSONField(\.float, key: "float")
        JSONField(\.flag, key: "flag")
        JSONField(\.text, key: "text")
        JSONField(\.list, key: "list", default: [])
        JSONField(\.grid, key: "grid", default: [])
        JSONField(\.doubled, key: "doubled")
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("i8", as: Int8.self)
        object.optional("i16", as: Int16.self)
        object.optional("i32", as: Int32.self)
        object.optional("i64", as: Int64.self)
        object.optional("i128", as: Int128.self)
        object.optional("u8", as: UInt8.self)
        object.optional("u16", as: UInt16.self)
        object.optional("u32", as: UInt32.self)
        object.optional("u64", as: UInt64.self)
        object.optional("u128", as: UInt128.self)
        object.required("word", as: Int.self)
        object.optional("unsigned", as: UInt.self)
        object.required("double", as: Double.self)
        object.optional("float", as: Float.self)
        object.required("flag", as: Bool.self)
        object.required("text", as: String.self)
        object.optional("list", as: [Int16].self)
        object.optional("grid", as: [[Double]].self)
        object.optional("doubled", as: Int.self)
    }
    static var roundTrips: Bool { false }  // An optional of an optional keeps one nil.
}

/// A raw value that is also a dictionary's key.
enum Color: String, CaseIterable, JSONConvertible, JSONDictionaryKey {
    case red, green, blue
}

extension Color: Sampled, SampledKey {
    static func sample(_ sampler: Sampler) -> JSONNode { .string(sampleKey(sampler)) }
    static func sampleKey(_ sampler: Sampler) -> String { sampler.pick(allCases).rawValue }
}

/// A raw value with a fallback.
enum Level: Int, JSONConvertible {
    case low = 1
    case high = 2
    case unknown = -1
    static let jsonShape = JSONShape.rawValue(Level.self, fallback: .unknown)
}

extension Level: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode { .literal("\(sampler.below(5))") }
}

/// A type without JSON of its own behind a transform that can be registered: `Code` is a string, or a number.
struct Code: JSONConvertible, Hashable {
    let text: String
    static let jsonShape = JSONShape.scalar(Code.self, expecting: "a code") { scalar in
        guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
        return Code(text: text)
    } write: {
        .string($0.text)
    }
}

struct CodeFromNumber: JSONTransform {
    func decode(_ json: Int) throws -> Code {
        if json < 0 { throw FuzzRefusal(reason: "a negative code") }
        return Code(text: "#\(json)")
    }
    func encode(_ value: Code) throws -> Int {
        guard let number = Int(value.text.dropFirst()) else { throw FuzzRefusal(reason: "no number") }
        return number
    }
}

extension Code: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        sampler.context.codesAreNumbers
            ? .literal("\(sampler.below(1000))") : .string(sampler.pick(SampledStrings.all))
    }
}

/// Foundation's types, and those with a raw value.
struct Assorted: SampledModel {
    let color: Color
    let colors: [Color]
    let level: Level?
    let levels: [String: Level]
    let code: Code
    let codes: [Code?]
    let price: Decimal?
    let link: URL?
    let id: UUID?

    static let plan = ModelPlan<Assorted> {
        JSONField(\.color, key: "color")
        JSONField(\.colors, key: "colors", default: [.red])
        JSONField(\.level, key: "level")
        JSONField(\.levels, key: "levels", default: [:])
        JSONField(\.code, key: "code")
        JSONField(\.codes, key: "codes", default: [])
        JSONField(\.price, key: "price")
        JSONField(\.link, key: "link")
        JSONField(\.id, key: "id")
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("color", as: Color.self)
        object.optional("colors", as: [Color].self)
        object.optional("level", as: Level.self)
        object.optional("levels", as: [String: Level].self)
        object.required("code", as: Code.self)
        object.optional("codes", as: [Code?].self)
        object.optional("price", as: Decimal.self)
        object.optional("link", as: URL.self)
        object.optional("id", as: UUID.self)
    }
}

extension Decimal: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        .literal(sampler.pick(["0", "1.50", "-12345678901234567.89"]))
    }
}

extension URL: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        .string(sampler.pick(["https://a.b/c?d=e", "file:///x", "a"]))
    }
}

extension UUID: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode { .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F") }
}

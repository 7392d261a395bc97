// Models that use every feature of plans. The plans are written by hand, so that the client needs no macros.
import Sluice

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Subject {
    static let all: [Subject] = Variant.all.flatMap { variant in
        [
            Subject(Scalars.self, variant), Subject(Repository.self, variant), Subject(Containers.self, variant),
            Subject(AnyValues.self, variant), Subject(Raws.self, variant), Subject(Package.self, variant),
            Subject(Order.self, variant), Subject(Team.self, variant), Subject(Whole.self, variant),
            Subject(Extras.self, variant), Subject(Closed.self, variant), Subject(Forgiving.self, variant),
            Subject(Times.self, variant), Subject(Converted.self, variant), Subject(Embedded.self, variant),
            Subject(Either.self, variant),
            Subject(Tree.self, variant), Subject(Dog.self, variant), Subject(Post.self, variant),
            Subject(Event.self, variant), Subject(OptionalEvent.self, variant), Subject(External.self, variant),
            Subject(ExternalOther.self, variant), Subject(ExternalWhole.self, variant),
            Subject(Internal.self, variant), Subject(InternalOther.self, variant),
            Subject(InternalWhole.self, variant), Subject(Nested.self, variant), Subject(Adjacent.self, variant),
            Subject(AdjacentOther.self, variant), Subject(Untagged.self, variant),
            Subject(UntaggedOther.self, variant), Subject(Plain.self, variant), Subject(Expression.self, variant),
            Subject([Repository].self, variant, named: "Repositories"),
            Subject([String: Int?].self, variant, named: "Counts"), Subject(Double.self, variant),
            Subject(Shapes.self, variant),
        ]
    }
}

// MARK: Scalars and containers

struct Scalars: JSONModel {
    let a: Int8, b: Int16, c: Int32, d: Int64, e: Int128
    let f: UInt8, g: UInt16, h: UInt32, i: UInt64, j: UInt128
    let double: Double, float: Float, flag: Bool, text: String
    let maybe: Int?
    var count = 0

    static let plan = ModelPlan<Scalars>(
        JSONField(\.a), JSONField(\.b), JSONField(\.c), JSONField(\.d), JSONField(\.e), JSONField(\.f),
        JSONField(\.g),
        JSONField(\.h), JSONField(\.i), JSONField(\.j), JSONField(\.double), JSONField(\.float), JSONField(\.flag),
        JSONField(\.text), JSONField(\.maybe), JSONField(\.count, default: 0))
}

struct Repository: JSONModel {
    let id: Int
    let fullName: String
    let owner: String
    let stars: Int
    let license: License?
    let topics: [String]

    static let plan = ModelPlan<Repository>(
        JSONField(\.id), JSONField(\.fullName),
        JSONField(\.owner, key: "owner.login", or: "user.login", "login"), JSONField(\.stars, default: 0),
        JSONField(\.license), JSONField(\.topics, default: ["none"])
    )
    .describing("A repository.", ["id": "The number.", "license": "The license, if any."])
}

struct License: JSONModel {
    let key: String
    let url: URL?

    static let plan = ModelPlan<License>(JSONField(\.key), JSONField(\.url, key: "html_url", or: "url"))
}

enum Size: String, CaseIterable, JSONConvertible, JSONDictionaryKey {
    case small, large
    case seven = "7"
}

struct Containers: JSONModel {
    let numbers: [Int]
    let maybes: [Bool?]
    let matrix: [[Double]]
    let set: Set<String>
    let byName: [String: Int16]
    let byNumber: [Int: String]
    let bySize: [Size: Int?]
    let byID: [UUID: Bool]
    let licenses: [License]?

    static let plan = ModelPlan<Containers>(
        JSONField(\.numbers), JSONField(\.maybes), JSONField(\.matrix), JSONField(\.set), JSONField(\.byName),
        JSONField(\.byNumber), JSONField(\.bySize), JSONField(\.byID), JSONField(\.licenses))
}

struct AnyValues: JSONModel {
    let value: JSONValue
    let raw: JSONRaw
    let number: JSONNumber
    let object: JSONObject
    let presence: JSONPresence<Int>
    let lazy: JSONLazy<License>
    let maybe: JSONValue?
    let lazies: [JSONLazy<Int>]?

    static let plan = ModelPlan<AnyValues>(
        JSONField(\.value), JSONField(\.raw), JSONField(\.number), JSONField(\.object), JSONField(\.presence),
        JSONField(\.lazy), JSONField(\.maybe), JSONField(\.lazies))
}

enum Level: Int, JSONConvertible, CaseIterable {
    case low = 1
    case high = 2
}

enum Color: String, JSONConvertible {
    case red, green, unknown
    static var jsonShape: JSONShape {
        JSONShape.rawValue(Color.self, values: [.red, .green, .unknown], fallback: .unknown).describing("A color.")
    }
}

struct Raws: JSONModel {
    let size: Size
    let level: Level?
    let color: Color
    let colors: [Color]?

    static let plan = ModelPlan<Raws>(
        JSONField(\.size), JSONField(\.level), JSONField(\.color), JSONField(\.colors))
}

// MARK: Paths

struct Package: JSONModel {
    let name: String
    let first: String?
    let third: Int
    let major: Int?

    static let plan = ModelPlan<Package>(
        JSONField(\.name, key: "meta.full.name"), JSONField(\.first, key: "tags[0]"),
        JSONField(\.third, key: "numbers[2]"), JSONField(\.major, key: #"version\.major"#))
}

struct Order: JSONModel {
    let skus: [String]
    let discounts: [Int?]
    let tags: [String]?

    static let plan = ModelPlan<Order>(
        JSONField(\.skus, key: "items[*].sku"), JSONField(\.discounts, key: "items[*].discount"),
        JSONField(\.tags, key: "groups[*].tags[*]").ignored(.encoding))
}

struct Team: JSONModel {
    let names: [String]
    let users: [String: License]

    static let plan = ModelPlan<Team>(
        JSONField(\.names, key: "users.*.key").ignored(.encoding), JSONField(\.users, key: "users"))
}

struct Whole: JSONModel {
    let owner: License
    let key: String?

    static let plan = ModelPlan<Whole>(JSONField(\.owner), JSONField(\.key, key: "owner.key").ignored(.encoding))
}

// MARK: Other keys, and tolerance

struct Extras: JSONModel {
    let id: Int
    let rest: [String: Int?]

    static let plan = ModelPlan<Extras>(JSONField(\.id), JSONField(extra: \.rest))
}

struct Closed: JSONModel {
    let id: Int
    let place: String?
    var secret = 1

    static let plan = ModelPlan<Closed>(
        [
            JSONField(\.id), JSONField(\.place, key: "where.name"),
            JSONField(\.secret, default: 1).ignored(.decoding),
        ],
        unknownKeys: .reject)
}

struct Forgiving: JSONModel {
    let numbers: [Int]
    let byName: [String: Bool]
    let count: Int
    let quoted: Int
    let strictDefault: Int

    static let plan = ModelPlan<Forgiving>(
        JSONField(\.numbers).lossy(), JSONField(\.byName, default: [:]).lossy(),
        JSONField(\.count, default: 7).defaulting(on: [.missing, .null, .mismatch]),
        JSONField(\.quoted).coercion(.lenient), JSONField(\.strictDefault, default: 3).defaulting(on: .missing))
}

// MARK: Foundation and conversions

struct Times: JSONModel {
    let date: Date
    let url: URL
    let id: UUID
    let data: Data
    let price: Decimal
    let duration: Duration
    let seconds: Date
    let text: Date?
    let zone: TimeZone?

    static let plan = ModelPlan<Times>(
        JSONField(\.date), JSONField(\.url), JSONField(\.id), JSONField(\.data), JSONField(\.price),
        JSONField(\.duration), JSONField(\.seconds, transform: .seconds), JSONField(\.text, transform: .iso8601),
        JSONField(\.zone))
}

struct HexTransform: JSONTransform {
    func decode(_ json: String) throws -> Int {
        guard let value = Int(json, radix: 16), json.utf8.count == 2, json.utf8.first != 0x2B,
            json.utf8.first != 0x2D
        else {
            throw JSONModelError.ConversionFailure.invalid("not hexadecimal")
        }
        return value
    }
    func encode(_ value: Int) throws -> String {
        value < 16 ? "0\(String(value, radix: 16))" : String(value, radix: 16)
    }
    var jsonSchema: JSONValue? { ["type": "string", "pattern": "^[0-9a-fA-F]{2}$"] }
}

struct Doubled: JSONTransform {
    func decode(_ json: Int16) throws -> Int { Int(json) * 2 }
    func encode(_ value: Int) throws -> Int16 { Int16(value / 2) }
}

struct Slug: JSONConvertible {
    let text: String
    static var jsonShape: JSONShape {
        JSONShape.scalar(Slug.self, expecting: "a slug") { scalar in
            guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
                throw JSONModelError.ConversionFailure.invalid("not a slug")
            }
            return Slug(text: text)
        } write: {
            .string($0.text)
        }
        .schema(["type": "string", "pattern": "^[a-z]+$"])
    }
}

struct Loose: JSONConvertible {
    let text: String
    static var jsonShape: JSONShape {
        .scalar(Loose.self, expecting: "a scalar") { scalar in
            Loose(text: scalar.string ?? scalar.numberText ?? "\(scalar.bool ?? false)")
        } write: {
            .string($0.text)
        }
    }
}

struct Converted: JSONModel {
    let hex: Int
    let hexes: [Int]?
    let doubled: Int
    let slug: Slug
    let loose: Loose

    static let plan = ModelPlan<Converted>(
        JSONField(\.hex, transform: HexTransform()), JSONField(\.hexes, transform: HexTransform()),
        JSONField(\.doubled, transform: Doubled()), JSONField(\.slug), JSONField(\.loose))
}

struct Embedded: JSONModel {
    let license: License
    let count: Int?

    static let plan = ModelPlan<Embedded>(JSONField(embedded: \.license), JSONField(embedded: \.count))
}

struct Either: JSONModel {
    let license: License
    let maybe: License?
    let licenses: [License]
    let count: Int?

    static let plan = ModelPlan<Either>(
        JSONField(embedded: \.license, as: .either), JSONField(embedded: \.maybe, as: .either),
        JSONField(embedded: \.licenses, as: .either, default: []), JSONField(embedded: \.count, as: .either))
}

// MARK: Recursion, classes, parts

struct Tree: JSONModel {
    let name: String
    let children: [Tree]
    let byName: [String: Tree]?

    static let plan = ModelPlan<Tree>(JSONField(\.name), JSONField(\.children, default: []), JSONField(\.byName))
}

class Animal: JSONModel {
    struct Storage {
        var name: String
        var legs: Int?
    }
    let name: String
    let legs: Int?
    init(_ storage: Storage) { (name, legs) = (storage.name, storage.legs) }
    class var plan: _AnyModelPlan { animalPlan._erased }
    private static let animalPlan = ModelPlan<Animal>(
        storage: Storage.self, [JSONField(\.name), JSONField(\.legs)], make: { Animal($0) },
        read: { Storage(name: $0.name, legs: $0.legs) }
    )
    .describing("An animal.", ["name": "The name."])
}

final class Dog: Animal {
    struct DogStorage {
        var base: Animal.Storage
        var barks: Bool
    }
    let barks: Bool
    init(_ storage: DogStorage) {
        barks = storage.barks
        super.init(storage.base)
    }
    override class var plan: _AnyModelPlan { dogPlan._erased }
    private static let dogPlan = ModelPlan<Dog>(
        storage: DogStorage.self, superclass: Animal.plan, base: \.base, [JSONField(\.barks, default: true)],
        make: { Dog($0) },
        read: { DogStorage(base: Animal.Storage(name: $0.name, legs: $0.legs), barks: $0.barks) })
}

struct Author: JSONModel {
    let authorName: String
    let age: Int?

    static let plan = ModelPlan<Author>(JSONField(\.authorName), JSONField(\.age))
}

struct Rating: JSONModel {
    let score: Int
    let votes: Int

    static let plan = ModelPlan<Rating>(JSONField(\.score, key: "rating.score"), JSONField(\.votes, default: 1))
}

struct Post: JSONModel {
    let title: String
    let author: Author
    let rating: Rating?

    static let plan = ModelPlan<Post>(
        JSONField(\.title), JSONField(flatten: \.author), JSONField(flatten: \.rating))
}

// MARK: Enums

struct Circle: JSONModel {
    let radius: Double
    let label: String?

    static let plan = ModelPlan<Circle>(JSONField(\.radius), JSONField(\.label))
}

struct Square: JSONModel {
    let side: Int

    static let plan = ModelPlan<Square>(JSONField(\.side))
}

struct Event: JSONModel {
    let id: Int
    let action: Internal

    static let plan = ModelPlan<Event>(JSONField(\.id), JSONField(flatten: \.action))
}

struct OptionalEvent: JSONModel {
    let id: Int
    let action: External?

    static let plan = ModelPlan<OptionalEvent>(JSONField(\.id), JSONField(flatten: \.action))
}

enum External: JSONEnum {
    case circle(Circle)
    case count(Int?)
    case point
    static let plan = ModelPlan<External>(cases: [
        JSONCase("circle", keys: ["circle", "kreis"], payload: Circle.self, make: { .circle($0) }) {
            if case .circle(let value) = $0 { value } else { nil }
        },
        JSONCase("count", payload: Int?.self, make: { .count($0) }) {
            if case .count(let value) = $0 { value } else { nil }
        },
        JSONCase("point", value: .point) { if case .point = $0 { true } else { false } },
    ])
    .describing("A shape.", ["circle": "A round shape."])
}

enum ExternalOther: JSONEnum {
    case circle(Circle)
    case point
    case other(String)
    static let plan = ModelPlan<ExternalOther>(
        cases: [
            JSONCase("circle", payload: Circle.self, make: { .circle($0) }) {
                if case .circle(let value) = $0 { value } else { nil }
            },
            JSONCase("point", value: .point) { if case .point = $0 { true } else { false } },
            JSONCase("other", payload: String.self, make: { .other($0) }) {
                if case .other(let value) = $0 { value } else { nil }
            },
        ], fallback: "other")
}

enum ExternalWhole: JSONEnum {
    case circle(Circle)
    case point
    case other(JSONValue)
    static let plan = ModelPlan<ExternalWhole>(
        cases: [
            JSONCase("circle", payload: Circle.self, make: { .circle($0) }) {
                if case .circle(let value) = $0 { value } else { nil }
            },
            JSONCase("point", value: .point) { if case .point = $0 { true } else { false } },
            JSONCase("other", payload: JSONValue.self, make: { .other($0) }) {
                if case .other(let value) = $0 { value } else { nil }
            },
        ], fallback: "other")
}

enum Internal: JSONEnum {
    case circle(Circle)
    case square(Square)
    case counts([String: JSONValue])
    case point
    static let plan = ModelPlan<Internal>(
        cases: [
            JSONCase("circle", keys: ["circle", "kreis"], payload: Circle.self, make: { .circle($0) }) {
                if case .circle(let value) = $0 { value } else { nil }
            },
            JSONCase("square", payload: Square.self, make: { .square($0) }) {
                if case .square(let value) = $0 { value } else { nil }
            },
            JSONCase("counts", payload: [String: JSONValue].self, make: { .counts($0) }) {
                if case .counts(let value) = $0 { value } else { nil }
            },
            JSONCase("point", value: .point) { if case .point = $0 { true } else { false } },
        ], tagging: .internal(tag: "type"))
}

enum InternalOther: JSONEnum {
    case circle(Circle)
    case other(String)
    static let plan = ModelPlan<InternalOther>(
        cases: [
            JSONCase("circle", payload: Circle.self, make: { .circle($0) }) {
                if case .circle(let value) = $0 { value } else { nil }
            },
            JSONCase("other", payload: String.self, make: { .other($0) }) {
                if case .other(let value) = $0 { value } else { nil }
            },
        ], tagging: .internal(tag: "type"), fallback: "other")
}

enum InternalWhole: JSONEnum {
    case circle(Circle)
    case other(JSONRaw)
    static let plan = ModelPlan<InternalWhole>(
        cases: [
            JSONCase("circle", payload: Circle.self, make: { .circle($0) }) {
                if case .circle(let value) = $0 { value } else { nil }
            },
            JSONCase("other", payload: JSONRaw.self, make: { .other($0) }) {
                if case .other(let value) = $0 { value } else { nil }
            },
        ], tagging: .internal(tag: "type"), fallback: "other")
}

/// An internally tagged enum inside of another.
enum Nested: JSONEnum {
    case shape(Internal)
    case point
    static let plan = ModelPlan<Nested>(
        cases: [
            JSONCase("shape", payload: Internal.self, make: { .shape($0) }) {
                if case .shape(let value) = $0 { value } else { nil }
            },
            JSONCase("point", value: .point) { if case .point = $0 { true } else { false } },
        ], tagging: .internal(tag: "kind"))
}

enum Adjacent: JSONEnum {
    case circle(Circle)
    case count(Int)
    case maybe(Bool?)
    case point
    static let plan = ModelPlan<Adjacent>(
        cases: [
            JSONCase("circle", payload: Circle.self, make: { .circle($0) }) {
                if case .circle(let value) = $0 { value } else { nil }
            },
            JSONCase("count", payload: Int.self, make: { .count($0) }) {
                if case .count(let value) = $0 { value } else { nil }
            },
            JSONCase("maybe", payload: Bool?.self, make: { .maybe($0) }) {
                if case .maybe(let value) = $0 { value } else { nil }
            },
            JSONCase("point", value: .point) { if case .point = $0 { true } else { false } },
        ], tagging: .adjacent(tag: "t", content: "c"))
}

enum AdjacentOther: JSONEnum {
    case circle(Circle)
    case other
    static let plan = ModelPlan<AdjacentOther>(
        cases: [
            JSONCase("circle", payload: Circle.self, make: { .circle($0) }) {
                if case .circle(let value) = $0 { value } else { nil }
            },
            JSONCase("other", value: .other) { if case .other = $0 { true } else { false } },
        ], tagging: .adjacent(tag: "t", content: "c"), fallback: "other")
}

enum Untagged: JSONEnum {
    case circle(Circle)
    case square(Square)
    case count(Int)
    case point
    static let plan = ModelPlan<Untagged>(
        cases: [
            JSONCase("circle", payload: Circle.self, make: { .circle($0) }) {
                if case .circle(let value) = $0 { value } else { nil }
            },
            JSONCase("square", payload: Square.self, make: { .square($0) }) {
                if case .square(let value) = $0 { value } else { nil }
            },
            JSONCase("count", payload: Int.self, make: { .count($0) }) {
                if case .count(let value) = $0 { value } else { nil }
            },
            JSONCase("point", value: .point) { if case .point = $0 { true } else { false } },
        ], tagging: .untagged)
}

enum UntaggedOther: JSONEnum {
    case square(Square)
    case other(JSONValue)
    static let plan = ModelPlan<UntaggedOther>(
        cases: [
            JSONCase("square", payload: Square.self, make: { .square($0) }) {
                if case .square(let value) = $0 { value } else { nil }
            },
            JSONCase("other", payload: JSONValue.self, make: { .other($0) }) {
                if case .other(let value) = $0 { value } else { nil }
            },
        ], tagging: .untagged, fallback: "other")
}

/// An enum without values, with a fallback.
enum Plain: JSONEnum {
    case red, green, unknown
    static let plan = ModelPlan<Plain>(
        cases: [
            JSONCase("red", value: .red) { if case .red = $0 { true } else { false } },
            JSONCase("green", value: .green) { if case .green = $0 { true } else { false } },
            JSONCase("unknown", value: .unknown) { if case .unknown = $0 { true } else { false } },
        ], fallback: "unknown")
}

/// An enum that contains itself.
indirect enum Expression: JSONEnum {
    case number(Double)
    case sum([Expression])
    case negated(Expression)
    static let plan = ModelPlan<Expression>(cases: [
        JSONCase("number", payload: Double.self, make: { .number($0) }) {
            if case .number(let value) = $0 { value } else { nil }
        },
        JSONCase("sum", payload: [Expression].self, make: { .sum($0) }) {
            if case .sum(let value) = $0 { value } else { nil }
        },
        JSONCase("negated", payload: Expression.self, make: { .negated($0) }) {
            if case .negated(let value) = $0 { value } else { nil }
        },
    ])
}

struct Shapes: JSONModel {
    let first: Internal
    let others: [External]
    let maybe: Adjacent?
    let any: Untagged?

    static let plan = ModelPlan<Shapes>(
        JSONField(\.first), JSONField(\.others), JSONField(\.maybe), JSONField(\.any))
}

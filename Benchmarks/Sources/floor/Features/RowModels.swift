import Foundation
import Sluice

/// The models of the rows of `Features`. Where Foundation decodes the same JSON, the model is `Decodable` and `Encodable`, too.
enum RowModels {
    @JSONModel
    struct Plain: Codable, Equatable {
        let id: Int
        let name: String
        let score: Double
        let ok: Bool
        let note: String
    }

    @JSONModel
    struct Signed: Codable, Equatable {
        let x: Int
        let y: Int
        let z: Int
        let name: String
    }

    // MARK: Enums

    @JSONModel
    struct Circle: Codable, Equatable {
        let id: Int
        let radius: Double
        let note: String
    }

    @JSONModel
    struct Square: Codable, Equatable {
        let id: Int
        let side: Double
        let label: String
    }

    @JSONModel(tag: "type")
    enum Internal: Codable, Equatable {
        case circle(Circle)
        case square(Square)

        private enum CodingKeys: CodingKey { case type }
        private enum Tag: String, Codable { case circle, square }

        init(from decoder: any Decoder) throws {
            switch try decoder.container(keyedBy: CodingKeys.self).decode(Tag.self, forKey: .type) {
            case .circle: self = .circle(try Circle(from: decoder))
            case .square: self = .square(try Square(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .circle(let circle):
                try container.encode(Tag.circle, forKey: .type)
                try circle.encode(to: encoder)
            case .square(let square):
                try container.encode(Tag.square, forKey: .type)
                try square.encode(to: encoder)
            }
        }
    }

    @JSONModel
    enum External: Codable, Equatable {
        case circle(Circle)
        case square(Square)

        private enum CodingKeys: CodingKey { case circle, square }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let circle = try container.decodeIfPresent(Circle.self, forKey: .circle) {
                self = .circle(circle)
            } else {
                self = .square(try container.decode(Square.self, forKey: .square))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .circle(let circle): try container.encode(circle, forKey: .circle)
            case .square(let square): try container.encode(square, forKey: .square)
            }
        }
    }

    @JSONModel(tag: "t", content: "c")
    enum Adjacent: Codable, Equatable {
        case circle(Circle)
        case square(Square)

        private enum CodingKeys: CodingKey { case t, c }
        private enum Tag: String, Codable { case circle, square }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decode(Tag.self, forKey: .t) {
            case .circle: self = .circle(try container.decode(Circle.self, forKey: .c))
            case .square: self = .square(try container.decode(Square.self, forKey: .c))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .circle(let circle):
                try container.encode(Tag.circle, forKey: .t)
                try container.encode(circle, forKey: .c)
            case .square(let square):
                try container.encode(Tag.square, forKey: .t)
                try container.encode(square, forKey: .c)
            }
        }
    }

    @JSONModel(.untagged)
    enum Untagged: Codable, Equatable {
        case circle(Circle)
        case square(Square)

        init(from decoder: any Decoder) throws {
            if let circle = try? Circle(from: decoder) {
                self = .circle(circle)
            } else {
                self = .square(try Square(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .circle(let circle): try circle.encode(to: encoder)
            case .square(let square): try square.encode(to: encoder)
            }
        }
    }

    @JSONModel(.untagged)
    enum StringOrInt: Codable, Equatable {
        case string(String)
        case int(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let string = try? container.decode(String.self) {
                self = .string(string)
            } else {
                self = .int(try container.decode(Int.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .string(let string): try container.encode(string)
            case .int(let int): try container.encode(int)
            }
        }
    }

    @JSONModel
    struct WithScalarUnion: Codable, Equatable {
        let id: StringOrInt
        let name: String
        let score: Double
        let note: String
    }

    @JSONModel(tag: "type")
    enum Action: Equatable {
        case push(ref: String)
        case star(stars: Int)
    }

    @JSONModel
    struct WithFlattenedEnum: Equatable {
        let id: Int
        let name: String
        let score: Double
        @JSONFlatten let action: Action
    }

    @JSONModel
    enum Level: String, Codable, Equatable { case low, middle, high }

    @JSONModel
    struct WithRawEnum: Codable, Equatable {
        let id: Int
        let name: String
        let level: Level
        let score: Double
        let note: String
    }

    // MARK: Keys and members

    @JSONModel
    struct WithExtra: Equatable {
        let id: Int
        let name: String
        @JSONExtra var others: [String: JSONValue]
    }

    @JSONModel
    struct WithPath: Equatable {
        let id: Int
        @JSONKey("user.login") let login: String
        @JSONKey("user.age") let age: Int
        let note: String
    }

    @JSONModel
    struct WithWildcard: Equatable {
        let id: Int
        @JSONKey("items[*].login") let logins: [String]
    }

    @JSONModel
    struct WithAlternatives: Equatable {
        let id: Int
        @JSONKey("full_name", or: "name") let name: String
        let score: Double
        let ok: Bool
        let note: String
    }

    @JSONModel
    struct WithDefaults: Equatable {
        let id: Int
        var name = "nobody"
        var score = 0.0
        var ok = false
        var note = ""
    }

    @JSONModel
    struct WithOptionals: Codable, Equatable {
        let id: Int?
        let name: String?
        let score: Double?
        let ok: Bool?
        let note: String?
    }

    @JSONModel
    struct User: Codable, Equatable {
        let login: String
        let age: Int
    }

    @JSONModel
    struct WithNested: Codable, Equatable {
        let id: Int
        let user: User
        let note: String
    }

    @JSONModel
    struct WithFlattenedStruct: Equatable {
        let id: Int
        @JSONFlatten let user: User
        let note: String
    }

    // MARK: Values made from others

    @JSONModel
    struct WithCodable: Codable, Equatable {
        struct Place: Codable, Equatable {
            let lat: Double
            let lon: Double
        }

        let id: Int
        let name: String
        let place: Place
        let note: String
    }

    @JSONModel
    struct WithLossy: Equatable {
        let id: Int
        let name: String
        @JSONLossy let values: [Int]
        let note: String
    }

    @JSONModel
    struct WithEmbedded: Equatable {
        let id: Int
        let name: String
        @JSONEmbedded let user: User
        let note: String
    }

    @JSONModel(coercion: .lenient)
    struct Lenient: Equatable {
        let id: Int
        let name: String
        let score: Double
        let note: String
    }

    @JSONModel
    struct WithValue: Equatable {
        let id: Int
        let name: String
        let data: JSONValue
        let note: String
    }

    @JSONModel
    struct WithRaw: Equatable {
        let id: Int
        let name: String
        let data: JSONRaw
        let note: String
    }

    @JSONModel
    struct WithDictionary: Codable, Equatable {
        let id: Int
        let counts: [String: Int]
        let note: String
    }

    @JSONModel
    struct WithSet: Codable, Equatable {
        let id: Int
        let tags: Set<String>
        let note: String
    }

    @JSONModel
    struct WithArray: Codable, Equatable {
        let id: Int
        let tags: [String]
        let note: String
    }

    // MARK: Foundation's types

    @JSONModel
    struct WithURL: Codable, Equatable {
        let id: Int
        let url: URL
        let note: String
    }

    @JSONModel
    struct WithData: Codable, Equatable {
        let id: Int
        let data: Data
        let note: String
    }

    @JSONModel
    struct WithDecimal: Codable, Equatable {
        let id: Int
        let price: Decimal
        let name: String
        let note: String
    }

    @JSONModel
    struct WithUUID: Codable, Equatable {
        let id: Int
        let uuid: UUID
        let note: String
    }

    @JSONModel
    struct WithDate: Codable, Equatable {
        let id: Int
        let name: String
        let at: Date
        let note: String
    }

    @JSONModel
    struct WithFraction: Equatable {
        let id: Int
        let name: String
        @JSONTransform(.iso8601WithFractionalSeconds) let at: Date
        let note: String
    }

    @JSONModel
    struct WithSeconds: Equatable {
        let id: Int
        let name: String
        @JSONTransform(.seconds) let at: Date
        let note: String
    }

    // MARK: Types

    @JSONModel
    struct WithHook: Equatable {
        let id: Int
        var name: String
        let score: Double
        let ok: Bool
        let note: String

        mutating func didDecode() { if id < 0 { name = "" } }
    }

    @JSONModel
    final class ClassModel: Equatable {
        let id: Int
        let name: String
        let score: Double
        let ok: Bool
        let note: String

        static func == (a: ClassModel, b: ClassModel) -> Bool {
            a.id == b.id && a.name == b.name && a.score == b.score && a.ok == b.ok && a.note == b.note
        }
    }
}

import Foundation
import Sluice

/// A measurement of documents whose keys are not in the order of the model's properties.
///
/// Each document has the same objects. The speed is compared with that of the document in declared order.
struct Orders {
    let source: Source
    /// The documents, that in declared order first.
    private let documents: [(name: String, goal: Double, bytes: [UInt8])]
    private let run: ([UInt8]) throws -> Void

    /// The order of the members in each object.
    private enum Order {
        case constant([Int])
        /// Each object has its own order.
        case random
    }

    /// Returns the measurements of objects with 20 members that are all read, with 20 of which 4 are read, and with 80 of which 20 are read.
    static func all(_ source: Source) -> [Orders] {
        let decoder = source.decoder
        func run<Model: JSONModel>(_ type: Model.Type) -> ([UInt8]) throws -> Void {
            { bytes in keep(try decoder.decode([Model].self, from: bytes)) }
        }
        return [
            Orders(source, "20 of 20 keys", members: 20, objects: 12_000, run(AllMembers.self)),
            Orders(source, "4 of 20 keys", members: 20, objects: 12_000, run(FourMembers.self)),
            Orders(source, "20 of 80 keys", members: 80, objects: 3_000, run(AllMembers.self)),
        ]
    }

    private init(
        _ source: Source, _ name: String, members: Int, objects: Int, _ run: @escaping ([UInt8]) throws -> Void
    ) {
        self.source = source
        self.run = run
        let declared = Array(0..<members)
        var random = SplitMix(state: 1)
        let orders: [(String, Double, Order)] = [
            ("declared", 1, .constant(declared)),
            ("shuffled once", 0.97, .constant(declared.shuffled(using: &random))),
            ("reversed", 0.97, .constant(declared.reversed())),
            ("random", 0.75, .random),
        ]
        documents = orders.map { order in
            ("\(name), \(order.0)", order.1, Self.document(members, objects, order.2, &random))
        }
    }

    private static func document(_ members: Int, _ objects: Int, _ order: Order, _ random: inout SplitMix)
        -> [UInt8]
    {
        let texts = (0..<objects).map { object in
            let order =
                switch order {
                case .constant(let order): order
                case .random: Array(0..<members).shuffled(using: &random)
                }
            return "{" + order.map { member($0, of: object) }.joined(separator: ",") + "}"
        }
        return Array("[\(texts.joined(separator: ",\n"))]".utf8)
    }

    /// Returns the text of a member. The keys after the first 20 belong to no property.
    private static func member(_ index: Int, of object: Int) -> String {
        let name = index < names.count ? names[index] : names[index % names.count] + "_\(index / names.count)"
        let value =
            switch index % 4 {
            case 0: "\(object &* 31 &+ index)"
            case 1: "\"text \(object % 1000)\""
            case 2: "\(Double(object % 1000) / 8)"
            default: object % 3 == 0 ? "true" : "false"
            }
        return "\"\(name)\":\(value)"
    }

    private static let names = [
        "id", "name", "price", "active", "owner_id", "owner_name", "score", "is_public", "created", "created_by",
        "average", "archived", "modified", "modified_by", "median", "locked", "size", "language", "deviation",
        "verified",
    ]

    /// Returns the speed of each order but the first, as a share of the speed of the first.
    func measure(rounds: Int) throws -> [(name: String, goal: Double, share: Double)] {
        let times = try Rounds(count: rounds).medians(of: documents.map { document in { try run(document.bytes) } })
        return zip(documents, times).dropFirst().map { ($0.name, $0.goal, times[0] / $1) }
    }
}

/// A generator of repeatable random numbers: SplitMix64.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@JSONModel(keys: .snakeCase)
struct AllMembers {
    let id: Int
    let name: String
    let price: Double
    let active: Bool
    let ownerId: Int
    let ownerName: String
    let score: Double
    let isPublic: Bool
    let created: Int
    let createdBy: String
    let average: Double
    let archived: Bool
    let modified: Int
    let modifiedBy: String
    let median: Double
    let locked: Bool
    let size: Int
    let language: String
    let deviation: Double
    let verified: Bool
}

@JSONModel(keys: .snakeCase)
struct FourMembers {
    let id: Int
    let createdBy: String
    let median: Double
    let verified: Bool
}

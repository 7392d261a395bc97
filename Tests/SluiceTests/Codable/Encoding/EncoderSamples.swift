import Foundation

/// A type with members of many kinds, encoded by synthesized code.
struct EncoderSample: Codable {
    enum Color: String, Codable { case red, green }
    struct Part: Codable {
        var name: String?
        var amount: Double
        var flags: [Bool]
    }

    var id: Int
    var camelCaseName: String
    var color: Color?
    var parts: [Part]
    var named: [String: Part]
    var numbers: [Int: String]
    var matrix: [[Double]]
    var maybe: [Int?]
    var small: UInt8
    var ratio: Float
    var url: URL?
    var date: Date

    static let list: [EncoderSample] = (0..<3).map { EncoderSample(index: $0) }

    private init(index: Int) {
        id = index
        camelCaseName = "a/b \"\(index)\"\n"
        color = index == 0 ? nil : index == 1 ? .red : .green
        parts = Self.parts(index)
        named = index == 0 ? [:] : ["one": Part(name: "ä", amount: 1, flags: [])]
        numbers = [index: "x"]
        matrix = [[1, 2.5], []]
        maybe = [nil, index]
        small = 7
        ratio = 0.1
        url = index == 0 ? nil : URL(string: "http://swift.org/\(index)")
        date = Date(timeIntervalSinceReferenceDate: Double(index) * 1000.5)
    }

    private static func parts(_ count: Int) -> [Part] {
        (0..<count).map { index in
            Part(name: index == 0 ? nil : "part \(index)", amount: Double(index) / 3, flags: [true, false])
        }
    }
}

final class EncodedTree: Codable {
    let value: Int
    let children: [EncodedTree]?

    init(_ value: Int, _ children: [EncodedTree]? = nil) {
        self.value = value
        self.children = children
    }

    /// A tree with a number of nested containers.
    static func chain(_ depth: Int) -> EncodedTree {
        var tree = EncodedTree(0)
        for level in 1..<max(depth / 2, 1) + depth % 2 { tree = EncodedTree(level, [tree]) }
        return tree
    }
}

/// Arrays in arrays.
struct EncodedArrays: Encodable {
    let depth: Int

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if depth > 1 { try container.encode(EncodedArrays(depth: depth - 1)) }
    }
}

enum EncodedShape: Codable {
    case circle(radius: Double)
    case point
    case rectangle(Int, Int)
}

class EncodedAnimal: Encodable {
    let name: String

    init(name: String) { self.name = name }

    enum CodingKeys: String, CodingKey { case name }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
    }
}

/// Encodes the superclass below the key "super".
final class EncodedDog: EncodedAnimal {
    let age: Int

    init(name: String, age: Int) {
        self.age = age
        super.init(name: name)
    }

    enum CodingKeys: String, CodingKey { case age, parts }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try super.encode(to: container.superEncoder())
        try container.encode(age, forKey: .age)
        try super.encode(to: container.superEncoder(forKey: .parts))
    }
}

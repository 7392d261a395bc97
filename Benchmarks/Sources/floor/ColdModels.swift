import Sluice

// Models for measurements of the first use of a type: the first has two properties, the others have ten, and a model of two.

@JSONModel
struct Revision: Decodable {
    let key: String
    let value: Int
}

@JSONModel
struct Invoice: Decodable {
    let note: String?
    let id: Int
    let count: UInt32
    let items: [Position]
    let source: String
    let labels: [String]
    let title: String
    let isActive: Bool
    let rating: Double
    let weights: [Double]?
}

@JSONModel
struct Position: Decodable {
    let key: String
    let value: Int
}

@JSONModel
struct Station: Decodable {
    let source: String
    let rating: Double
    let items: [Platform]
    let title: String
    let weights: [Double]?
    let id: Int
    let labels: [String]
    let count: UInt32
    let note: String?
    let isActive: Bool
}

@JSONModel
struct Platform: Decodable {
    let key: String
    let value: Int
}

@JSONModel
struct Recipe: Decodable {
    let items: [Ingredient]
    let note: String?
    let title: String
    let labels: [String]
    let count: UInt32
    let weights: [Double]?
    let isActive: Bool
    let source: String
    let id: Int
    let rating: Double
}

@JSONModel
struct Ingredient: Decodable {
    let key: String
    let value: Int
}

@JSONModel
struct Player: Decodable {
    let count: UInt32
    let source: String
    let rating: Double
    let items: [Score]
    let isActive: Bool
    let weights: [Double]?
    let id: Int
    let title: String
    let labels: [String]
    let note: String?
}

@JSONModel
struct Score: Decodable {
    let key: String
    let value: Int
}

@JSONModel
struct Device: Decodable {
    let title: String
    let id: Int
    let labels: [String]
    let isActive: Bool
    let weights: [Double]?
    let note: String?
    let source: String
    let items: [Reading]
    let count: UInt32
    let rating: Double
}

@JSONModel
struct Reading: Decodable {
    let key: String
    let value: Int
}

@JSONModel
struct Ticket: Decodable {
    let count: UInt32
    let items: [Comment]
    let isActive: Bool
    let note: String?
    let title: String
    let source: String
    let weights: [Double]?
    let rating: Double
    let id: Int
    let labels: [String]
}

@JSONModel
struct Comment: Decodable {
    let key: String
    let value: Int
}

@JSONModel
struct Album: Decodable {
    let note: String?
    let title: String
    let labels: [String]
    let weights: [Double]?
    let source: String
    let count: UInt32
    let id: Int
    let items: [Track]
    let rating: Double
    let isActive: Bool
}

@JSONModel
struct Track: Decodable {
    let key: String
    let value: Int
}

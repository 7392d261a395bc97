import Sluice

/// One record of the generated file.
///
/// `@JSONModel` and `Codable` at once, so that Sluice and Foundation's `JSONDecoder` fill the very same type. The
/// file's `meta` objects have no property here: a decoder has to pass over them.
@JSONModel
public struct Record: Codable, Hashable, Sendable {
    public let id: Int
    public let uuid: String
    public let name: String
    public let price: Double
    public let active: Bool
    public let address: Address
    public let tags: [String]
    /// Absent in some records, null in others.
    public let note: String?
}

/// Where the thing that a `Record` describes is.
@JSONModel
public struct Address: Codable, Hashable, Sendable {
    public let street: String
    public let city: String
    public let zip: String?
    public let location: Location
}

/// A point on the globe, in degrees.
@JSONModel
public struct Location: Codable, Hashable, Sendable {
    public let lat: Double
    public let lon: Double
}

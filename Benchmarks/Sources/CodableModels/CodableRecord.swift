/// A record of the generated file, without a plan.
public struct CodableRecord: Codable, Hashable, Sendable {
    public let id: Int
    public let uuid: String
    public let name: String
    public let price: Double
    public let active: Bool
    public let address: CodableAddress
    public let tags: [String]
    /// Absent in some records, null in others.
    public let note: String?
}

/// The address in a `Record`.
public struct CodableAddress: Codable, Hashable, Sendable {
    public let street: String
    public let city: String
    public let zip: String?
    public let location: CodableLocation
}

/// A point on the globe, in degrees.
public struct CodableLocation: Codable, Hashable, Sendable {
    public let lat: Double
    public let lon: Double
}

/// A short message.
public struct ShortMessage: Codable, Equatable, Sendable {
    public let id: Int
    public let tag: String
}

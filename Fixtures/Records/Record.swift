import Sluice

/// A record of the generated file.
///
/// The type is both a `@JSONModel` and `Codable`, so that Sluice and Foundation's `JSONDecoder` decode the same type. The
/// `meta` objects of the file have no property here, so that a decoder has to skip them.
#if Macros
@JSONModel
#endif
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

/// The address in a `Record`.
#if Macros
@JSONModel
#endif
public struct Address: Codable, Hashable, Sendable {
    public let street: String
    public let city: String
    public let zip: String?
    public let location: Location
}

/// A point on the globe, in degrees.
#if Macros
@JSONModel
#endif
public struct Location: Codable, Hashable, Sendable {
    public let lat: Double
    public let lon: Double
}

#if !Macros
// The same plans without macros.

extension Record: JSONModel {
    public static let plan = ModelPlan<Record> {
        JSONField(\.id, key: "id")
        JSONField(\.uuid, key: "uuid")
        JSONField(\.name, key: "name")
        JSONField(\.price, key: "price")
        JSONField(\.active, key: "active")
        JSONField(\.address, key: "address")
        JSONField(\.tags, key: "tags")
        JSONField(\.note, key: "note")
    }
}

extension Address: JSONModel {
    public static let plan = ModelPlan<Address>(
        JSONField(\.street, key: "street"), JSONField(\.city, key: "city"), JSONField(\.zip, key: "zip"),
        JSONField(\.location, key: "location"))
}

extension Location: JSONModel {
    public static let plan = ModelPlan<Location>(JSONField(\.lat, key: "lat"), JSONField(\.lon, key: "lon"))
}
#endif

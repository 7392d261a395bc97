/// The document canada.json: the outline of Canada in GeoJSON, with about 56,000 points of two doubles.
public struct FeatureCollection: Codable, Equatable, Sendable {
    public let type: String
    public let features: [Feature]
}

/// A feature of the map.
public struct Feature: Codable, Equatable, Sendable {
    public let type: String
    public let properties: FeatureProperties
    public let geometry: Geometry
}

/// The properties of a feature.
public struct FeatureProperties: Codable, Equatable, Sendable {
    public let name: String
}

/// The geometry of a feature: rings of points with longitude and latitude.
public struct Geometry: Codable, Equatable, Sendable {
    public let type: String
    public let coordinates: [[[Double]]]
}

import Sluice

/// The document canada.json: the outline of Canada in GeoJSON, with about 56,000 points of two doubles.
@JSONModel
public struct FeatureCollection: Codable, Equatable, Sendable {
    public let type: String
    public let features: [Feature]
}

/// A feature of the map.
@JSONModel
public struct Feature: Codable, Equatable, Sendable {
    public let type: String
    public let properties: FeatureProperties
    public let geometry: Geometry
}

/// The properties of a feature.
@JSONModel
public struct FeatureProperties: Codable, Equatable, Sendable {
    public let name: String
}

/// The geometry of a feature: rings of points with longitude and latitude.
@JSONModel
public struct Geometry: Codable, Equatable, Sendable {
    public let type: String
    public let coordinates: [[[Double]]]
}

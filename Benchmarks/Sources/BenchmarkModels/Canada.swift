import Sluice

/// canada.json: the outline of Canada in GeoJSON, some 56,000 points of two doubles.
@JSONModel
public struct FeatureCollection: Codable, Equatable, Sendable {
    public let type: String
    public let features: [Feature]
}

/// A thing on the map.
@JSONModel
public struct Feature: Codable, Equatable, Sendable {
    public let type: String
    public let properties: FeatureProperties
    public let geometry: Geometry
}

/// What is known of a feature.
@JSONModel
public struct FeatureProperties: Codable, Equatable, Sendable {
    public let name: String
}

/// Rings of points, each point a longitude and a latitude.
@JSONModel
public struct Geometry: Codable, Equatable, Sendable {
    public let type: String
    public let coordinates: [[[Double]]]
}

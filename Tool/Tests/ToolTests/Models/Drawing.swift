#if Macros
// The models of Drawing.json, inferred by `sluice model`.
//
//     let value: Drawing
//
// An encoder with these options writes equal values:
//
//     var encoder = JSONModelEncoder()
//     encoder.nullStrategy = .write

import Sluice

@JSONModel
struct Drawing: Sendable {
    let shapes: [DrawingShape]
    let features: [Feature]
}

@JSONModel(tag: "type", fallback: "other")
enum DrawingShape: Sendable {
    case circle(Circle)
    case square(Square)
    case origin
    case other(JSONValue)
}

@JSONModel
struct Circle: Sendable {
    let radius: Double
    let center: Center
}

@JSONModel
struct Center: Sendable {
    let x: Int
    let y: Double
}

@JSONModel
struct Square: Sendable {
    let side: Int
}

@JSONModel
struct Feature: Sendable {
    let geometry: Geometry?
}

@JSONModel(keys: .firstLetterUppercase, tag: "type", fallback: "other")
enum Geometry: Sendable {
    case point(Point)
    case polygon(Polygon)
    case other(JSONValue)
}

@JSONModel
struct Point: Sendable {
    let coordinates: [Double]
}

@JSONModel
struct Polygon: Sendable {
    let coordinates: [[[Int]]]
}
#endif

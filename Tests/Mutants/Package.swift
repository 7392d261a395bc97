// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of Sluice do not build the program.
let package = Package(
    name: "mutants",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
    ],
    targets: [
        // The faults of a source, and the source that has all of them behind numbers.
        .target(
            name: "Schemata",
            dependencies: [
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ]),
        .executableTarget(
            name: "mutants",
            dependencies: ["Schemata", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .testTarget(name: "SchemataTests", dependencies: ["Schemata"]),
    ],
    swiftLanguageModes: [.v6]
)

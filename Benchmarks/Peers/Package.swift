// swift-tools-version: 6.2
import PackageDescription

// A comparison with other packages for JSON, in a package of its own: neither users nor the other benchmarks clone these packages.
// Each package has a program of its own, because two of them have the same functions in C.
let package = Package(
    name: "sluice-peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "../.."),
        .package(url: "https://github.com/mattt/swift-yyjson", from: "0.5.0"),
        .package(url: "https://github.com/orlandos-nl/IkigaJSON", from: "2.4.4"),
        .package(url: "https://github.com/reers/ReerJSON", from: "1.0.2"),
    ],
    targets: [
        // The models and the measurement of the package Benchmarks, by symbolic links.
        .target(name: "BenchmarkModels", dependencies: [.product(name: "Sluice", package: "sluice")]),
        .target(name: "CodableModels"),
        .target(
            name: "Peers",
            dependencies: ["BenchmarkModels", "CodableModels", .product(name: "Sluice", package: "sluice")]
        ),
        .executableTarget(
            name: "peer-swift-yyjson",
            dependencies: ["Peers", .product(name: "YYJSON", package: "swift-yyjson")],
            path: "Sources/SwiftYYJSON"
        ),
        .executableTarget(
            name: "peer-ikigajson",
            dependencies: ["Peers", .product(name: "IkigaJSON", package: "IkigaJSON")],
            path: "Sources/IkigaJSON"
        ),
        .executableTarget(
            name: "peer-reerjson",
            dependencies: ["Peers", .product(name: "ReerJSON", package: "ReerJSON")],
            path: "Sources/ReerJSON"
        ),
    ],
    swiftLanguageModes: [.v6]
)

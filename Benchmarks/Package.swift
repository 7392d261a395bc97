// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that nobody who uses Sluice builds the benchmarks or clones what they need.
let package = Package(
    name: "sluice-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // Without its traits it needs no jemalloc and no interposer.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        // The same files as the target Records of the main package, under the other name that SwiftPM asks for.
        .target(
            name: "BenchmarkRecords",
            dependencies: [.product(name: "Sluice", package: "sluice")],
            path: "Records"
        ),
        .target(name: "BenchmarkModels", dependencies: [.product(name: "Sluice", package: "sluice")]),
        .executableTarget(
            name: "floor",
            dependencies: [
                "BenchmarkModels", "BenchmarkRecords",
                // The core brings the C module CYajl, which the bare runs call.
                .product(name: "SluiceCore", package: "sluice"),
                .product(name: "Sluice", package: "sluice"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "DecodeBenchmarks",
            dependencies: [
                "BenchmarkModels", "BenchmarkRecords",
                .product(name: "Sluice", package: "sluice"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/DecodeBenchmarks",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

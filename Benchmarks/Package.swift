// swift-tools-version: 6.2
import PackageDescription

// The benchmarks are a separate package, so that users of Sluice neither build them nor clone their dependencies.
let package = Package(
    name: "sluice-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // Without traits, the package needs neither jemalloc nor the interposer.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "BenchmarkModels", dependencies: [.product(name: "Sluice", package: "sluice")]),
        // The generated input, a link to the folder in the fixtures.
        .target(name: "GeneratedRecords", dependencies: [.product(name: "Sluice", package: "sluice")]),
        // The same documents with types that have no plan.
        .target(name: "CodableModels"),
        .executableTarget(
            name: "floor",
            dependencies: [
                "BenchmarkModels", "CodableModels",
                "GeneratedRecords",
                // SluiceCore makes the C module CYajl available, which the measurement of bare yajl calls.
                .product(name: "SluiceCore", package: "sluice"),
                .product(name: "Sluice", package: "sluice"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // Draws the results of floor.
        .executableTarget(
            name: "charts",
            dependencies: [
                .product(name: "Sluice", package: "sluice"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "DecodeBenchmarks",
            dependencies: [
                "BenchmarkModels",
                "GeneratedRecords",
                .product(name: "Sluice", package: "sluice"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/DecodeBenchmarks",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "../../..", traits: ["Foundation", "Yajl"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // The generated input, a link to the folder in the fixtures.
        .target(name: "GeneratedRecords", dependencies: [.product(name: "Sluice", package: "sluice")]),
        .executableTarget(
            name: "Client",
            dependencies: [
                .product(name: "Sluice", package: "sluice"),
                "GeneratedRecords",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

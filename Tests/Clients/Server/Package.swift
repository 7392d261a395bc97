// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "../../..", traits: ["Foundation", "Yajl"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
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
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

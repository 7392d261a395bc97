// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: "../../..", traits: ["Foundation", "Gzip", "Yajl"])],
    targets: [
        .executableTarget(name: "Client", dependencies: ["Swift5", .product(name: "Sluice", package: "sluice")]),
        // Packages from the time before Swift 6: a module with coders in its interface, and a client of the module.
        .target(
            name: "Coders", dependencies: [.product(name: "Sluice", package: "sluice")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // The speed of a client, in debug builds, too.
        .executableTarget(name: "Speed", dependencies: [.product(name: "Sluice", package: "sluice")]),
        .target(name: "Swift5", dependencies: ["Coders"], swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)

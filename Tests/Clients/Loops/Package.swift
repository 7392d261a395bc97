// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: "../../..", traits: ["Yajl"])],
    targets: [
        // The same sources in both language modes: Shapes in each folder is a link.
        .target(
            name: "Five", dependencies: [.product(name: "Sluice", package: "sluice")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "Six", dependencies: [.product(name: "Sluice", package: "sluice")]),
        .executableTarget(name: "Client", dependencies: ["Five", "Six"]),
    ]
)

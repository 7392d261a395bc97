// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    // Without traits, workers need no system library.
    dependencies: [
        .package(name: "sluice", path: "../../..", traits: []),
        .package(name: "sluice-tool", path: "../../../Tool", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Client",
            dependencies: [
                .product(name: "Sluice", package: "sluice"),
                // The tool with the command `sluice ranges`, which is built together with the client.
                .product(name: "sluice", package: "sluice-tool"),
                // The generator of the files.
                .product(name: "sluice-demo", package: "sluice-tool"),
            ])
    ],
    swiftLanguageModes: [.v6]
)

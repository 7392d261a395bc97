// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: "../../..")],
    targets: [
        // Writes the sources of the client, which git ignores.
        .executableTarget(name: "Generate"),
        .executableTarget(name: "Client", dependencies: [.product(name: "Sluice", package: "sluice")]),
    ]
)

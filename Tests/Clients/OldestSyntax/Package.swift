// swift-tools-version: 6.2
import PackageDescription

// The sources of the client Default, with the first version of swift-syntax that the package allows, as if the client had macros
// that need this version.
let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sluice", path: "../../.."),
        .package(url: "https://github.com/swiftlang/swift-syntax", exact: "602.0.0"),
    ],
    targets: [
        .executableTarget(name: "Client", dependencies: [.product(name: "Sluice", package: "sluice")])
    ]
)

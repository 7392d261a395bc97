// swift-tools-version: 6.2
import PackageDescription

// The loops are for faults of the optimizer. In debug builds, Sluice is optimized anyway, so that the build of the client NoMacros serves
// this client, too.
let optimized: SwiftSetting = .unsafeFlags([
    "-O", "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode",
])

let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sluice", path: "../../..", traits: ["Foundation", "Gzip", "Yajl"])],
    targets: [
        // The same sources in both language modes: Shapes in each folder is a link.
        .target(
            name: "Five", dependencies: [.product(name: "Sluice", package: "sluice")],
            swiftSettings: [.swiftLanguageMode(.v5), optimized]),
        .target(
            name: "Six", dependencies: [.product(name: "Sluice", package: "sluice")], swiftSettings: [optimized]),
        .executableTarget(name: "Client", dependencies: ["Five", "Six"]),
    ]
)

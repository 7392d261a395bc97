// swift-tools-version: 6.2
import PackageDescription

// The tool and the demonstration are a separate package, so that users of Sluice neither build them nor clone the parser of arguments.

// The targets call declarations of Sluice with package access. SwiftPM names a package after its folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast().last?.lowercased() ?? "sluice"
let name = String(folder.map { $0.isLetter || $0.isNumber ? $0 : "_" })
let access: [SwiftSetting] = [.unsafeFlags(["-package-name", (name.first?.isNumber == true ? "_" : "") + name])]

let sluice: [Target.Dependency] = ["Sluice", "SluiceCore", "SluiceStreams"].map {
    .product(name: $0, package: "sluice")
}
let system: [Target.Dependency] = [.product(name: "SystemPackage", package: "swift-system")]
let arguments: [Target.Dependency] = [.product(name: "ArgumentParser", package: "swift-argument-parser")]

let package = Package(
    name: "sluice-tool",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "sluice", targets: ["sluice-cli"]),
        .executable(name: "sluice-demo", targets: ["sluice-demo"]),
    ],
    // The traits of Sluice that the tool may have.
    traits: [
        .default(enabledTraits: ["Yajl", "Gzip", "Zstd"]),
        .trait(name: "Macros"), .trait(name: "Yajl"), .trait(name: "Gzip"), .trait(name: "Zstd"),
    ],
    dependencies: [
        .package(
            name: "sluice", path: "..",
            traits: Set(
                ["Macros", "Yajl", "Gzip", "Zstd"].map { .trait(name: $0, condition: .when(traits: [$0])) }
                    + ["Foundation"])),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // The generated input of the demonstration, a link to the folder in the fixtures.
        .target(name: "SluiceRecords", dependencies: sluice, packageAccess: false, swiftSettings: access),
        // The parts of the tool that have tests, and those that the demonstration needs, too. Tests cannot import the module of an executable.
        .target(name: "ToolSupport", dependencies: sluice + system, packageAccess: false, swiftSettings: access),
        // The models that the tool infers from data.
        .target(name: "ModelInference", dependencies: sluice, packageAccess: false, swiftSettings: access),
        .executableTarget(
            name: "sluice-cli", dependencies: ["ModelInference", "ToolSupport"] + sluice + system + arguments,
            packageAccess: false, swiftSettings: access),
        // The demonstration, and the generator of its input.
        .executableTarget(
            name: "sluice-demo", dependencies: ["SluiceRecords", "ToolSupport"] + sluice + system + arguments,
            packageAccess: false, swiftSettings: access),
        // A link to the folder of Sluice's tests.
        .target(
            name: "TestSupport",
            dependencies: sluice
                + ["SluiceCodable", "SluiceSchemas"].map { .product(name: $0, package: "sluice") },
            path: "Tests/TestSupport", packageAccess: false, swiftSettings: access),
        .testTarget(
            name: "ToolTests",
            dependencies: ["ModelInference", "SluiceRecords", "TestSupport", "ToolSupport"] + sluice,
            packageAccess: false, swiftSettings: access),
    ],
    swiftLanguageModes: [.v6]
)

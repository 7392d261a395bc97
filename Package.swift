// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// libyajl is a library of the system, which Apple's mobile platforms do not have. There, and without the trait, the scanner
// is the only source. The targets that have code for libyajl get the same condition as YAJL.
let yajlPlatforms: [Platform] = [.linux, .macOS]
let yajlSettings: [SwiftSetting] = [.define("YAJL", .when(platforms: yajlPlatforms, traits: ["Yajl"]))]

let package = Package(
    name: "sluice",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluiceCore", targets: ["SluiceCore"]),
        .executable(name: "sluice", targets: ["sluice-cli"]),
    ],
    traits: [
        .default(enabledTraits: ["Foundation", "Macros", "Yajl"]),
        .trait(
            name: "Foundation",
            description:
                "On Linux, all of Foundation: dates by a format, and errors as NSError. Off: FoundationEssentials alone, for small static binaries."
        ),
        .trait(
            name: "Macros",
            description: "@JSONModel and its attributes. Off: plans by hand, and swift-syntax is never cloned."
        ),
        .trait(
            name: "Yajl",
            description:
                "On Linux and macOS, the tokens of libyajl. Off: those of Sluice's own scanner alone, and no system library."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CYajl",
            pkgConfig: "yajl",
            providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]
        ),
        .target(
            name: "SluiceCore",
            dependencies: [
                .target(name: "CYajl", condition: .when(platforms: yajlPlatforms, traits: ["Yajl"])), "CKernels",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            // Without the optimizer, a client's debug build decodes at half the speed of Foundation.
            swiftSettings: yajlSettings + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),
        .target(name: "CKernels", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        .target(
            name: "Sluice",
            dependencies: ["SluiceCore", .target(name: "SluiceMacros", condition: .when(traits: ["Macros"]))]
        ),
        .macro(
            name: "SluiceMacros",
            dependencies: [
                .product(
                    name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftCompilerPlugin", package: "swift-syntax", condition: .when(traits: ["Macros"])),
            ]
        ),
        .target(name: "Records", dependencies: ["Sluice"], path: "Fixtures/Records"),
        // What of the tool has tests: they cannot import the module of an executable.
        .target(name: "ToolSupport"),
        .executableTarget(
            name: "sluice-cli",
            dependencies: [
                "Sluice", "Records", "ToolSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .testTarget(
            name: "SluiceCoreTests", dependencies: ["SluiceCore", "CKernels"], swiftSettings: yajlSettings),
        .testTarget(name: "SluiceTests", dependencies: ["Sluice"]),
        .testTarget(name: "ConformanceTests", dependencies: ["Sluice"], swiftSettings: yajlSettings),
        .testTarget(name: "ToolTests", dependencies: ["ToolSupport"]),
        .testTarget(
            name: "MacroTests",
            dependencies: [
                "Sluice", "SluiceMacros",
                .product(
                    name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// DocC's plugin is for those who write the documentation (`make docs`), not for those who use the package.
if Context.environment["SLUICE_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

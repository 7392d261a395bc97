// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// libyajl is a system library, which Apple's mobile platforms do not have. On these platforms, and without the trait, the
// scanner is the only source. Targets with code for libyajl get the same condition as the compilation flag YAJL.
let yajlPlatforms: [Platform] = [.linux, .macOS]
let yajlSettings: [SwiftSetting] = [.define("YAJL", .when(platforms: yajlPlatforms, traits: ["Yajl"]))]

// zlib is part of every platform. libzstd is a system library on Linux and macOS.
let compressionSettings: [SwiftSetting] = [
    .define("GZIP", .when(traits: ["Gzip"])),
    .define("ZSTD", .when(platforms: yajlPlatforms, traits: ["Zstd"])),
]

// The engine is optimized in debug builds of clients, too. Compiled file by file, its generic code is not specialized, and decodes more
// slowly than Foundation. SwiftPM expects an object file for each source file, which needs several threads. Swift Build expects the
// file of dependencies that the folders Build describe. Xcode expects further files for each source file of a module.
let wholeModule = ["-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"]
let optimizedDebugBuild: [SwiftSetting] = [
    .unsafeFlags(["-O"], .when(configuration: .debug)),
    .unsafeFlags(wholeModule, .when(platforms: [.linux, .android], configuration: .debug)),
]

// The machines of the Swift Package Index have no libyajl.
let systemTraits: Set<String> = Context.environment["SPI_BUILD"] == nil ? ["Yajl"] : []

let package = Package(
    name: "sluice",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluiceCore", targets: ["SluiceCore"]),
        .library(name: "SluiceCodable", targets: ["SluiceCodable"]),
        .library(name: "SluiceSchemas", targets: ["SluiceSchemas"]),
        .library(name: "SluiceStreams", targets: ["SluiceStreams"]),
    ],
    traits: [
        .default(enabledTraits: systemTraits.union(["Foundation", "Macros"])),
        .trait(
            name: "Foundation",
            description:
                "Uses all of Foundation on Linux, which adds date formats and NSError support. Without this trait, FoundationEssentials is used, for small static binaries."
        ),
        .trait(
            name: "Macros",
            description:
                "Adds @JSONModel and its attributes. Without this trait, plans are written by hand and swift-syntax is not cloned."
        ),
        .trait(
            name: "Yajl",
            description:
                "Adds libyajl as a token source on Linux and macOS. Without this trait, Sluice's scanner is the only source, and no system library is needed."
        ),
        .trait(
            name: "Gzip",
            description: "Adds gzip-compressed input and output, with zlib. Off by default."
        ),
        .trait(
            name: "Zstd",
            description:
                "Adds zstd-compressed input and output on Linux and macOS, with libzstd. Off by default."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CYajl",
            pkgConfig: "yajl",
            providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]
        ),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
        ),
        .target(
            name: "SluiceCore",
            dependencies: [
                .target(name: "CYajl", condition: .when(platforms: yajlPlatforms, traits: ["Yajl"])), "CKernels",
                .target(name: "CZlib", condition: .when(traits: ["Gzip"])),
                .target(name: "CZstd", condition: .when(platforms: yajlPlatforms, traits: ["Zstd"])),
                "JSONPaths",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: yajlSettings + compressionSettings + optimizedDebugBuild
        ),
        .target(
            name: "SluiceStreams",
            dependencies: [
                "SluiceCore", "CKernels",
                .target(name: "CZlib", condition: .when(traits: ["Gzip"])),
                .target(name: "CZstd", condition: .when(platforms: yajlPlatforms, traits: ["Zstd"])),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["README.md"],
            swiftSettings: compressionSettings + optimizedDebugBuild
        ),
        .target(
            name: "SluiceCodable", dependencies: ["SluiceCore", "SluiceStreams"], swiftSettings: optimizedDebugBuild
        ),
        .target(name: "SluiceSchemas", dependencies: ["SluiceCore"], swiftSettings: optimizedDebugBuild),
        // The core and the macros parse the same paths. The macros have a copy, a link to the folder: SwiftPM uses a prebuilt swift-syntax
        // only if no macro depends on a module that a product contains.
        .target(name: "JSONPaths"),
        .target(name: "CKernels", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        .target(
            name: "Sluice",
            dependencies: [
                "JSONPaths", "SluiceCodable", "SluiceCore", "SluiceSchemas", "SluiceStreams",
                .target(name: "SluiceMacros", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: optimizedDebugBuild
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
        // The models, feeds and checks that several test targets use.
        .target(
            name: "TestSupport", dependencies: ["SluiceCodable", "SluiceCore", "SluiceSchemas", "SluiceStreams"],
            path: "Tests/TestSupport"),
        .testTarget(
            name: "SluiceCoreTests",
            dependencies: [
                "SluiceCodable", "SluiceCore", "SluiceSchemas", "SluiceStreams", "CKernels", "JSONPaths",
                "TestSupport",
            ],
            swiftSettings: yajlSettings + compressionSettings),
        // Scripts/samples.sh writes the samples of the documentation, and copies the tests of the tutorial, which need them.
        .testTarget(
            name: "SluiceTests", dependencies: ["Sluice", "TestSupport"], exclude: ["Documentation/Tutorial"]),
        // The cases of fuzz tests and their oracles, for the tests and for libFuzzer.
        .target(name: "FuzzSupport", dependencies: ["Sluice", "TestSupport"], path: "Tests/FuzzSupport"),
        // The comparison of all short texts with an automaton.
        .target(
            name: "ShortTexts", dependencies: ["SluiceCore"], path: "Tests/Proofs/ShortTexts",
            swiftSettings: optimizedDebugBuild),
        // The functions of the C library that allocate memory, with a count and with guarded memory.
        .target(name: "TestHeap", path: "Tests/TestHeap"),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["FuzzSupport", "ShortTexts", "Sluice", "TestHeap", "TestSupport"],
            swiftSettings: yajlSettings),
        // The same tests against Foundation and against Sluice: Cases in the second folder is a link to the first folder's.
        .testTarget(name: "FoundationCodableTests"),
        .testTarget(name: "SluiceCodableTests", dependencies: ["Sluice"]),
        .testTarget(
            name: "MacroTests",
            dependencies: [
                // Without the condition, SwiftPM builds all test targets for the host, and compiles the core twice.
                .target(name: "SluiceMacros", condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftSyntaxMacroExpansion", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftParserDiagnostics", package: "swift-syntax", condition: .when(traits: ["Macros"])),
            ],
            // Sources and expected expansions, which the tests find by their own path.
            exclude: ["Diagnostics", "Golden"]
        ),
        // Models that the macros expand in a module of their own.
        .testTarget(name: "ModelTests", dependencies: ["Sluice", "TestSupport"]),
        // Models in a module that is isolated to the main actor by default, as new apps are.
        .testTarget(
            name: "MainActorTests", dependencies: ["Sluice"], swiftSettings: [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "SurfaceTests",
            dependencies: [
                "TestSupport",
                .product(name: "SwiftParser", package: "swift-syntax", condition: .when(traits: ["Macros"])),
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["Macros"])),
            ],
            exclude: ["PublicSurface.txt"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// A run of some test targets compiles no others: their names, or a variable that is empty for all.
if let names = Context.environment["SLUICE_TESTS"]?.split(separator: " ").map(String.init), !names.isEmpty {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// Only building the documentation (`make docs`) needs the DocC plugin.
if Context.environment["SLUICE_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// Only fuzzing with coverage (`Scripts/fuzz.sh guided`) needs the program, and counters in the core. The variable is the path of
// libFuzzer.
if let libFuzzer = Context.environment["SLUICE_LIBFUZZER"] {
    for target in package.targets
    where ["SluiceCodable", "SluiceCore", "SluiceStreams", "JSONPaths"].contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
    }
    for target in package.targets where target.name == "CKernels" {
        target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=fuzzer-no-link"])]
    }
    let linking = ["--whole-archive", libFuzzer, "--no-whole-archive", "-lstdc++"].flatMap { ["-Xlinker", $0] }
    package.targets.append(
        .executableTarget(
            name: "sluice-fuzz", dependencies: ["FuzzSupport"], path: "Tests/FuzzCoverage",
            linkerSettings: [.unsafeFlags(linking)]))
}

// Only `Scripts/kernels.sh exhaustive` needs the program.
if Context.environment["SLUICE_EXHAUSTIVE"] != nil {
    package.targets.append(
        .executableTarget(name: "sluice-exhaustive", dependencies: ["ShortTexts"], path: "Tests/Proofs/Exhaustive"))
}

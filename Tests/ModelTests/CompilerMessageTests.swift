#if Macros
import Foundation
import Testing

/// The errors that users see for common mistakes. The compiler, and not the macro, finds most of these mistakes, so the tests
/// compile programs with the modules and the plugin of this build.
@Suite(.enabled(if: CompiledProgram.isPossible, "needs the modules of a build by SwiftPM"))
struct CompilerMessageTests {
    private static let noForm =
        "this type has no JSON form: make it a @JSONModel or JSONConvertible, add a @JSONTransform, or add @JSONIgnore"

    @Test func `a property of a type without a plan has one error`() throws {
        let errors = try CompiledProgram.errors(
            """
            struct Address { let street: String }
            @JSONModel struct User {
                let id: Int
                let address: Address
                var other = Address(street: "a")
                let list: [Address]?
            }
            @JSONModel class Base {
                let address: Address
            }
            @JSONModel final class Derived: Base {
                let id: Int
            }
            """)
        #expect(errors.map(\.line) == [5, 6, 7, 10])
        for error in errors { #expect(error.text.contains(Self.noForm), "\(error)") }
    }

    @Test func `a misspelled type is named at its property`() throws {
        let errors = try CompiledProgram.errors(
            """
            @JSONModel struct User {
                let id: Int
                let address: Adress
            }
            """)
        #expect(Set(errors.map(\.line)) == [4])
        #expect(errors.first?.text == "cannot find type 'Adress' in scope")
    }

    @Test func `an error in a superclass causes no errors in its subclasses`() throws {
        let errors = try CompiledProgram.errors(
            """
            @JSONModel class Base {
                var text: Any
                let id: Int
            }
            @JSONModel class Middle: Base {
                var x = 1
            }
            @JSONModel final class Derived: Middle {
                let y: Int
            }
            @JSONModel final class Alone {
                let text: Any
            }
            @JSONModel(.untagged) class Optioned {
                var text: String
            }
            @JSONModel final class OptionedDerived: Optioned {
                var list: [Int]
            }
            """)
        #expect(errors.map(\.line) == [3, 13, 15])
    }

    @Test func `nil is the default of an optional`() throws {
        let errors = try CompiledProgram.errors(
            """
            @JSONModel struct Page {
                @JSONDefault(nil, on: [.missing, .mismatch]) let number: Int?
                @JSONDefault(nil) let date: Optional<Int>
                @JSONDefault(nil, on: .mismatch) let count: Int
            }
            """)
        #expect(errors.map(\.line) == [5])
        #expect(
            errors.first?.text.hasPrefix("nil can't be the default of 'count', whose type is not optional") == true)
    }

    /// The compiler crashed without a message.
    @Test func `a case with a value of a type without a plan has one error`() throws {
        let errors = try CompiledProgram.errors(
            """
            struct Address { let street: String }
            @JSONModel enum Tagged { case a(Address) }
            @JSONModel enum List { case none, a([Address]) }
            @JSONModel(.untagged) enum Untagged {
                case a(Address?)
                case b(Int)
                case c([String: Address])
            }
            @JSONModel(tag: "type") enum Internal { case a(Address) }
            @JSONModel enum Embedded { @JSONEmbedded case a(Address) }
            @JSONModel enum Generic<T: JSONConvertible> { case a(Address), b(T) }
            """, generatesCode: true)
        #expect(errors.map(\.line) == [3, 4, 6, 8, 10, 11, 12])
        for error in errors { #expect(error.text.contains("the value of this case has no JSON form"), "\(error)") }
    }

    /// The compiler crashed.
    @Test func `a codable class may have subclasses`() throws {
        let errors = try CompiledProgram.errors(
            """
            @JSONModel(.codable) class Root { var x: Int }
            @JSONModel final class Derived: Root { var y: [Int] }
            @JSONModel(.codable) final class Other: Root { var z: [Int] }
            func archive(_ root: Root) -> any Codable { root }
            """)
        #expect(errors == [])
    }

    @Test func `a wrapper whose value cannot be assigned has an error at its property`() throws {
        let errors = try CompiledProgram.errors(
            """
            @propertyWrapper struct Constant {
                var wrappedValue: Int { 1 }
            }
            @JSONModel struct Model {
                let id: Int
                @Constant var level: Int
            }
            """)
        #expect(errors.map(\.line) == [7])
        #expect(errors.first?.text.contains("'level' is a get-only property") == true)
    }

    @Test func `models that are not public compile with an internal import`() throws {
        let errors = try CompiledProgram.errors(
            """
            @JSONModel struct Plain { let a: Int }
            @JSONModel(.codable) struct Stored { var a: Int { didSet {} } }
            @JSONModel(.codable) class Root { var a: Int }
            @JSONModel(.codable) final class Leaf: Root { var b = 1 }
            @JSONModel(.partial) enum Event { case a, b(x: Int), c(Plain) }
            @JSONModel enum Suit: String { case hearts }
            @JSONModel struct Generic<T: JSONConvertible> { let a: T }
            public enum Namespace { @JSONModel struct Inner { var a: Int } }
            extension Namespace { @JSONModel(.partial) struct Other { public var a: Int } }
            enum Hidden { @JSONModel public final class Inner { public var a = 1 } }
            @JSONModel fileprivate struct InFile { var a: Int }
            @JSONModel private struct Private { var a: Int }
            """, importing: "internal import Sluice", generatesCode: true)
        #expect(errors == [])
    }

    @Test func `models on the main actor compile with any type, wrappers and Observable`() throws {
        let errors = try CompiledProgram.errors(
            """
            import Observation
            @propertyWrapper struct Kept { var wrappedValue: Int }
            @JSONModel final class Box { var a = 1 }
            @MainActor @JSONModel final class Holder { let box: Box; var list: [Box] = [] }
            @MainActor @JSONModel struct Lens { var box: Box { didSet {} } }
            @MainActor @JSONModel(.codable) final class Gauge { @Kept var level: Int }
            @MainActor @JSONModel(.codable) final class Stand { var box: Box? }
            @MainActor @Observable @JSONModel(.codable) final class Clicks { let id: Int; var count = 0; var box: Box? }
            @MainActor class Base { init() {} }
            @JSONModel(.codable, superclass: .ignored) final class Note: Base { var a: Int }
            @MainActor @JSONModel class Root { var a: Int }
            @JSONModel(.codable) final class Leaf: Root { var b = 1 }
            """, generatesCode: true)
        #expect(errors == [])
    }

    @Test func `deprecated properties and cases cause no warnings`() throws {
        let errors = try CompiledProgram.errors(
            """
            @JSONModel struct Plain { @available(*, deprecated) var a: Int }
            @JSONModel struct Stored { @available(*, deprecated) var a: Int { didSet {} } }
            @JSONModel(.codable) final class Model { @available(*, deprecated) var a: Int }
            @JSONModel(.partial) struct Form { @available(*, deprecated) var a: Int }
            @JSONModel enum Event {
                @available(*, deprecated) case a, b(x: Int)
                case c(Plain)
            }
            """, generatesCode: true, flags: ["-warnings-as-errors"])
        #expect(errors == [])
    }
}

/// A program that the tests compile.
private enum CompiledProgram {
    struct Failure: Equatable, CustomStringConvertible {
        var line: Int
        var text: String
        var description: String { "\(line): \(text)" }
    }

    /// The build folder, which contains the running program or its bundle.
    private static let build: URL? = {
        var folder = URL(filePath: CommandLine.arguments[0])
        for _ in 0..<5 {
            folder.deleteLastPathComponent()
            if modules(in: folder) != nil { return folder }
        }
        return nil
    }()

    /// The folder of the modules. SwiftPM builds the tests of a macro, and their modules, as tools.
    private static func modules(in build: URL) -> URL? {
        ["Modules-tool", "Modules"].map { build.appending(path: $0) }
            .first { exists($0.appending(path: "Sluice.swiftmodule")) }
    }

    private static var plugin: URL? { build?.appending(path: "SluiceMacros-tool") }

    static var isPossible: Bool { plugin.map(exists) ?? false }

    private static func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    /// Returns the errors of the compiler for a program whose first line imports Sluice.
    ///
    /// - Parameters:
    ///   - generatesCode: Whether the compiler continues after type checking. It checks expansions in enums only then.
    static func errors(
        _ program: String, importing line: String = "import Sluice", generatesCode: Bool = false,
        flags: [String] = []
    ) throws -> [Failure] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Program.swift")
        try Data("\(line)\n\(program)\n".utf8).write(to: file)

        let build = try #require(build).resolvingSymlinksInPath()
        let scratch = build.deletingLastPathComponent().deletingLastPathComponent()
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let maps =
            ["CYajl", "CZlib", "CZstd", "CKernels/include"].map {
                sources.appending(path: "\($0)/module.modulemap")
            }
            + [scratch.appending(path: "checkouts/swift-system/Sources/CSystem/include/module.modulemap")]
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let output = Pipe()
        var arguments = ["swiftc"]
        arguments +=
            generatesCode ? ["-emit-sil", "-o", folder.appending(path: "Program.sil").path] : ["-typecheck"]
        arguments += ["-swift-version", "6", "-parse-as-library", "-diagnostic-style", "llvm"]
        arguments += ["-module-cache-path", build.appending(path: "ModuleCache").path]
        arguments += ["-I", try #require(modules(in: build)).path]
        arguments += ["-load-plugin-executable", try #require(plugin).path + "#SluiceMacros", file.path]
        arguments += flags
        for map in maps where exists(map) { arguments += ["-Xcc", "-fmodule-map-file=\(map.path)"] }
        process.arguments = arguments
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        // An error in an expansion has no line of the program, and is a failure.
        let failures = text.split(separator: "\n").compactMap { line -> Failure? in
            guard let match = line.firstMatch(of: /^(.*):(\d+):(\d+): error: (.*)$/) else { return nil }
            return Failure(line: match.1.hasSuffix("Program.swift") ? Int(match.2) ?? 0 : 0, text: String(match.4))
        }
        #expect(process.terminationReason == .exit, "\(text)")
        #expect(failures.isEmpty == (process.terminationStatus == 0), "\(text)")
        return failures.sorted { $0.line < $1.line }
    }
}
#endif

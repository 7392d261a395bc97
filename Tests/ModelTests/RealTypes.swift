#if Macros
import Sluice

// Declarations that the macro has to get through the compiler. That this file compiles is the first test;
// `RealTypeTests` fills them.

// The names of the core are spelled out in expansions, so these don't get in the way.
struct JSONField {}
struct ModelPlan {}

@JSONModel
struct Repository {
    let id: Int
    @JSONKey("full_name") let name: String
    @JSONKey("owner.login", or: "user.login") let owner: String
    var stars = 0
    let license: String?
    @JSONIgnore var cached = false
}

@JSONModel
public struct PublicPoint {
    public let x, y: Double
    let label: String, weight: Int
    public private(set) var note: String? = "none"
    private var secret = [1]
    var secretValue: [Int] { secret }
    static let origin = 0
}

@JSONModel
package struct PackagePoint {
    package var x: Int
}

@JSONModel
private struct PrivatePoint: Hashable {
    private struct Unit {}
    var x: Int
    var kind: Kind = .plain
    fileprivate enum Kind: String { case plain, fancy }
}

@JSONModel
private struct FilePoint {
    let x: Int
    fileprivate let hidden: PrivatePoint
}

@JSONModel
struct Names {
    var `default`: Int
    var `in`: String = "x"
    @JSONKey(#"version\.major"#) var major: Int
    @JSONKey("a\\.b") var dotted: Int
    @JSONKey("$.list[1]") var second: Int
    var `raw.name [0]`: Int
    var text = """
        two
          lines
        """
    var made: [Int] = {
        let one = 1
        return [one, 2]
    }()
    var fields = 3
    var plan: Int = 4
}

enum Level: Int {
    case low = 1
    case high
}

@JSONModel
struct Options {
    var level: Level
    var levels: [Level] = [.low]
    var byName: [String: Level] = [:]
    var maybe: Level? = .high
    var long: Optional<Int>
    var forced: Int!
    var unset: Int? = nil
    var ratio = -1.5
}

@JSONModel
struct Observed {
    var id: Int { didSet { changes += 1 } }
    var stars = 0 { willSet { changes += newValue } }
    var name: String
    @JSONIgnore var changes = 0
    @JSONIgnore lazy private(set) var upper: String = name.uppercased()
}

typealias Handler = @Sendable (Int) -> Int

@propertyWrapper
struct Clamped {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = min(wrappedValue, 10) }
}

final class Owner: Sendable {}

/// Ignored properties that no key path has an offset for; an alias hides one of them from the macro.
@JSONModel
struct Ignoring {
    let id: Int
    @JSONIgnore weak var owner: Owner?
    @JSONIgnore var direct: (Int) -> Int = { $0 + 1 }
    @JSONIgnore var handler: Handler?
    @JSONIgnore @Clamped var level = 20
    @JSONIgnore lazy var twice = id * 2
    @JSONIgnore var pair = (1, "a")
}

@JSONModel
struct SelfHolding {
    var children: [Self] = []
    var start = Self.first { didSet {} }
    static let first = 7
}

@JSONModel
final class Node {
    let id: Int
    let children: [Node]
    var stars = 0
    static let limit = 10
    @JSONIgnore weak var parent: Node?
}

@JSONModel
public final class AllDefaults {
    public var a = 1
    public var b: Int?
    @JSONIgnore var log: [String] = []
    convenience init(a: Int) {
        self.init()
        self.a = a
    }
}

@JSONModel
final class OwnInit {
    var a = 1
    init(only a: Int) { self.a = a }
}

@JSONModel
final class PrivateParts {
    private struct Secret: JSONConvertible, Equatable {
        var number = 0
        static var jsonShape: JSONShape { .of(Int.self) }
    }
    fileprivate enum Mode: String { case on, off }
    private var secret: Secret?
    private var mode: Mode
    fileprivate var other: Mode? = .on
    private let count: Int
    var summary: String { "\(mode) \(other.map { "\($0)" } ?? "-") \(count)" }
}

@JSONModel
private final class FileClass {
    var x: Int
}

enum Outer {
    enum Kind: String { case a, b }
    static let start = 5

    struct Middle {
        @JSONModel
        struct Inner: Equatable {
            var kind: Kind = Kind.a
            var start = Outer.start
        }

        /// In a type, `private` keeps the macro's extension out; with the conformance written there is none.
        @JSONModel
        private struct Hidden: JSONModel, JSONConvertible {
            var kind: Kind = .b
        }

        @JSONModel
        private struct HiddenObserved: JSONModel, JSONConvertible {
            var kind: Kind = .b { didSet {} }
        }

        @JSONModel
        fileprivate final class Class {
            var inner: [Inner]
            let kind: Kind
            private let part: Part?
            @JSONModel
            private struct Part: JSONModel, JSONConvertible { var x: Int }
        }

        static func hidden(_ text: String) throws -> String {
            let one = try JSONModelDecoder().decode(Hidden.self, from: text)
            let two = try JSONModelDecoder().decode(HiddenObserved.self, from: text)
            return "\(one.kind) \(two.kind)"
        }
    }
}

extension Outer {
    @JSONModel
    struct Extended {
        let kind: Kind
    }
}

// swift-format-ignore: NoAccessLevelOnExtensionDeclaration
public extension PublicPoint {
    @JSONModel
    struct Part {
        let x: Int
    }
}

@JSONModel
public struct Box<Value: JSONConvertible> {
    public var value: Value
    public var all: [Value] = [Value]()

    @JSONModel
    public struct Page {
        var number: Int
        var box: Value?
    }

    @JSONModel
    final class Ring {
        let value: Value
        var next: [Ring] = []
    }
}

extension Box where Value: JSONConvertible {
    @JSONModel
    struct Row {
        let value: Value
    }
}

@JSONModel
struct Pair<A: JSONConvertible, B> where A: Hashable {
    var first: A
    var second: A { didSet {} }
}

@MainActor
@JSONModel
final class OnMain {
    let id: Int
    var names: [String] = []
}

@MainActor
@JSONModel
struct OnMainStruct {
    let id: Int
    var stars = 0
}

@available(macOS 15, *)
@JSONModel
struct Empty: Sendable, Codable {}
#endif

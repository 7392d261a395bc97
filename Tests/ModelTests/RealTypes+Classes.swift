#if Macros
import Sluice

@JSONModel
class Animal {
    let name: String
    var legs = 4
    private var secret: Int?
    static let limit = 1

    init(name: String) { self.name = name }
}

/// Inherits `init(name:)`, since all it has has a value.
@JSONModel
class Pet: Animal {
    var owner: String?
    var tricks: [String] = []
}

@JSONModel
final class Dog: Pet {
    let barks: Bool
    override var legs: Int { didSet {} }
}

@JSONModel(keys: .snakeCase)
final class Cat: Pet {
    var favouriteFood = "fish"
    func validate() throws {}
}

/// All of it can be assigned.
@JSONModel
open class Vehicle {
    public var wheels = 2
    fileprivate var kind: Kind = .plain
    fileprivate enum Kind: String { case plain, fancy }
    var isPlain: Bool { kind == .plain }
}

@JSONModel
public class Car: Vehicle {
    public var doors: Int
    public init(doors: Int) {
        self.doors = doors
        super.init()
        wheels = 4
    }
}

/// A merge makes a new object.
@JSONModel
class Track {
    let title: String
    @JSONIgnore private(set) var changes = 0
    @JSONIgnore var plays = 0 { didSet { changes += 1 } }
    @JSONIgnore @Stored var note = "none"
    @JSONIgnore weak var album: Animal?
    @JSONIgnore @Constant(7) var constant
}

/// Is made by an inherited initializer.
@JSONModel
final class LiveTrack: Track {
    var place = "none"
    @JSONIgnore var seats = 0
    @JSONIgnore @Stored var hall = "none"
}

/// A merge makes a new struct.
@JSONModel
struct Playlist {
    let tracks: [Track]
    var name = "none" { didSet {} }
    @JSONIgnore let made = Animal(name: "a")
    @JSONIgnore var isOpen = false { didSet { name += "!" } }
    @JSONIgnore @Stored var note = "none"
    @JSONIgnore @Counting var reads = 0
    @JSONIgnore var action: (() -> Int)?
    @JSONIgnore lazy var upper = name.uppercased()
}

@JSONModel
class Container<Item: JSONConvertible> {
    var items: [Item] = []
}

@JSONModel
final class Numbers: Container<Int> {
    let sum: Int
}

@JSONModel
final class Named<Item: JSONConvertible>: Container<Item> {
    var name = "none"
}

@MainActor @JSONModel
class Screen {
    var title: String
    let id: Int
}

@MainActor @JSONModel
final class SubScreen: Screen {
    var depth = 0
}

@JSONModel(superclass: .ignored)
class Plain: PlainBase, CustomStringConvertible {
    var x: Int
    override var description: String { "\(x) \(base)" }
}

/// Says nothing of its superclass, whose properties would be lost.
@JSONModel
final class Losing: PlainBase {
    var x: Int
    init(x: Int) { self.x = x }
}

/// Has a superclass without stored properties.
@JSONModel
final class Harmless: HarmlessBase, CustomStringConvertible {
    var x: Int
    var description: String { "\(x)" }
}

class HarmlessBase {
    init() {}
    static let limit = 1
    var twice: Int { 2 }
}

class PlainBase {
    var base = 1
    var description: String { "" }
}

@JSONModel(keys: .kebabCase, coercion: .lenient)
final class Tiger: Pet {
    let stripeCount: Int
    @exclusivity(unchecked) var seen: Int?
}

@JSONModel(.codable)
final class CodedCat: Pet {
    var lives = 9
}

/// The archive of a hierarchy: the conformance of the root is inherited.
@JSONModel(.codable)
class Archive {
    let name: String
    var tags: [String] = []
    init(name: String) { self.name = name }
}

@JSONModel
class Folder: Archive {
    var files: [Int]
    override init(name: String) {
        files = [0]
        super.init(name: name)
    }
}

@JSONModel(.codable, keys: .snakeCase)
final class SharedFolder: Folder {
    var sharedWith = "all"
    func didDecode() { tags.append("shared") }
}

/// Inherits the initializers of its superclass.
@JSONModel
final class EmptyFolder: Folder {
    var note: String?
}

enum Zoo {
    @JSONModel
    private final class Hidden: Animal {
        let x: Int
    }
    static var hidden: any JSONModel.Type { Hidden.self }
}
#endif

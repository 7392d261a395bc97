#if Macros
import Foundation
import Sluice

/// Has the initializer of `NSObject`.
@JSONModel
class Note: NSObject {
    var title = "untitled"
    var stars: Int?
}

/// Inherits the initializer.
@JSONModel
class ColoredNote: Note {
    var color = "yellow"
}

@JSONModel
final class SignedNote: ColoredNote {
    let author: String

    init(author: String) {
        self.author = author
        super.init()
    }
}

/// Has initializers of its own.
@JSONModel
final class Contact: NSObject, NSCopying {
    let id: Int
    var name: String?

    init(id: Int, name: String? = nil) {
        self.id = id
        self.name = name
        super.init()
    }

    convenience override init() { self.init(id: 0) }

    func copy(with zone: NSZone? = nil) -> Any { Contact(id: id, name: name) }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Contact else { return false }
        return id == other.id && name == other.name
    }

    override var hash: Int { id }
}

@JSONModel(.codable, keys: .snakeCase)
final class CodableNote: NSObject {
    var createdBy = "nobody"
    @JSONIgnore var cache: [Int] = [1]
}

@JSONModel(.codable)
class OpenCodableNote: NSObject {
    var text: String
    init(text: String) { self.text = text }
}

@JSONModel
open class PublicNote: Foundation.NSObject {
    public var text = ""
    override public var description: String { "note \(text)" }
}

/// The superclass has an initializer without arguments, and is not a model.
@JSONModel(superclass: .ignored)
final class CountedNote: HarmlessBase {
    var count = 1
}

/// The raw type is no number of the standard library, and no raw value is written.
@JSONModel
enum Share: Decimal {
    case none, whole
}
#endif

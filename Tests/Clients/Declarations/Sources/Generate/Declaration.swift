/// The type of a property or of the value of a case.
indirect enum Form {
    case scalar(String)
    case optional(Form)
    case array(Form)
    case set(Form)
    case dictionary(Form)
    case declared(Declaration, [Form])
    case parameter

    /// The type in the model, or in its twin.
    func text(_ side: Side) -> String {
        switch self {
        case .scalar(let name): name
        case .optional(let form): "\(form.text(side))?"
        case .array(let form): "[\(form.text(side))]"
        case .set(let form): "Set<\(form.text(side))>"
        case .dictionary(let form): "[String: \(form.text(side))]"
        case .declared(let type, let arguments):
            side.name(of: type)
                + (arguments.isEmpty ? "" : "<\(arguments.map { $0.text(side) }.joined(separator: ", "))>")
        case .parameter: "T"
        }
    }

    /// The least access of the types in the form.
    var access: Access {
        switch self {
        case .scalar, .parameter: .public
        case .optional(let form), .array(let form), .set(let form), .dictionary(let form): form.access
        case .declared(let type, let arguments): arguments.map(\.access).reduce(type.access, min)
        }
    }

    var isOptional: Bool { if case .optional = self { true } else { false } }

    var wrapped: Form { if case .optional(let form) = self { form } else { self } }

    func applied(to argument: Form?) -> Form {
        switch self {
        case .parameter: argument ?? self
        case .optional(let form): .optional(form.applied(to: argument))
        case .array(let form): .array(form.applied(to: argument))
        case .dictionary(let form): .dictionary(form.applied(to: argument))
        case .declared(let type, let arguments): .declared(type, arguments.map { $0.applied(to: argument) })
        case .scalar, .set: self
        }
    }
}

enum Access: Int, Comparable {
    case `fileprivate`, `internal`, package, `public`
    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// A model, or the `Codable` type with the same meaning, whose code is written without the macro.
enum Side {
    case model, twin
    func name(of type: Declaration) -> String { self == .model ? type.name : type.name + "Twin" }
}

/// A step of a path: a key or an index.
enum Step: Equatable {
    case key(String)
    case index(Int)
}

struct Property {
    enum Place { case planned, flattened, extra, computed, fixed, unencoded, undecoded, ignored }

    var name: String
    var form: Form
    var place = Place.planned
    var isLet = false
    /// The initial value, with `%` in place of the names of declared types.
    var value: ((Side) -> String)?
    /// Whether the value is that of the attribute.
    var valueInAttribute = false
    /// Whether the type of the model's property is inferred from its value.
    var isInferred = false
    var hasDefaultOnMismatch = false
    /// The type of the JSON in the twin, whose `value` is that of the property, and the attribute that stands for the type.
    var coding: (twin: String, attribute: String)?
    /// The candidates. The first one is derived from the name if `hasKey` is false.
    var paths: [[Step]] = []
    var hasKey = false
    var modifiers = ""
    var suffix = ""
    var attributes: [String] = []
    /// A condition of `#if`, and whether it holds.
    var condition: (text: String, holds: Bool)?

    var exists: Bool { condition?.holds ?? true }
}

struct Case {
    var name: String
    var names: [String]
    var hasKey = false
    var form: Form?
    var labels: [Property] = []
    var isEmpty: Bool { form == nil && labels.isEmpty }
}

final class Declaration {
    enum Kind: Equatable { case structure, finalClass, openClass, raw, union }
    enum Tagging: Equatable {
        case external
        case `internal`(String)
        case adjacent(String, String)
        case untagged
    }

    let name: String
    let kind: Kind
    var access = Access.internal
    var superclass: Declaration?
    var isGeneric = false
    var options: [String] = []
    var strategy = KeyStrategy.asDeclared
    var rejectsUnknown = false
    var defaultsOnMismatch = false
    var hooks = false
    var properties: [Property] = []
    var cases: [Case] = []
    var rawValues: [(name: String, json: JSON)] = []
    var tagging = Tagging.external
    var fallback: String?
    var nested: [Declaration] = []

    init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// The properties with those of the superclasses in front.
    var all: [Property] { (superclass?.all ?? []) + properties.filter(\.exists) }

    /// The first keys of the properties in the object of the model.
    var keys: [String] {
        all.flatMap { property -> [String] in
            if property.place == .flattened, case .declared(let type, _) = property.form.wrapped {
                return type.keys
            }
            return property.paths.compactMap { if case .key(let key)? = $0.first { key } else { nil } }
        }
    }
}

enum KeyStrategy: String, CaseIterable {
    case asDeclared, snakeCase, kebabCase, screamingSnakeCase, upperCase, firstLetterUppercase

    func key(of name: Name) -> String {
        switch self {
        case .asDeclared: name.text
        case .snakeCase: name.words.joined(separator: "_")
        case .kebabCase: name.words.joined(separator: "-")
        case .screamingSnakeCase: name.words.joined(separator: "_").uppercased()
        case .upperCase: name.text.uppercased()
        case .firstLetterUppercase: name.text.prefix(1).uppercased() + name.text.dropFirst()
        }
    }
}

/// A name of a property or a case, with its words.
struct Name {
    let text: String
    let words: [String]
    init(_ text: String, _ words: String...) {
        (self.text, self.words) = (text, words.isEmpty ? [text.lowercased()] : words)
    }

    static let common = [
        Name("id"), Name("userName", "user", "name"), Name("imageURL", "image", "url"), Name("line2"), Name("x"),
        Name("md5Sum", "md5", "sum"), Name("count"), Name("isOpen", "is", "open"), Name("größe"),
        Name("userID2", "user", "id2"),
        Name("createdAt", "created", "at"), Name("title"), Name("htmlBody", "html", "body"), Name("score"),
    ]
    /// Names of the language, of the macro and of other code in an expansion.
    static let taken = [
        "self", "default", "init", "class", "case", "where", "inout", "in", "is", "nil", "true", "throws", "switch",
        "Type", "Self",
        "type", "some", "any", "async", "get", "set", "didSet", "value", "model", "fields", "storage", "decoder",
        "encoder", "key",
        "cases", "make", "read", "result", "other", "container", "index", "lazy", "weak", "open", "actor", "hash",
        "description",
    ].map { Name($0) }

    var code: String {
        let reserved = [
            "self", "default", "init", "class", "case", "where", "inout", "in", "is", "nil", "true", "throws",
            "switch", "Type", "Self",
        ]
        return reserved.contains(text) ? "`\(text)`" : text
    }
}

import TestSupport

/// A JSON value as a tree that keeps the order of members and the spelling of numbers.
///
/// The document generator makes a tree first. One tree can then be written in several ways: with its members in another
/// order, with other white space and with other escapes.
indirect enum JSONNode: Sendable {
    struct Member: Sendable {
        var key: String
        var value: JSONNode
    }

    /// A number, `true`, `false` or `null`, as spelled.
    case literal(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
    /// A string whose content is JSON.
    case embedded(JSONNode)

    static let null = JSONNode.literal("null")

    var isNull: Bool { if case .literal("null") = self { true } else { false } }
    /// Whether a null stands here or inside.
    var containsNull: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.containsNull)
        case .object(let members): members.contains(where: \.value.containsNull)
        default: isNull
        }
    }

    /// The elements of an array.
    var elements: [JSONNode]? { if case .array(let elements) = self { elements } else { nil } }

    /// The same value with the members of every object in another order. Members with the same key keep theirs.
    func permuted(_ random: inout SeededRandom) -> JSONNode {
        switch self {
        case .literal, .string:
            return self
        case .array(let elements):
            return .array(elements.map { $0.permuted(&random) })
        case .object(let members):
            let inner = members.map { Member(key: $0.key, value: $0.value.permuted(&random)) }
            var repeated = Dictionary(grouping: inner, by: { Array($0.key.utf8) })
            return .object(
                inner.shuffled(using: &random).map { repeated[Array($0.key.utf8)]!.removeFirst() })
        case .embedded(let node):
            return .embedded(node.permuted(&random))
        }
    }
}

// MARK: Paths

extension [JSONNode.Member] {
    /// The members in another order. Members with equal keys keep their order.
    func shuffledStably(_ random: inout SeededRandom) -> [JSONNode.Member] {
        var queues = Dictionary(grouping: self, by: \.key)
        return shuffled(using: &random).map { queues[$0.key]!.removeFirst() }
    }

    /// Sets the value at a path of keys and indices, such as `a.b[1].c`. Creates the objects and arrays on the way.
    mutating func set(_ path: String, to value: JSONNode) {
        set(Self.steps(of: path)[...], to: value)
    }

    private enum Step {
        case key(String)
        case index(Int)
    }

    private static func steps(of path: String) -> [Step] {
        path.split(separator: ".").flatMap { part in
            let pieces = part.split { $0 == "[" || $0 == "]" }
            return [.key(String(pieces[0]))] + pieces.dropFirst().map { Step.index(Int($0)!) }
        }
    }

    private mutating func set(_ steps: ArraySlice<Step>, to value: JSONNode) {
        guard case .key(let key)? = steps.first else { return }
        let index = firstIndex { $0.key == key }
        let known = index.map { self[$0].value }
        let member = JSONNode.Member(key: key, value: Self.placing(value, at: steps.dropFirst(), in: known))
        if let index { self[index] = member } else { append(member) }
    }

    private static func placing(_ value: JSONNode, at steps: ArraySlice<Step>, in node: JSONNode?) -> JSONNode {
        switch steps.first {
        case nil:
            return value
        case .key:
            var members: [JSONNode.Member] = []
            if case .object(let known)? = node { members = known }
            members.set(steps, to: value)
            return .object(members)
        case .index(let index):
            var elements = node?.elements ?? []
            while elements.count <= index { elements.append(.null) }
            let known = elements[index].isNull ? nil : elements[index]
            elements[index] = placing(value, at: steps.dropFirst(), in: known)
            return .array(elements)
        }
    }
}

// MARK: Text

/// Writes nodes as JSON, with random white space and escapes.
struct NodeWriter {
    private(set) var bytes: [UInt8] = []
    private var random: SeededRandom
    /// The blanks to choose from: none at all in a compact document.
    private let blanks: [String]
    private let escapes: Bool

    private init(_ random: SeededRandom) {
        self.random = random
        let style = self.random.below(4)
        blanks = style < 2 ? [""] : style == 2 ? ["", "", "", " ", "\n"] : ["", " ", "\n  ", "\r\n\t", "        "]
        escapes = self.random.below(2) == 0
    }

    /// The bytes of a document.
    static func document(_ node: JSONNode, _ random: inout SeededRandom) -> [UInt8] {
        var writer = NodeWriter(SeededRandom(seed: random.next()))
        if writer.random.below(40) == 0 { writer.bytes += [0xEF, 0xBB, 0xBF] }
        writer.blank()
        writer.write(node)
        writer.blank()
        return writer.bytes
    }

    private mutating func blank() { bytes += random.pick(blanks).utf8 }

    private mutating func write(_ node: JSONNode) {
        switch node {
        case .literal(let text):
            bytes += text.utf8
        case .string(let text):
            write(string: text)
        case .embedded(let node):
            var inner = NodeWriter(SeededRandom(seed: random.next()))
            inner.blank()
            inner.write(node)
            inner.blank()
            write(string: String(decoding: inner.bytes, as: UTF8.self))
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                blank()
                write(element)
                blank()
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                blank()
                write(string: member.key)
                blank()
                bytes.append(UInt8(ascii: ":"))
                blank()
                write(member.value)
                blank()
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func write(string: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": bytes += #"\""#.utf8
            case "\\": bytes += #"\\"#.utf8
            case "\n": bytes += #"\n"#.utf8
            case _ where scalar.value < 0x20 || (escapes && random.below(8) == 0):
                for unit in String(scalar).utf16 { write(escaped: unit) }
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func write(escaped unit: UInt16) {
        let digits = String(unit, radix: 16, uppercase: random.below(2) == 0)
        bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
    }
}

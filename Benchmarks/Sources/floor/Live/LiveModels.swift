import Sluice

/// What a language model writes.
@JSONModel(.partial)
struct Plan: Equatable {
    let id: Int
    let title: String
    let text: String
    let legs: [Leg]
    let legsByName: [String: Leg]
    let blocks: [Block]
    let any: JSONValue
}

@JSONModel(.partial, tag: "type")
enum Block: Equatable {
    case text(text: String)
    case legs(legs: [Leg])
}

@JSONModel(.partial)
struct Leg: Equatable {
    let from: String
    let to: String
    let minutes: Int
}

/// The same types for Foundation, which decodes completed prefixes.
struct PlanDraft: Decodable {
    let id: Int?
    let title: String?
    let text: String?
    let legs: [LegDraft]?
    let legsByName: [String: LegDraft]?
    let blocks: [BlockDraft]?
    let any: [LegDraft]?
}

struct BlockDraft: Decodable {
    let type: String?
    let text: String?
}

struct LegDraft: Decodable {
    let from: String?
    let to: String?
    let minutes: Int?
}

/// Generated documents of a given length.
enum LiveText: String, CaseIterable {
    case string, list, dictionary, payload, value

    /// The length of the pieces in which a document arrives.
    var piece: Int { self == .string || self == .payload ? 10 : 20 }

    /// Returns a document whose last value has a length of about `bytes`.
    func document(_ bytes: Int) -> [UInt8] {
        var text = #"{"id":1,"title":"A plan","#
        switch self {
        case .string:
            text += #""text":""#
            while text.utf8.count < bytes { text += "some words of a long answer " }
            text += "\"}"
        case .payload:
            text += #""blocks":[{"type":"text","text":""#
            while text.utf8.count < bytes { text += "some words of a long answer " }
            text += "\"}]}"
        case .value: text += Self.members("any", from: "[", to: "]}", bytes) { _ in "" }
        case .list: text += Self.members("legs", from: "[", to: "]}", bytes) { _ in "" }
        case .dictionary: text += Self.members("legsByName", from: "{", to: "}}", bytes) { "\"leg \($0)\":" }
        }
        return Array(text.utf8)
    }

    private static func members(
        _ name: String, from open: String, to close: String, _ bytes: Int, _ key: (Int) -> String
    ) -> String {
        var text = "\"\(name)\":\(open)"
        var index = 0
        while text.utf8.count < bytes {
            if index > 0 { text += "," }
            text += key(index) + #"{"from":"place \#(index)","to":"place \#(index + 1)","minutes":\#(index % 60)}"#
            index += 1
        }
        return text + close
    }

    /// Returns a document of `count` short elements.
    static func elements(_ count: Int) -> [UInt8] {
        let legs = (0..<count).map { #"{"from":"place \#($0)","to":"place \#($0 + 1)","minutes":\#($0 % 60)}"# }
        return Array(#"{"id":1,"title":"A plan","legs":[\#(legs.joined(separator: ","))]}"#.utf8)
    }

    /// Returns the first bytes of a document, with the quotes and brackets that complete them; nil if they end where a value or a key is
    /// incomplete.
    static func completed(_ prefix: ArraySlice<UInt8>) -> [UInt8]? {
        var closers: [UInt8] = []
        var (inString, isEscaped) = (false, false)
        var last: UInt8 = 0
        for byte in prefix {
            if inString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): closers.removeLast()
            default: break
            }
            last = byte
        }
        if isEscaped || !inString && (last == UInt8(ascii: ",") || last == UInt8(ascii: ":")) { return nil }
        if inString { closers.append(UInt8(ascii: "\"")) }
        return Array(prefix) + closers.reversed()
    }
}

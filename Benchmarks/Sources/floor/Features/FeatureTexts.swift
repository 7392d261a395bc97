import GeneratedRecords
import Sluice

/// The generated documents of features that record, replay or unescape parts of the input.
enum FeatureTexts {
    /// Events of three types, with the tag as the last member.
    static func events(_ bytes: Int) -> [UInt8] {
        var text = "["
        var id = 0
        while text.utf8.count < bytes {
            if id > 0 { text += ",\n" }
            switch id % 3 {
            case 0: text += #"{"id":\#(id),"name":"event number \#(id)","tags":["a\#(id % 7)","swift","json"],"#
            case 1: text += #"{"id":\#(id),"from":[\#(id).25,-\#(id % 90).5],"to":[0.\#(id),\#(id % 180)],"#
            default:
                text +=
                    #"{"id":\#(id),"reason":"done","by":{"name":"user \#(id % 100)","isAdmin":\#(id % 2 == 0)},"#
            }
            text += #""type":"\#(["created", "moved", "closed"][id % 3])"}"#
            id += 1
        }
        return Array((text + "]").utf8)
    }

    /// Models around generated records.
    static func parcels(_ bytes: UInt64) throws -> [UInt8] {
        let records = try JSONModelDecoder().decode([JSONRaw].self, from: RecordGenerator(size: bytes).bytes())
        let parcels = records.enumerated().map { number, record in
            let message = number % 2 == 0 ? #"{"id":\#(number),"tag":"on the way"}"# : "null"
            return #"{"number":\#(number),"record":\#(record.description),"#
                + #""route":[{"lat":1.5,"lon":\#(number % 180)},{"lat":-2.25,"lon":0.5}],"message":\#(message)}"#
        }
        return Array("[\(parcels.joined(separator: ",\n"))]".utf8)
    }

    /// A page of generated records.
    static func page(_ bytes: UInt64) -> [UInt8] {
        let lead = #"{"total":12345,"data":{"items":"#
        let end = #","size":100},"next":"https://example.org/records?page=2"}"#
        return Array(lead.utf8) + RecordGenerator(size: bytes).bytes() + Array(end.utf8)
    }

    /// Generated records, in which every key begins with an escape.
    static func escapedKeys(_ bytes: UInt64) -> [UInt8] {
        let text = RecordGenerator(size: bytes).bytes()
        let (quote, colon) = (UInt8(ascii: "\""), UInt8(ascii: ":"))
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            // The generated text has no space between a comma or brace and a key.
            if text[index] == quote, text[index - 1] == UInt8(ascii: "{") || text[index - 1] == UInt8(ascii: ","),
                let end = text[(index + 1)...].firstIndex(of: quote), end > index + 1, text[end + 1] == colon
            {
                result += "\"\\u00\(String(text[index + 1], radix: 16))".utf8
                index += 2
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }
}

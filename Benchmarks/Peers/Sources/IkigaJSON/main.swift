import Foundation
import IkigaJSON
import Peers

struct Ikiga: Peer {
    static let name = "IkigaJSON"
    let decoder = IkigaJSONDecoder()

    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { try decoder.decode(type, from: data) }
}

// Version 2.4.4 copies the rest of its index for most reads of a value, which takes minutes for the larger documents.
try Ikiga().compare(without: ["canada", "citm_catalog"])

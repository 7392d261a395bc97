import Foundation
import Peers
import ReerJSON

struct Reer: Peer {
    static let name = "ReerJSON"
    let decoder = ReerJSONDecoder()

    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { try decoder.decode(type, from: data) }
}

try Reer().compare()

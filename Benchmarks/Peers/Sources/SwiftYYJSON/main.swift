import Foundation
import Peers
import YYJSON

struct SwiftYYJSON: Peer {
    static let name = "swift-yyjson"
    let decoder = YYJSONDecoder()

    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { try decoder.decode(type, from: data) }
}

try SwiftYYJSON().compare()

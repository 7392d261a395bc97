// A client in language mode 5, which uses the stand-ins as it would use Foundation's coders.
import Coders
import Foundation

// Coders and Foundation both have these names.
typealias JSONDecoder = Coders.JSONDecoder
typealias JSONEncoder = Coders.JSONEncoder

/// A class that is not `Sendable`, as in much code of language mode 5.
private final class Context { var count = 0 }

private let contextKey = CodingUserInfoKey(rawValue: "context")!

private struct Item: Codable, Equatable {
    var id = 1
    var date = Date(timeIntervalSince1970: 5)
    var data = Data([1, 2])

    init() {}

    init(from decoder: Decoder) throws {
        (decoder.userInfo[contextKey] as? Context)?.count += 1
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        date = try container.decode(Date.self, forKey: .date)
        data = try container.decode(Data.self, forKey: .data)
    }
}

/// A protocol of both coders, from the time before `Sendable`.
private protocol Informed: AnyObject {
    var userInfo: [CodingUserInfoKey: Any] { get set }
}

extension JSONDecoder: Informed {}
extension JSONEncoder: Informed {}

private func inform(_ coder: Informed, _ context: Context) { coder.userInfo[contextKey] = context }

/// A subclass with its own options, as packages have.
private class ServiceDecoder: JSONDecoder, @unchecked Sendable {
    var calls = 0

    override init() {
        super.init()
        keyDecodingStrategy = .convertFromSnakeCase
    }

    override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        calls += 1
        return try super.decode(type, from: data)
    }
}

public func useCoders() throws {
    let context = Context()
    // Neither the values of the user info nor the closures are `Sendable`.
    let decoder = JSONDecoder()
    decoder.userInfo[contextKey] = context
    let information: [CodingUserInfoKey: Any] = [contextKey: context]
    decoder.userInfo = information
    let read: [CodingUserInfoKey: Any] = decoder.userInfo
    var decoded = 0
    decoder.dateDecodingStrategy = .custom { decoder in
        context.count += 1
        decoded += 1
        return Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
    }
    decoder.dataDecodingStrategy = .custom { decoder in
        context.count += 1
        return Data(try [UInt8](from: decoder))
    }
    decoder.keyDecodingStrategy = .custom { path in
        context.count += 1
        return path.last!
    }
    let encoder = JSONEncoder()
    encoder.userInfo = information
    encoder.userInfo[contextKey] = read[contextKey]
    inform(decoder, context)
    inform(encoder, context)
    encoder.dateEncodingStrategy = .custom { date, encoder in
        context.count += 1
        try date.timeIntervalSince1970.encode(to: encoder)
    }
    encoder.dataEncodingStrategy = .custom { data, encoder in
        context.count += 1
        try Array(data).encode(to: encoder)
    }
    encoder.keyEncodingStrategy = .custom { path in
        context.count += 1
        return path.last!
    }
    encoder.outputFormatting = [.sortedKeys]
    let store = Store(decoder: decoder, encoder: encoder)
    let data = try store.encoder.encode(Item())
    precondition(String(decoding: data, as: UTF8.self) == #"{"data":[1,2],"date":5,"id":1}"#)
    let item = try store.read(Item.self, data)
    precondition(item == Item())
    precondition(context.count > 8 && decoded == 1)
    let service = ServiceDecoder()
    service.userInfo[contextKey] = context
    let members = try service.decode([String: Int].self, from: Data(#"{"a_b":1}"#.utf8))
    precondition(members == ["a_b": 1] && service.calls == 1)
    // Coders are sent to other threads.
    DispatchQueue.global().sync { _ = try? decoder.decode(Int.self, from: Data("1".utf8)) }
    print("Coders in language mode 5")
}

// A package with coders in its public interface: the module re-exports Sluice, and its aliases are public.
import Foundation
@_exported import Sluice

public typealias JSONDecoder = SluiceJSONDecoder
public typealias JSONEncoder = SluiceJSONEncoder

public struct Store {
    public var decoder: JSONDecoder
    public var encoder: JSONEncoder

    public init(decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()) {
        self.decoder = decoder
        self.encoder = encoder
    }

    public func read<T: Decodable>(_ type: T.Type, _ data: Data) throws -> T {
        try decoder.decode(type, from: data)
    }
}

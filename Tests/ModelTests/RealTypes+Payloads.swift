#if Macros
import Foundation
import Sluice

enum Vehicle2: String { case car, bike }

struct CodableAddress: Codable, Equatable { var street: String }

/// Cases with values of types that do not declare `JSONConvertible`.
@JSONModel
enum RawPayload: Equatable {
    case one(Vehicle2)
    case maybe(Vehicle2?)
    case list([Vehicle2])
    case lists([[Vehicle2]])
    case set(Set<Vehicle2>)
    case values([String: Vehicle2])
    case keys([Vehicle2: Int])
    case label(x: Vehicle2)
}

@JSONModel(.untagged)
enum UntaggedPayload: Equatable {
    case one(Vehicle2)
    case number(Int)
    case address(CodableAddress)
    case list([Vehicle2])
}

@JSONModel(tag: "type", content: "value")
enum CodablePayload: Equatable {
    case one(CodableAddress)
    case maybe(CodableAddress?)
    case list([CodableAddress])
    case values([String: CodableAddress])
    case raw(Vehicle2)
}

/// Types of the program with the names of known types.
enum Response {
    @JSONModel struct Data: Equatable { let x: Int }
}

@JSONModel(tag: "type")
enum NamedPayload: Equatable { case data(Response.Data) }

@JSONModel(tag: "type")
enum GenericPayload<Data: JSONConvertible & Equatable>: Equatable { case data(Data) }

@JSONModel
struct NamedParts: Equatable {
    var id: Int
    @JSONFlatten var data: Response.Data
    @JSONFlatten var url: URL
    @JSONModel struct URL: Equatable { let y: Int }
}

@JSONModel(tag: "type")
enum InternalPayload: Equatable {
    case home(CodableAddress)
    case none
}
#endif

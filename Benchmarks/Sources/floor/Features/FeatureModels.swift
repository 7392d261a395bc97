import CodableModels
import Sluice

/// The payloads of events.
@JSONModel
struct Created: Decodable, Equatable {
    let id: Int
    let name: String
    let tags: [String]
}

@JSONModel
struct Moved: Decodable, Equatable {
    let id: Int
    let from: [Double]
    let to: [Double]
}

@JSONModel
struct Closed: Decodable, Equatable {
    let id: Int
    let reason: String
    let by: Author
}

@JSONModel
struct Author: Decodable, Equatable {
    let name: String
    let isAdmin: Bool
}

/// An event whose tag is the last member of the object.
@JSONModel(tag: "type")
enum TaggedEvent: Decodable, Equatable {
    case created(Created)
    case moved(Moved)
    case closed(Closed)

    private enum CodingKeys: CodingKey { case type }
    private enum Tag: String, Decodable { case created, moved, closed }

    init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: CodingKeys.self).decode(Tag.self, forKey: .type) {
        case .created: self = .created(try Created(from: decoder))
        case .moved: self = .moved(try Moved(from: decoder))
        case .closed: self = .closed(try Closed(from: decoder))
        }
    }
}

/// The same events, whose cases are tried one after another.
@JSONModel(.untagged)
enum UntaggedEvent: Decodable, Equatable {
    case created(Created)
    case moved(Moved)
    case closed(Closed)

    init(from decoder: any Decoder) throws {
        if let created = try? Created(from: decoder) {
            self = .created(created)
        } else if let moved = try? Moved(from: decoder) {
            self = .moved(moved)
        } else {
            self = .closed(try Closed(from: decoder))
        }
    }
}

/// A model with properties whose types have no plan.
@JSONModel
struct Parcel: Decodable, Equatable {
    let number: Int
    let record: CodableRecord
    let route: [CodableLocation]
    let message: ShortMessage?
}

/// The members around records.
@JSONModel
struct RecordPage: Decodable, Equatable {
    let total: Int
    let next: String
}

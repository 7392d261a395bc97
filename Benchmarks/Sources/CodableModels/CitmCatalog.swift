/// The document citm_catalog.json: the program of a concert hall, with prices by seat.
public struct CitmCatalog: Codable, Equatable, Sendable {
    public let areaNames: [String: String]
    public let audienceSubCategoryNames: [String: String]
    public let blockNames: [String: String]
    public let events: [String: Event]
    public let performances: [Performance]
    public let seatCategoryNames: [String: String]
    public let subTopicNames: [String: String]
    public let subjectNames: [String: String]
    public let topicNames: [String: String]
    public let topicSubTopics: [String: [Int]]
    public let venueNames: [String: String]
}

/// An event in the program.
public struct Event: Codable, Equatable, Sendable {
    public let description: String?
    public let id: Int
    public let logo: String?
    public let name: String
    public let subTopicIDs: [Int]
    public let subjectCode: String?
    public let subtitle: String?
    public let topicIDs: [Int]

    enum CodingKeys: String, CodingKey {
        case description, id, logo, name
        case subTopicIDs = "subTopicIds"
        case subjectCode, subtitle
        case topicIDs = "topicIds"
    }
}

/// A performance of an event.
public struct Performance: Codable, Equatable, Sendable {
    public let eventID: Int
    public let id: Int
    public let logo: String?
    public let name: String?
    public let prices: [Price]
    public let seatCategories: [SeatCategory]
    public let seatMapImage: String?
    public let start: Int
    public let venueCode: String

    enum CodingKeys: String, CodingKey {
        case eventID = "eventId"
        case id, logo, name, prices, seatCategories, seatMapImage, start, venueCode
    }
}

/// The price of a seat.
public struct Price: Codable, Equatable, Sendable {
    public let amount: Int
    public let audienceSubCategoryID: Int
    public let seatCategoryID: Int

    enum CodingKeys: String, CodingKey {
        case amount
        case audienceSubCategoryID = "audienceSubCategoryId"
        case seatCategoryID = "seatCategoryId"
    }
}

/// The seats of one price category, by area.
public struct SeatCategory: Codable, Equatable, Sendable {
    public let areas: [Area]
    public let seatCategoryID: Int

    enum CodingKeys: String, CodingKey {
        case areas
        case seatCategoryID = "seatCategoryId"
    }
}

/// An area of the hall.
public struct Area: Codable, Equatable, Sendable {
    public let areaID: Int
    public let blockIDs: [Int]

    enum CodingKeys: String, CodingKey {
        case areaID = "areaId"
        case blockIDs = "blockIds"
    }
}

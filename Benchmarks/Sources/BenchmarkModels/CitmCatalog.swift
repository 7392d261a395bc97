import Sluice

/// citm_catalog.json: what a concert hall has on, and its prices seat by seat.
@JSONModel
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

/// Something that is on.
@JSONModel
public struct Event: Codable, Equatable, Sendable {
    public let description: String?
    public let id: Int
    public let logo: String?
    public let name: String
    @JSONKey("subTopicIds") public let subTopicIDs: [Int]
    public let subjectCode: String?
    public let subtitle: String?
    @JSONKey("topicIds") public let topicIDs: [Int]

    enum CodingKeys: String, CodingKey {
        case description, id, logo, name
        case subTopicIDs = "subTopicIds"
        case subjectCode, subtitle
        case topicIDs = "topicIds"
    }
}

/// One evening of an event.
@JSONModel
public struct Performance: Codable, Equatable, Sendable {
    @JSONKey("eventId") public let eventID: Int
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

/// What a seat costs.
@JSONModel
public struct Price: Codable, Equatable, Sendable {
    public let amount: Int
    @JSONKey("audienceSubCategoryId") public let audienceSubCategoryID: Int
    @JSONKey("seatCategoryId") public let seatCategoryID: Int

    enum CodingKeys: String, CodingKey {
        case amount
        case audienceSubCategoryID = "audienceSubCategoryId"
        case seatCategoryID = "seatCategoryId"
    }
}

/// Seats of one price, by area.
@JSONModel
public struct SeatCategory: Codable, Equatable, Sendable {
    public let areas: [Area]
    @JSONKey("seatCategoryId") public let seatCategoryID: Int

    enum CodingKeys: String, CodingKey {
        case areas
        case seatCategoryID = "seatCategoryId"
    }
}

/// A part of the hall.
@JSONModel
public struct Area: Codable, Equatable, Sendable {
    @JSONKey("areaId") public let areaID: Int
    @JSONKey("blockIds") public let blockIDs: [Int]

    enum CodingKeys: String, CodingKey {
        case areaID = "areaId"
        case blockIDs = "blockIds"
    }
}

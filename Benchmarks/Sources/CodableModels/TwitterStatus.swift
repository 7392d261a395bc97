/// The document twitter.json: the response to a search, with the members that a client would read.
public struct TwitterSearch: Codable, Equatable, Sendable {
    public let statuses: [Status]
    public let searchMetadata: SearchMetadata

    enum CodingKeys: String, CodingKey {
        case statuses
        case searchMetadata = "search_metadata"
    }
}

/// The metadata of a search, with the parameters of the next request.
public struct SearchMetadata: Codable, Equatable, Sendable {
    public let completedIn: Double
    public let maxID: Int
    public let maxIDText: String
    public let nextResults: String
    public let query: String
    public let refreshURL: String
    public let count: Int
    public let sinceID: Int
    public let sinceIDText: String

    enum CodingKeys: String, CodingKey {
        case completedIn = "completed_in"
        case maxID = "max_id"
        case maxIDText = "max_id_str"
        case nextResults = "next_results"
        case query
        case refreshURL = "refresh_url"
        case count
        case sinceID = "since_id"
        case sinceIDText = "since_id_str"
    }
}

/// A status, in most cases with the repeated status.
public struct Status: Codable, Equatable, Sendable {
    public let metadata: StatusMetadata
    public let createdAt: String
    public let id: Int
    public let idText: String
    public let text: String
    public let source: String
    public let truncated: Bool
    public let inReplyToStatusID: Int?
    public let inReplyToStatusIDText: String?
    public let inReplyToUserID: Int?
    public let inReplyToUserIDText: String?
    public let inReplyToScreenName: String?
    public let user: User
    public let geo: GeoPoint?
    public let coordinates: GeoPoint?
    public let place: Place?
    public let contributors: [Int]?
    public let retweetedStatus: OriginalStatus?
    public let retweetCount: Int
    public let favoriteCount: Int
    public let entities: StatusEntities
    public let favorited: Bool
    public let retweeted: Bool
    public let possiblySensitive: Bool?
    public let lang: String

    enum CodingKeys: String, CodingKey {
        case metadata
        case createdAt = "created_at"
        case id
        case idText = "id_str"
        case text, source, truncated
        case inReplyToStatusID = "in_reply_to_status_id"
        case inReplyToStatusIDText = "in_reply_to_status_id_str"
        case inReplyToUserID = "in_reply_to_user_id"
        case inReplyToUserIDText = "in_reply_to_user_id_str"
        case inReplyToScreenName = "in_reply_to_screen_name"
        case user, geo, coordinates, place, contributors
        case retweetedStatus = "retweeted_status"
        case retweetCount = "retweet_count"
        case favoriteCount = "favorite_count"
        case entities, favorited, retweeted
        case possiblySensitive = "possibly_sensitive"
        case lang
    }
}

/// A repeated status. Unlike `Status`, this type contains no repeated status, because a struct cannot contain itself.
public struct OriginalStatus: Codable, Equatable, Sendable {
    public let metadata: StatusMetadata
    public let createdAt: String
    public let id: Int
    public let idText: String
    public let text: String
    public let source: String
    public let truncated: Bool
    public let inReplyToStatusID: Int?
    public let inReplyToStatusIDText: String?
    public let inReplyToUserID: Int?
    public let inReplyToUserIDText: String?
    public let inReplyToScreenName: String?
    public let user: User
    public let geo: GeoPoint?
    public let coordinates: GeoPoint?
    public let place: Place?
    public let contributors: [Int]?
    public let retweetCount: Int
    public let favoriteCount: Int
    public let entities: StatusEntities
    public let favorited: Bool
    public let retweeted: Bool
    public let possiblySensitive: Bool?
    public let lang: String

    enum CodingKeys: String, CodingKey {
        case metadata
        case createdAt = "created_at"
        case id
        case idText = "id_str"
        case text, source, truncated
        case inReplyToStatusID = "in_reply_to_status_id"
        case inReplyToStatusIDText = "in_reply_to_status_id_str"
        case inReplyToUserID = "in_reply_to_user_id"
        case inReplyToUserIDText = "in_reply_to_user_id_str"
        case inReplyToScreenName = "in_reply_to_screen_name"
        case user, geo, coordinates, place, contributors
        case retweetCount = "retweet_count"
        case favoriteCount = "favorite_count"
        case entities, favorited, retweeted
        case possiblySensitive = "possibly_sensitive"
        case lang
    }
}

/// The metadata of a search result.
public struct StatusMetadata: Codable, Equatable, Sendable {
    public let resultType: String
    public let isoLanguageCode: String

    enum CodingKeys: String, CodingKey {
        case resultType = "result_type"
        case isoLanguageCode = "iso_language_code"
    }
}

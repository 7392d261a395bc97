import Sluice

/// The document twitter.json: the response to a search, with the members that a client would read.
@JSONModel
public struct TwitterSearch: Codable, Equatable, Sendable {
    public let statuses: [Status]
    @JSONKey("search_metadata") public let searchMetadata: SearchMetadata

    enum CodingKeys: String, CodingKey {
        case statuses
        case searchMetadata = "search_metadata"
    }
}

/// The metadata of a search, with the parameters of the next request.
@JSONModel
public struct SearchMetadata: Codable, Equatable, Sendable {
    @JSONKey("completed_in") public let completedIn: Double
    @JSONKey("max_id") public let maxID: Int
    @JSONKey("max_id_str") public let maxIDText: String
    @JSONKey("next_results") public let nextResults: String
    public let query: String
    @JSONKey("refresh_url") public let refreshURL: String
    public let count: Int
    @JSONKey("since_id") public let sinceID: Int
    @JSONKey("since_id_str") public let sinceIDText: String

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
@JSONModel
public struct Status: Codable, Equatable, Sendable {
    public let metadata: StatusMetadata
    @JSONKey("created_at") public let createdAt: String
    public let id: Int
    @JSONKey("id_str") public let idText: String
    public let text: String
    public let source: String
    public let truncated: Bool
    @JSONKey("in_reply_to_status_id") public let inReplyToStatusID: Int?
    @JSONKey("in_reply_to_status_id_str") public let inReplyToStatusIDText: String?
    @JSONKey("in_reply_to_user_id") public let inReplyToUserID: Int?
    @JSONKey("in_reply_to_user_id_str") public let inReplyToUserIDText: String?
    @JSONKey("in_reply_to_screen_name") public let inReplyToScreenName: String?
    public let user: User
    public let geo: GeoPoint?
    public let coordinates: GeoPoint?
    public let place: Place?
    public let contributors: [Int]?
    @JSONKey("retweeted_status") public let retweetedStatus: OriginalStatus?
    @JSONKey("retweet_count") public let retweetCount: Int
    @JSONKey("favorite_count") public let favoriteCount: Int
    public let entities: StatusEntities
    public let favorited: Bool
    public let retweeted: Bool
    @JSONKey("possibly_sensitive") public let possiblySensitive: Bool?
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
@JSONModel
public struct OriginalStatus: Codable, Equatable, Sendable {
    public let metadata: StatusMetadata
    @JSONKey("created_at") public let createdAt: String
    public let id: Int
    @JSONKey("id_str") public let idText: String
    public let text: String
    public let source: String
    public let truncated: Bool
    @JSONKey("in_reply_to_status_id") public let inReplyToStatusID: Int?
    @JSONKey("in_reply_to_status_id_str") public let inReplyToStatusIDText: String?
    @JSONKey("in_reply_to_user_id") public let inReplyToUserID: Int?
    @JSONKey("in_reply_to_user_id_str") public let inReplyToUserIDText: String?
    @JSONKey("in_reply_to_screen_name") public let inReplyToScreenName: String?
    public let user: User
    public let geo: GeoPoint?
    public let coordinates: GeoPoint?
    public let place: Place?
    public let contributors: [Int]?
    @JSONKey("retweet_count") public let retweetCount: Int
    @JSONKey("favorite_count") public let favoriteCount: Int
    public let entities: StatusEntities
    public let favorited: Bool
    public let retweeted: Bool
    @JSONKey("possibly_sensitive") public let possiblySensitive: Bool?
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
@JSONModel
public struct StatusMetadata: Codable, Equatable, Sendable {
    @JSONKey("result_type") public let resultType: String
    @JSONKey("iso_language_code") public let isoLanguageCode: String

    enum CodingKeys: String, CodingKey {
        case resultType = "result_type"
        case isoLanguageCode = "iso_language_code"
    }
}

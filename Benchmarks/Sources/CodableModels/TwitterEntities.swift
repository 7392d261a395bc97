/// The entities in the text of a status, with their positions.
public struct StatusEntities: Codable, Equatable, Sendable {
    public let hashtags: [Hashtag]
    public let symbols: [Hashtag]
    public let urls: [Link]
    public let userMentions: [Mention]
    public let media: [Media]?

    enum CodingKeys: String, CodingKey {
        case hashtags, symbols, urls
        case userMentions = "user_mentions"
        case media
    }
}

/// A hashtag.
public struct Hashtag: Codable, Equatable, Sendable {
    public let text: String
    public let indices: [Int]
}

/// A link in a text, in its short and its expanded form.
public struct Link: Codable, Equatable, Sendable {
    public let url: String
    public let expandedURL: String
    public let displayURL: String
    public let indices: [Int]

    enum CodingKeys: String, CodingKey {
        case url
        case expandedURL = "expanded_url"
        case displayURL = "display_url"
        case indices
    }
}

/// A mention of a user.
public struct Mention: Codable, Equatable, Sendable {
    public let screenName: String
    public let name: String
    public let id: Int
    public let idText: String
    public let indices: [Int]

    enum CodingKeys: String, CodingKey {
        case screenName = "screen_name"
        case name, id
        case idText = "id_str"
        case indices
    }
}

/// A picture.
public struct Media: Codable, Equatable, Sendable {
    public let id: Int
    public let idText: String
    public let indices: [Int]
    public let mediaURL: String
    public let mediaURLHTTPS: String
    public let url: String
    public let displayURL: String
    public let expandedURL: String
    public let type: String
    public let sizes: MediaSizes
    public let sourceStatusID: Int?
    public let sourceStatusIDText: String?

    enum CodingKeys: String, CodingKey {
        case id
        case idText = "id_str"
        case indices
        case mediaURL = "media_url"
        case mediaURLHTTPS = "media_url_https"
        case url
        case displayURL = "display_url"
        case expandedURL = "expanded_url"
        case type, sizes
        case sourceStatusID = "source_status_id"
        case sourceStatusIDText = "source_status_id_str"
    }
}

/// The sizes of a picture.
public struct MediaSizes: Codable, Equatable, Sendable {
    public let medium: MediaSize
    public let small: MediaSize
    public let thumb: MediaSize
    public let large: MediaSize
}

/// One size of a picture.
public struct MediaSize: Codable, Equatable, Sendable {
    public let w: Int
    public let h: Int
    public let resize: String
}

/// A point in GeoJSON.
public struct GeoPoint: Codable, Equatable, Sendable {
    public let type: String
    public let coordinates: [Double]
}

/// A named place.
public struct Place: Codable, Equatable, Sendable {
    public let id: String
    public let url: String
    public let placeType: String
    public let name: String
    public let fullName: String
    public let countryCode: String
    public let country: String

    enum CodingKeys: String, CodingKey {
        case id, url
        case placeType = "place_type"
        case name
        case fullName = "full_name"
        case countryCode = "country_code"
        case country
    }
}

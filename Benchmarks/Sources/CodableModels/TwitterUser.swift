/// The author of a status.
public struct User: Codable, Equatable, Sendable {
    public let id: Int
    public let idText: String
    public let name: String
    public let screenName: String
    public let location: String
    public let description: String
    public let url: String?
    public let entities: UserEntities
    public let protected: Bool
    public let followersCount: Int
    public let friendsCount: Int
    public let listedCount: Int
    public let createdAt: String
    public let favouritesCount: Int
    public let utcOffset: Int?
    public let timeZone: String?
    public let geoEnabled: Bool
    public let verified: Bool
    public let statusesCount: Int
    public let lang: String
    public let contributorsEnabled: Bool
    public let isTranslator: Bool
    public let isTranslationEnabled: Bool
    public let profileBackgroundColor: String
    public let profileBackgroundImageURL: String
    public let profileBackgroundImageURLHTTPS: String
    public let profileBackgroundTile: Bool
    public let profileImageURL: String
    public let profileImageURLHTTPS: String
    public let profileBannerURL: String?
    public let profileLinkColor: String
    public let profileSidebarBorderColor: String
    public let profileSidebarFillColor: String
    public let profileTextColor: String
    public let profileUseBackgroundImage: Bool
    public let defaultProfile: Bool
    public let defaultProfileImage: Bool
    public let following: Bool
    public let followRequestSent: Bool
    public let notifications: Bool

    enum CodingKeys: String, CodingKey {
        case id
        case idText = "id_str"
        case name
        case screenName = "screen_name"
        case location, description, url, entities, protected
        case followersCount = "followers_count"
        case friendsCount = "friends_count"
        case listedCount = "listed_count"
        case createdAt = "created_at"
        case favouritesCount = "favourites_count"
        case utcOffset = "utc_offset"
        case timeZone = "time_zone"
        case geoEnabled = "geo_enabled"
        case verified
        case statusesCount = "statuses_count"
        case lang
        case contributorsEnabled = "contributors_enabled"
        case isTranslator = "is_translator"
        case isTranslationEnabled = "is_translation_enabled"
        case profileBackgroundColor = "profile_background_color"
        case profileBackgroundImageURL = "profile_background_image_url"
        case profileBackgroundImageURLHTTPS = "profile_background_image_url_https"
        case profileBackgroundTile = "profile_background_tile"
        case profileImageURL = "profile_image_url"
        case profileImageURLHTTPS = "profile_image_url_https"
        case profileBannerURL = "profile_banner_url"
        case profileLinkColor = "profile_link_color"
        case profileSidebarBorderColor = "profile_sidebar_border_color"
        case profileSidebarFillColor = "profile_sidebar_fill_color"
        case profileTextColor = "profile_text_color"
        case profileUseBackgroundImage = "profile_use_background_image"
        case defaultProfile = "default_profile"
        case defaultProfileImage = "default_profile_image"
        case following
        case followRequestSent = "follow_request_sent"
        case notifications
    }
}

/// The links in the profile of a user.
public struct UserEntities: Codable, Equatable, Sendable {
    public let url: LinkList?
    public let description: LinkList
}

/// The links in a text.
public struct LinkList: Codable, Equatable, Sendable {
    public let urls: [Link]
}

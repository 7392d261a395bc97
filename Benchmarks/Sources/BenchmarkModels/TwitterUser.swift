import Sluice

/// The author of a status.
@JSONModel
public struct User: Codable, Equatable, Sendable {
    public let id: Int
    @JSONKey("id_str") public let idText: String
    public let name: String
    @JSONKey("screen_name") public let screenName: String
    public let location: String
    public let description: String
    public let url: String?
    public let entities: UserEntities
    public let protected: Bool
    @JSONKey("followers_count") public let followersCount: Int
    @JSONKey("friends_count") public let friendsCount: Int
    @JSONKey("listed_count") public let listedCount: Int
    @JSONKey("created_at") public let createdAt: String
    @JSONKey("favourites_count") public let favouritesCount: Int
    @JSONKey("utc_offset") public let utcOffset: Int?
    @JSONKey("time_zone") public let timeZone: String?
    @JSONKey("geo_enabled") public let geoEnabled: Bool
    public let verified: Bool
    @JSONKey("statuses_count") public let statusesCount: Int
    public let lang: String
    @JSONKey("contributors_enabled") public let contributorsEnabled: Bool
    @JSONKey("is_translator") public let isTranslator: Bool
    @JSONKey("is_translation_enabled") public let isTranslationEnabled: Bool
    @JSONKey("profile_background_color") public let profileBackgroundColor: String
    @JSONKey("profile_background_image_url") public let profileBackgroundImageURL: String
    @JSONKey("profile_background_image_url_https") public let profileBackgroundImageURLHTTPS: String
    @JSONKey("profile_background_tile") public let profileBackgroundTile: Bool
    @JSONKey("profile_image_url") public let profileImageURL: String
    @JSONKey("profile_image_url_https") public let profileImageURLHTTPS: String
    @JSONKey("profile_banner_url") public let profileBannerURL: String?
    @JSONKey("profile_link_color") public let profileLinkColor: String
    @JSONKey("profile_sidebar_border_color") public let profileSidebarBorderColor: String
    @JSONKey("profile_sidebar_fill_color") public let profileSidebarFillColor: String
    @JSONKey("profile_text_color") public let profileTextColor: String
    @JSONKey("profile_use_background_image") public let profileUseBackgroundImage: Bool
    @JSONKey("default_profile") public let defaultProfile: Bool
    @JSONKey("default_profile_image") public let defaultProfileImage: Bool
    public let following: Bool
    @JSONKey("follow_request_sent") public let followRequestSent: Bool
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
@JSONModel
public struct UserEntities: Codable, Equatable, Sendable {
    public let url: LinkList?
    public let description: LinkList
}

/// The links in a text.
@JSONModel
public struct LinkList: Codable, Equatable, Sendable {
    public let urls: [Link]
}

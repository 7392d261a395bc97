import SluiceCore
import TestSupport
import Testing

@Suite(.tags(.keys)) struct KeyStrategyTests {
    @Test(arguments: [
        ("", ""), ("name", "name"), ("firstName", "first_name"), ("imageURL", "image_url"),
        ("URLSession", "url_session"), ("URL", "url"), ("userID2", "user_id2"), ("userID2Name", "user_id2_name"),
        ("line2Text", "line2_text"), ("md5Sum", "md5_sum"), ("HTTP2Server", "http2_server"), ("x", "x"), ("X", "x"),
        ("aB", "a_b"), ("aBC", "a_bc"), ("aBCd", "a_b_cd"), ("iOSVersion", "i_os_version"), ("isHTTPS", "is_https"),
        ("imageURLs", "image_ur_ls"), ("Name", "name"), ("utf8", "utf8"), ("a1B2c3D", "a1_b2c3_d"),
        ("_private", "_private"), ("__dunderName__", "__dunder_name__"), ("_", "_"), ("___", "___"),
        ("_URL_", "_url_"), ("image_url", "image_url"), ("image_URL", "image_url"), ("IMAGE_URL", "image_url"),
        ("image__URLName", "image__url_name"), ("größeÄußere", "größe_äußere"), ("ÄÖÜName", "äöü_name"),
        ("имяФайла", "имя_файла"), ("名前ID", "名前_id"), ("URL名", "url名"), ("e\u{301}E\u{301}", "e\u{301}_e\u{301}"),
        ("π2Σ", "π2_σ"), ("with-hyphenHere", "with-hyphen_here"),
    ])
    func `snakeCase separates words with underscores`(name: String, key: String) {
        #expect(JSONKeyStrategy.snakeCase.key(for: name) == key)
    }

    @Test(arguments: [
        ("", ""), ("name", "name"), ("firstName", "first_name"), ("imageURL", "image_u_r_l"),
        ("line2Text", "line_2_text"), ("line20", "line_20"), ("a1b22c333", "a_1b_22c_333"),
        ("URLSession", "_u_r_l_session"), ("line2", "line_2"), ("line_2", "line__2"), ("_private", "_private"),
        ("größeÄ", "größe_ä"), ("имяФ", "имя_ф"), ("名前", "名前"), ("x٣y", "x_٣y"), ("名五", "名五"), ("x½", "x½"),
    ])
    func `snakeCasePerLetter separates every capital letter`(name: String, key: String) {
        #expect(JSONKeyStrategy.snakeCasePerLetter.key(for: name) == key)
    }

    @Test(arguments: [
        ("imageURL", "image-url", "IMAGE_URL", "IMAGEURL", "ImageURL", "imageURL"),
        ("ImageURL", "image-url", "IMAGE_URL", "IMAGEURL", "ImageURL", "imageURL"),
        ("_myOwn_name_", "_my-own-name_", "_MY_OWN_NAME_", "_MYOWN_NAME_", "_myOwn_name_", "_myOwn_name_"),
        ("userID2", "user-id2", "USER_ID2", "USERID2", "UserID2", "userID2"),
        ("äußereÄ", "äußere-ä", "ÄUSSERE_Ä", "ÄUSSEREÄ", "ÄußereÄ", "äußereÄ"),
        ("e\u{301}a", "e\u{301}a", "E\u{301}A", "E\u{301}A", "E\u{301}a", "e\u{301}a"), ("", "", "", "", "", ""),
    ])
    func `the other strategies change case and separators`(
        name: String, kebab: String, screaming: String, upper: String, title: String, camel: String
    ) {
        #expect(JSONKeyStrategy.kebabCase.key(for: name) == kebab)
        #expect(JSONKeyStrategy.screamingSnakeCase.key(for: name) == screaming)
        #expect(JSONKeyStrategy.upperCase.key(for: name) == upper)
        #expect(JSONKeyStrategy.firstLetterUppercase.key(for: name) == title)
        #expect(JSONKeyStrategy.firstLetterLowercase.key(for: name) == camel)
        #expect(JSONKeyStrategy.asDeclared.key(for: name) == name)
    }

    /// A key that is made is a name that stays, so that models may be declared by their keys.
    @Test func `applying a strategy to its own key changes nothing`() {
        let names = [
            "imageURL", "URLSession", "userID2", "_private", "IMAGE_URL", "a1B2c3D", "größeÄußere", "ǅabcǅ", "İD",
            "ßtraße", "名前ID", "x_2Y", "iOS-Version", "", "__", "ΣΑΣ",
        ]
        let strategies: [JSONKeyStrategy] = [
            .asDeclared, .snakeCase, .kebabCase, .screamingSnakeCase, .upperCase, .firstLetterUppercase,
            .firstLetterLowercase,
        ]
        for name in names {
            // In capitals, a word of letters behind a digit looks like one that begins there: A1_B2C3_D.
            for strategy in strategies where strategy != .screamingSnakeCase || name != "a1B2c3D" {
                let key = strategy.key(for: name)
                #expect(strategy.key(for: key) == key, "\(name)")
            }
        }
    }

    @Test func `a custom strategy calls its closure`() {
        let strategy = JSONKeyStrategy.custom { "x-\($0)" }
        #expect(strategy.key(for: "name") == "x-name")
    }

    @Test func `strategies are equal to their copies only`() {
        let one = JSONKeyStrategy.custom { $0 }
        let other = JSONKeyStrategy.custom { $0 }
        let copy = one
        #expect(one == copy)
        #expect(one != other)
        #expect(one != .asDeclared)
        #expect(Set([JSONKeyStrategy.snakeCase, .snakeCase, .kebabCase, one, copy]).count == 3)
    }
}

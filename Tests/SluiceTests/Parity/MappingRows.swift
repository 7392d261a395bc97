#if Macros
import Sluice
import Testing

// Rows of the list of what JSONModel and MJExtension do: how keys go to properties.
struct MappingRows {
    @JSONModel
    struct MappedUser {
        @JSONKey("id") let identifier: Int
        @JSONKey("user_name", or: "userName", "login") let name: String
    }

    @JSONModel(keys: .snakeCase)
    struct SnakeUser: Equatable {
        let imageURL: String
        let userID2: Int
        @JSONKey("createdAt") let created: String
    }

    @JSONModel(keys: .snakeCasePerLetter)
    struct PerLetterUser {
        let imageURL: String
    }

    @JSONModel(keys: .custom { name in "x-" + name })
    struct PrefixedUser {
        let name: String
    }

    @JSONModel
    struct PlainUser {
        let userName: String
    }

    @JSONModel
    struct PathModel: Equatable {
        @JSONKey("description.price.usd") let price: Double
        @JSONKey("items[1].name") let second: String
        @JSONKey(#"com\.app\.name"#) let app: String
    }

    @JSONModel
    struct FlattenedArrays: Equatable {
        @JSONKey("alternatives[*].items[*].data") let data: [Int]
    }

    @JSONModel
    struct Candidates {
        @JSONKey("id", or: "ID", "_id", "deep.id") let id: Int
    }

    @JSONModel
    struct Ignoring {
        let id: Int
        @JSONIgnore var both = 1
        @JSONIgnore(.decoding) var written = 2
        @JSONIgnore(.encoding) var read: Int
        var computed: Int { id * 2 }
        static let shared = 3
    }

    @JSONModel
    struct Allowing: Equatable {
        @JSONModel
        struct Inner: Equatable {
            var a = 0
            var b = 0
        }
        var id = 0
        var name = ""
        var inner = Inner()
    }

    private let decoder = JSONModelDecoder()

    @Test
    func `row 02: a property can have another key`() throws {
        let user = try decoder.decode(MappedUser.self, from: #"{"id":7,"user_name":"ann"}"#)
        #expect(user.identifier == 7)
        #expect(user.name == "ann")
    }

    @Test
    func `row 03: a model can have a key strategy with exceptions`() throws {
        let text = #"{"image_url":"u","user_id2":3,"createdAt":"now"}"#
        let user = try decoder.decode(SnakeUser.self, from: text)
        #expect(user == SnakeUser(imageURL: "u", userID2: 3, created: "now"))
        #expect(try JSONModelEncoder().encode(user, as: .string) == text)
        #expect(try decoder.decode(PerLetterUser.self, from: #"{"image_u_r_l":"u"}"#).imageURL == "u")
        #expect(try decoder.decode(PrefixedUser.self, from: #"{"x-name":"u"}"#).name == "u")
    }

    @Test
    func `row 04: the strategy of the decoder applies to models without a strategy`() throws {
        var decoder = decoder
        decoder.keyStrategy = .snakeCase
        #expect(try decoder.decode(PlainUser.self, from: #"{"user_name":"ann"}"#).userName == "ann")
        // A model's own strategy stays.
        #expect(try decoder.decode(PrefixedUser.self, from: #"{"x-name":"u"}"#).name == "u")
        #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(PlainUser.self, from: #"{"user_name":"ann"}"#)
        }
    }

    @Test
    func `row 05: properties can have key paths`() throws {
        let text = #"{"description":{"price":{"usd":9.5}},"items":[{},{"name":"b"}],"com.app.name":"x"}"#
        let model = try decoder.decode(PathModel.self, from: text)
        #expect(model == PathModel(price: 9.5, second: "b", app: "x"))
        let back = try JSONModelEncoder().encode(model)
        #expect(try decoder.decode(PathModel.self, from: back) == model)
    }

    @Test
    func `row 06: key paths may lead through arrays`() throws {
        let text = #"{"alternatives":[{"items":[{"data":1},{"data":2}]},{"items":[]},{"items":[{"data":3}]}]}"#
        #expect(try decoder.decode(FlattenedArrays.self, from: text).data == [1, 2, 3])
        #expect(try decoder.decode(FlattenedArrays.self, from: #"{"alternatives":[]}"#).data.isEmpty)
    }

    @Test(
        arguments: [
            #"{"id":1,"ID":2,"_id":3}"#, #"{"_id":3,"ID":2,"id":1}"#, #"{"id":null,"deep":{"id":1}}"#,
            #"{"deep":{"id":5},"ID":1,"id":null,"_id":4}"#,
        ])
    func `row 07: a property can have several candidate keys`(_ text: String) throws {
        for source in JSONModelDecoder.Source.allCases {
            var decoder = decoder
            decoder.source = source
            #expect(try decoder.decode(Candidates.self, from: text).id == 1)
        }
    }

    @Test
    func `row 08: properties can be ignored`() throws {
        let model = try decoder.decode(Ignoring.self, from: #"{"id":7,"both":9,"written":9,"read":9,"computed":9}"#)
        #expect([model.id, model.both, model.written, model.read] == [7, 1, 2, 9])
        #expect(try JSONModelEncoder().encode(model, as: .string) == #"{"id":7,"written":2}"#)
    }

    @Test
    func `row 09: the decoded and encoded properties can be listed`() throws {
        var decoder = decoder
        decoder.only = ["id", "inner.b"]
        let text = #"{"id":1,"name":"n","inner":{"a":2,"b":3}}"#
        let model = try decoder.decode(Allowing.self, from: text)
        #expect(model == Allowing(id: 1, inner: .init(b: 3)))
        var encoder = JSONModelEncoder()
        encoder.only = ["name", "inner.a"]
        let whole = try JSONModelDecoder().decode(Allowing.self, from: text)
        #expect(try encoder.encode(whole, as: .string) == #"{"name":"n","inner":{"a":2}}"#)
    }
}
#endif

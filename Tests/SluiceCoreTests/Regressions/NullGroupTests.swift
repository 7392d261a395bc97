import SluiceCore
import TestSupport
import Testing

extension Regressions {
    /// Null in a required key of an optional flattened model was an error, as in the rows of an outer join.
    @Suite struct NullGroupTests {
        struct Address: JSONModel, Equatable {
            var street: String
            var number: Int
            var floor: Int?
            var country = "FR"
            var notes: JSONValue?
            static let plan = ModelPlan<Address>(
                JSONField(\.street, key: "street"), JSONField(\.number, key: "at.number"),
                JSONField(\.floor, key: "floor"), JSONField(\.country, key: "country", default: "FR"),
                JSONField(\.notes, key: "notes"))
        }

        struct Row: JSONModel, Equatable {
            var id: Int
            var address: Address?
            static let plan = ModelPlan<Row>(JSONField(\.id, key: "id"), JSONField(flatten: \.address))
        }

        @Test(arguments: [
            #"{"id":1,"street":null,"at":{"number":null},"floor":null,"country":null,"notes":null}"#,
            #"{"street":null,"id":1}"#, #"{"id":1,"country":null}"#, #"{"id":1,"at":null,"street":null}"#,
            #"{"id":1,"street":"a","street":null}"#,
        ])
        func `an optional flattened model is nil if its keys are null`(_ text: String) throws {
            #expect(try decode(Row.self, text) == Row(id: 1, address: nil))
            #expect(try decode(Row.self, text, with: .collecting) == Row(id: 1, address: nil))
        }

        @Test func `a later value replaces null`() throws {
            let text = #"{"street":null,"at":{"number":5},"id":1,"street":"a"}"#
            #expect(try decode(Row.self, text) == Row(id: 1, address: Address(street: "a", number: 5)))
        }

        @Test(arguments: [
            (#"{"id":1,"street":null,"at":{"number":5}}"#, "street", 17),
            (#"{"street":"a","at":{"number":null},"id":1}"#, "at.number", 29),
        ])
        func `null beside values of the model is an error`(_ text: String, _ path: String, _ offset: Int) throws {
            for decoder in [JSONModelDecoder(), .collecting] {
                let issue = try refusal(Row.self, text, with: decoder)
                #expect(issue.path.description == path)
                #expect(issue.location.offset == offset)
                #expect(issue.hint == "make the property optional to allow it")
                guard case .nullValue = issue.kind else {
                    Issue.record("\(issue)")
                    continue
                }
            }
        }

        @Test func `a row that is written with nulls is read`() throws {
            var encoder = JSONModelEncoder()
            encoder.nullStrategy = .write
            let text = try encoder.encode(Row(id: 1, address: nil), as: .string)
            #expect(try decode(Row.self, text) == Row(id: 1, address: nil))
        }
    }
}

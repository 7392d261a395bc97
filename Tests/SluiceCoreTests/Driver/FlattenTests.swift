import SluiceCore
import TestSupport
import Testing

/// Models whose keys lie in the object of the model around them.
@Suite(.tags(.flatten)) struct FlattenTests {
    struct Refused: Error, Equatable { let what: String }

    struct Point: JSONModel, JSONHooks, Equatable {
        var x: Int
        var y: Int
        var label: String?
        var scale: Int
        var decoded = 0
        static let plan = ModelPlan<Point>([
            JSONField(\.x, key: "x"), JSONField(\.y, key: "pos.y"), JSONField(\.label, name: "label"),
            JSONField(\.scale, key: "scale", default: 1), JSONField(ignoring: \.decoded, default: 0),
        ])
        mutating func didDecode() throws {
            decoded += 1
            if x < 0 { throw Refused(what: "x") }
        }
    }

    struct Size: JSONModel, Equatable {
        let width: Int
        let point: Point
        static let plan = ModelPlan<Size>(JSONField(\.width, key: "width"), JSONField(flatten: \.point))
    }

    struct Box: JSONModel, Equatable {
        let id: Int
        let size: Size
        let name: String?
        static let plan = ModelPlan<Box>(
            JSONField(\.id, key: "id"), JSONField(flatten: \.size), JSONField(\.name, key: "name"))
    }

    private func point(_ x: Int, _ y: Int, _ label: String? = nil, _ scale: Int = 1) -> Point {
        Point(x: x, y: y, label: label, scale: scale, decoded: 1)
    }

    @Test func `the fields of a flattened model are filled from the outer object`() throws {
        let text = #"{"x":1,"name":"n","label":"l","id":2,"pos":{"y":3},"width":4}"#
        #expect(try decode(Box.self, text) == Box(id: 2, size: Size(width: 4, point: point(1, 3, "l")), name: "n"))
    }

    @Test func `errors name the properties of the flattened model`() throws {
        let issue = try refusal(Box.self, #"{"id":1,"x":2}"#)
        #expect(issue.kind == .missingKeys(["width", "pos.y"]))
        let one = try refusal(Box.self, #"{"id":1,"x":2,"width":3}"#)
        #expect((one.property, one.model) == ("y", "Point"))
        let mismatch = try refusal(Box.self, #"{"x":"1"}"#)
        #expect((mismatch.path, mismatch.property, mismatch.model) == ("x", "x", "Point"))
        let thrown = try refusal(Box.self, #"{"id":1,"x":-2,"width":3,"pos":{"y":3}}"#)
        #expect(thrown.underlying as? Refused == Refused(what: "x"))
        #expect((thrown.path, thrown.location.offset) == ("$", 38))
    }

    struct Maybe: JSONModel, Equatable {
        let id: Int
        let size: Size?
        static let plan = ModelPlan<Maybe>(JSONField(\.id, key: "id"), JSONField(flatten: \.size))
    }

    @Test func `an optional flattened model is nil without its keys`() throws {
        #expect(try decode(Maybe.self, #"{"id":1}"#) == Maybe(id: 1, size: nil))
        #expect(try decode(Maybe.self, #"{"id":1,"label":null}"#) == Maybe(id: 1, size: nil))
        let whole = #"{"width":4,"x":1,"id":1,"pos":{"y":3}}"#
        #expect(try decode(Maybe.self, whole) == Maybe(id: 1, size: Size(width: 4, point: point(1, 3))))
        #expect(try refusal(Maybe.self, #"{"id":1,"x":2}"#).kind == .missingKeys(["width", "pos.y"]))
        #expect(try refusal(Maybe.self, #"{"id":1,"scale":2}"#).kind == .missingKeys(["width", "x", "pos.y"]))
        #expect(try refusal(Maybe.self, #"{"width":1,"x":2,"pos":{"y":1}}"#).kind == .missingKeys(["id"]))
        let thrown = try refusal(Maybe.self, #"{"id":1,"x":-2,"width":3,"pos":{"y":3}}"#)
        #expect(thrown.underlying as? Refused == Refused(what: "x"))
    }

    struct Fine: JSONModel, Equatable {
        let a: String?
        let b: [Int]?
        static let plan = ModelPlan<Fine>(JSONField(\.a, key: "a"), JSONField(\.b, key: "b"))
    }

    @Test func `the options of the decoder apply to flattened models`() throws {
        let decoder = JSONModelDecoder.with { $0.keyStrategy = .upperCase }
        let text = #"{"id":1,"width":2,"x":3,"pos":{"y":4},"LABEL":"l"}"#
        #expect(try decode(Box.self, text, with: decoder).size.point.label == "l")
        let strict = JSONModelDecoder.with { $0.unknownKeys = .reject }
        _ = try decode(Box.self, text.replacing("LABEL", with: "label"), with: strict)
        #expect(try refusal(Box.self, text, with: strict).kind == .unknownKey("LABEL"))
        let only = JSONModelDecoder.with { $0.only = ["id", "x", "pos", "width"] }
        #expect(try decode(Box.self, text.replacing("LABEL", with: "label"), with: only).size.point.label == nil)
    }

    @Test func `classes and repeated models cannot be flattened`() {
        final class Class: JSONModel {
            struct Storage { let a: Int }
            static let plan = ModelPlan<Class>(
                storage: Storage.self, [JSONField(\.a, key: "a")], make: { _ in Class() })
        }
        struct Outer: JSONModel {
            let inner: Class
            static let plan = ModelPlan<Outer>(JSONField(flatten: \.inner))
        }
        #expect(defect(of: Outer.self) == "'inner' is flattened, and Class is not a struct filled in place")
        struct Twice: JSONModel {
            let a: Fine
            let b: Fine
            static let plan = ModelPlan<Twice>(JSONField(flatten: \.a), JSONField(flatten: \.b))
        }
        #expect(defect(of: Twice.self) == "'a' and 'a' are both filled from 'a'")
    }

    struct Wider: JSONModel, Equatable {
        let wide: Wide
        let fine: Fine?
        let size: Size?
        let last: Int
        static let plan = ModelPlan<Wider>(
            JSONField(flatten: \.wide), JSONField(flatten: \.fine), JSONField(flatten: \.size),
            JSONField(\.last, key: "last"))
    }

    @Test func `flattened models may have more than 64 fields`() throws {
        let members = (0..<200).map { "\"f\($0)\":" + ($0 % 10 == 9 ? "\"string \($0)\"" : "\($0)") }
        let text = "{" + members.joined(separator: ",") + #","last":1"#
        let bare = try decode(Wider.self, text + "}")
        #expect(bare.wide.f199 == "string 199")
        #expect((bare.fine, bare.size) == (nil, nil))
        let full = try decode(Wider.self, text + #","a":"a","width":4,"x":1,"pos":{"y":3}}"#)
        #expect(full.fine == Fine(a: "a", b: nil))
        #expect(full.size == Size(width: 4, point: point(1, 3)))
        #expect(try refusal(Wider.self, text + #","a":"a","x":1}"#).kind == .missingKeys(["width", "pos.y"]))
        let less = "{" + members.dropFirst(190).joined(separator: ",") + "}"
        guard case .missingKeys(let keys) = try refusal(Wider.self, less).kind else {
            Issue.record("nothing is missing")
            return
        }
        #expect(keys.first == "f0")
        #expect(keys.last == "last")
    }

    struct Secret: JSONModel, Equatable {
        let token: String
        static let plan = ModelPlan<Secret>(JSONField(\.token, key: "token"))
    }

    struct Login: JSONModel, Equatable {
        let id: Int
        let secret: Secret
        let size: Size?
        static let plan = ModelPlan<Login>(
            JSONField(\.id, key: "id"), JSONField(flatten: \.secret).ignored(.encoding),
            JSONField(flatten: \.size).ignored(.decoding))
    }

    @Test func `a flattened model may be ignored in one direction`() throws {
        let text = #"{"id":1,"token":"t","width":4,"x":1,"pos":{"y":3}}"#
        #expect(try decode(Login.self, text) == Login(id: 1, secret: Secret(token: "t"), size: nil))
        let login = Login(id: 1, secret: Secret(token: "t"), size: Size(width: 4, point: point(1, 3)))
        #expect(try encode(login) == #"{"id":1,"width":4,"x":1,"pos":{"y":3},"scale":1}"#)
        struct Unread: JSONModel {
            let secret: Secret
            static let plan = ModelPlan<Unread>(JSONField(flatten: \.secret).ignored(.decoding))
        }
        #expect(defect(of: Unread.self) == "'token' is not read and has no default")
        // The optional model around the secret is read, and is not nil.
        struct Account: JSONModel {
            let id: Int
            let secret: Secret
            static let plan = ModelPlan<Account>(
                JSONField(\.id, key: "id"), JSONField(flatten: \.secret).ignored(.decoding))
        }
        struct MaybeAccount: JSONModel {
            let account: Account?
            static let plan = ModelPlan<MaybeAccount>(JSONField(flatten: \.account))
        }
        #expect(defect(of: MaybeAccount.self) == "'token' is not read and has no default")
    }

    /// A model whose hooks throw.
    struct Guarded: JSONModel, JSONHooks, Equatable {
        var width = 0
        static let plan = ModelPlan<Guarded>(JSONField(\.width, key: "width", default: 0))
        func validate() throws { throw JSONValidationError() }
        func willEncode() throws { throw JSONValidationError() }
    }

    struct NotRead: JSONModel, Equatable {
        let id: Int
        var guarded = Guarded()
        static let plan = ModelPlan<NotRead>(
            JSONField(\.id, key: "id"), JSONField(flatten: \.guarded).ignored(.decoding))
    }

    struct NotWritten: JSONModel, Equatable {
        let id: Int
        var guarded = Guarded()
        static let plan = ModelPlan<NotWritten>(
            JSONField(\.id, key: "id"), JSONField(flatten: \.guarded).ignored(.encoding))
    }

    @Test func `the hooks of a flattened model are not called in a direction that is ignored`() throws {
        #expect(try decode(NotRead.self, #"{"id":1,"width":2}"#) == NotRead(id: 1))
        #expect(try encodingRefusal(NotRead(id: 1)).underlying is JSONValidationError)
        #expect(try encode(NotWritten(id: 1)) == #"{"id":1}"#)
        #expect(try refusal(NotWritten.self, #"{"id":1}"#).underlying is JSONValidationError)
    }

    struct FirstInner: JSONModel {
        let number: Int
        static let plan = ModelPlan<FirstInner>(JSONField(\.number, key: "number"))
    }

    struct FirstOuter: JSONModel {
        let inner: FirstInner
        let name: String
        static let plan = ModelPlan<FirstOuter>(JSONField(flatten: \.inner), JSONField(\.name, key: "name"))
    }

    @Test func `an issue names the flattened model, also of the first property`() throws {
        #expect(try refusal(FirstOuter.self, #"{"number":"a","name":"b"}"#).model == "FirstInner")
        #expect(try refusal(FirstOuter.self, #"{"number":1,"name":2}"#).model == "FirstOuter")
    }

    // MARK: Null in the keys of an optional model, as in the rows of an outer join

    struct Address: JSONModel, Equatable {
        var street: String
        var number: Int
        var floor: Int?
        var country = "FR"
        var notes: JSONValue?
        static let plan = ModelPlan<Address>(
            JSONField(\.street), JSONField(\.number, key: "at.number"), JSONField(\.floor),
            JSONField(\.country, default: "FR"), JSONField(\.notes))
    }
    typealias Row = AroundMaybe<Address>

    @Test(arguments: [
        #"{"id":1,"street":null,"at":{"number":null},"floor":null,"country":null,"notes":null}"#,
        #"{"street":null,"id":1}"#, #"{"id":1,"country":null}"#, #"{"id":1,"at":null,"street":null}"#,
        #"{"id":1,"street":"a","street":null}"#,
    ])
    func `an optional flattened model is nil if its keys are null`(_ text: String) throws {
        #expect(try decode(Row.self, text) == Row(id: 1))
        #expect(try decode(Row.self, text, with: .collecting) == Row(id: 1))
    }

    @Test func `a later value replaces null of a flattened model`() throws {
        let text = #"{"street":null,"at":{"number":5},"id":1,"street":"a"}"#
        #expect(try decode(Row.self, text) == Row(id: 1, group: Address(street: "a", number: 5)))
        let nulls = try encode(Row(id: 1), with: .with { $0.nullStrategy = .write })
        #expect(try decode(Row.self, nulls) == Row(id: 1))
    }

    @Test(arguments: [
        (#"{"id":1,"street":null,"at":{"number":5}}"#, "street", 17),
        (#"{"street":"a","at":{"number":null},"id":1}"#, "at.number", 29),
    ])
    func `null beside values of the model is an error`(_ text: String, _ path: String, _ offset: Int) throws {
        for decoder in [JSONModelDecoder(), .collecting] {
            let issue = try refusal(Row.self, text, with: decoder)
            #expect((issue.path.description, issue.location.offset) == (path, offset))
            #expect(issue.hint == "make the property optional to allow it")
            #expect(issue.kind.name == "nullValue")
        }
    }

    // MARK: Several models

    struct Pair: JSONModel, Equatable {
        let fine: Fine?
        let size: Size?
        static let plan = ModelPlan<Pair>(JSONField(flatten: \.fine), JSONField(flatten: \.size))
    }

    @Test func `two optional flattened models are independent`() throws {
        let size = Size(width: 3, point: point(1, 2))
        #expect(try decode(Pair.self, "{}") == Pair(fine: nil, size: nil))
        #expect(try decode(Pair.self, #"{"b":[1]}"#) == Pair(fine: Fine(a: nil, b: [1]), size: nil))
        #expect(try decode(Pair.self, #"{"x":1,"pos":{"y":2},"width":3}"#) == Pair(fine: nil, size: size))
        // One that throws leaves nothing of the other, whether that is there or not.
        #expect(try refusal(Pair.self, #"{"x":-1,"pos":{"y":2},"width":3}"#).kind == .thrown)
        #expect(try refusal(Pair.self, #"{"x":-1,"pos":{"y":2},"width":3,"a":"a"}"#).kind == .thrown)
    }

    final class Sender: JSONModel {
        struct Storage {
            var before = 13
            var one: UnionEncodingTests.Hooked
            var other: Size?
        }
        let storage: Storage
        init(_ storage: Storage) { self.storage = storage }
        static let plan = ModelPlan<Sender>(
            storage: Storage.self, [JSONField(\.before), JSONField(flatten: \.one), JSONField(flatten: \.other)],
            make: { Sender($0) }, read: { $0.storage })
    }

    /// Hooks before encoding were not called for the flattened models of a class.
    @Test func `the hooks of flattened models in a class are called before encoding`() throws {
        let senders = [12, 13].map { Sender(.init(one: .init(id: $0))) }
        #expect(try encode([senders[0]]) == #"[{"before":13,"id":12}]"#)
        let issue = try encodingRefusal(senders)
        #expect(issue.underlying is UnionEncodingTests.Hex.Failure)
        #expect(issue.path == "[1]")
    }
}

import Sluice
import TestSupport
import Testing

/// The verdicts on the files of JSONModel's own tests (`expected.tsv`).
@Suite(.needs(.suites))
struct JSONModelVerdictTests {
    struct Primitives: JSONModel {
        let shortNumber: Int16
        let intNumber: Int32
        let longNumber: Int
        let floatNumber: Float
        let doubleNumber: Double
        let boolYES: Bool
        let boolNO: Bool
        let unsignedIntNumber: UInt32
        let unsignedLongNumber: UInt
        let longLongNumber: Int64
        let unsignedLongLongNumber: UInt64
        let unsignedShortNumber: UInt16
        let charNumber: Int8
        let unsignedCharNumber: UInt8
        static let plan = ModelPlan<Primitives>([
            JSONField(\.shortNumber, name: "shortNumber"), JSONField(\.intNumber, name: "intNumber"),
            JSONField(\.longNumber, name: "longNumber"), JSONField(\.floatNumber, name: "floatNumber"),
            JSONField(\.doubleNumber, name: "doubleNumber"), JSONField(\.boolYES, name: "boolYES"),
            JSONField(\.boolNO, name: "boolNO"), JSONField(\.unsignedIntNumber, name: "unsignedIntNumber"),
            JSONField(\.unsignedLongNumber, name: "unsignedLongNumber"),
            JSONField(\.longLongNumber, name: "longLongNumber"),
            JSONField(\.unsignedLongLongNumber, name: "unsignedLongLongNumber"),
            JSONField(\.unsignedShortNumber, name: "unsignedShortNumber"),
            JSONField(\.charNumber, name: "charNumber"),
            JSONField(\.unsignedCharNumber, name: "unsignedCharNumber"),
        ])
    }

    struct Image: JSONModel {
        let id: Int
        let name: String
        let author: String?
        static let plan = ModelPlan<Image>(
            JSONField(\.id, key: "idImage"), JSONField(\.name, key: "name"),
            JSONField(\.author, key: "copyright.author"))
    }

    struct Nested: JSONModel {
        let single: Image
        let images: [Image]
        let byName: [String: Image]
        static let plan = ModelPlan<Nested>(
            JSONField(\.single, key: "singleImage"), JSONField(\.images, key: "images"),
            JSONField(\.byName, key: "imagesObject"))
    }

    struct Types: JSONModel {
        let caption: String
        let dynamicList: [JSONValue]
        let notAvailable: String?
        static let plan = ModelPlan<Types>(
            JSONField(\.caption, key: "caption"), JSONField(\.dynamicList, key: "dynamicList"),
            JSONField(\.notAvailable, key: "notAvailable"))
    }

    struct OptionalProperty: JSONModel {
        let filler: Int
        let optional: String?
        static let plan = ModelPlan<OptionalProperty>(
            JSONField(\.filler, key: "fillerNumber"), JSONField(\.optional, key: "notRequredProperty"))
    }

    struct Converted: JSONModel {
        let isItYesOrNo: Bool
        let stringFromNumber: String
        let numberFromString: Double
        static let plan = ModelPlan<Converted>(
            [
                JSONField(\.isItYesOrNo, name: "isItYesOrNo"),
                JSONField(\.stringFromNumber, name: "stringFromNumber"),
                JSONField(\.numberFromString, name: "numberFromString"),
            ], coercion: .lenient)
    }

    /// What is wrong with a file, or nil.
    private func issues(_ file: String) throws -> [JSONIssue]? {
        let bytes =
            switch file {
            case "(inline) {[1,23,4],\"123\":123,}": Array("{[1,23,4],\"123\":123,}".utf8)
            case "(nil input)": [UInt8]()
            default: try TestData.suites.bytes("jsonmodel/\(file)")
            }
        var outcomes: [[JSONIssue]?] = []
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            do throws(JSONModelError) {
                if file.hasPrefix("nested") {
                    _ = try decoder.decode(Nested.self, from: bytes)
                } else if file.hasPrefix("jsonTypes") {
                    _ = try decoder.decode(Types.self, from: bytes)
                } else if file.hasPrefix("with") {
                    _ = try decoder.decode(OptionalProperty.self, from: bytes)
                } else if file.hasPrefix("converts") {
                    _ = try decoder.decode(Converted.self, from: bytes)
                } else {
                    _ = try decoder.decode(Primitives.self, from: bytes)
                }
                outcomes.append(nil)
            } catch {
                outcomes.append(error.issues)
            }
        }
        #expect(outcomes.allSatisfy { $0.map { "\($0)" } == outcomes[0].map { "\($0)" } }, "\(file)")
        return outcomes[0]
    }

    @Test func `each file is accepted or refused as expected`() throws {
        let table = String(decoding: try TestData.suites.bytes("jsonmodel/expected.tsv"), as: UTF8.self)
        var checked = 0
        for row in table.split(separator: "\n") where !row.hasPrefix("#") {
            let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            for file in cells[0].split(separator: " / ").map(String.init) {
                #expect(try (issues(file) == nil) == (cells[2] == "ok"), "\(file)")
                checked += 1
            }
        }
        #expect(checked == 13)
    }

    @Test func `the issues of refused files have a kind and a path`() throws {
        func issue(_ file: String) throws -> JSONIssue { try #require(issues(file)?.first, "\(file)") }
        #expect(try issue("primitivesWithErrors.json").kind == .missingKeys(["intNumber", "longNumber"]))
        let array = try issue("nestedDataWithArrayError.json")
        #expect((array.kind, array.path) == (.missingKeys(["name"]), "images[1]"))
        let dictionary = try issue("nestedDataWithDictionaryError.json")
        #expect((dictionary.kind, dictionary.path) == (.missingKeys(["name"]), "imagesObject.image2"))
        let images = try issue("nestedDataWithTypeMismatchOnImages.json")
        #expect(
            (images.kind, images.path) == (.typeMismatch(expected: "an array", found: "an object"), "images"))
        let object = try issue("nestedDataWithTypeMismatchOnImagesObject.json")
        #expect(
            (object.kind, object.path)
                == (.typeMismatch(expected: "an object", found: "an array"), "imagesObject"))
        #expect(try issue("(inline) {[1,23,4],\"123\":123,}").kind == .syntax("a key requires double quotes"))
        #expect(try issue("(nil input)").kind == .emptyInput)
    }
}

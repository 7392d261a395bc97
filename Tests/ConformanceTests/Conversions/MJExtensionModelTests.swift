import Foundation
import Sluice
import TestSupport
import Testing

/// A model of MJExtension's own tests, decoded with MJExtension coercion.
@Suite(.needs(.suites))
struct MJExtensionModelTests {
    struct Person: JSONModel {
        let name: String?
        let icon: String
        let age: Int32
        let age2: UInt32
        let height: Double
        let money: Decimal
        let flag: Bool
        let speed: Int
        let identifier: Int64
        let identifier2: UInt64
        let price: Double
        let rich: Bool
        let collect: Int
        let alien: Bool
        static let plan = ModelPlan<Person>([
            JSONField(\.name, name: "name"), JSONField(\.icon, name: "icon"), JSONField(\.age, name: "age"),
            JSONField(\.age2, name: "age2"), JSONField(\.height, name: "height"), JSONField(\.money, name: "money"),
            JSONField(\.flag, name: "flag"), JSONField(\.speed, name: "speed"),
            JSONField(\.identifier, name: "identifier"),
            JSONField(\.identifier2, name: "identifier2"), JSONField(\.price, name: "price"),
            JSONField(\.rich, name: "rich"),
            JSONField(\.collect, name: "collect"), JSONField(\.alien, name: "alien"),
        ])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a model with values of other types decodes under MJExtension coercion only`(
        _ source: JSONModelDecoder.Source
    ) throws {
        var decoder = JSONModelDecoder(from: source)
        decoder.coercion = .mjExtension
        let bytes = try TestData.suites.bytes("mjextension/cases.json")
        let person = try decoder.decode(Person.self, from: bytes, at: "cases[0].json")
        // An array for a string leaves the property as it is.
        #expect(person.name == nil)
        #expect(person.icon == "lufy.png")
        #expect((person.age, person.age2) == (2_147_483_647, 4_294_967_295))
        #expect((person.height, person.price) == (1.55, 20.3))
        #expect(person.money == Decimal(string: "100.7777777"))
        #expect((person.flag, person.rich, person.alien) == (true, true, false))
        #expect((person.speed, person.collect) == (120, 40))
        #expect(person.identifier == 9_223_372_036_854_775_807)
        #expect(person.identifier2 == 18_446_744_073_709_551_615)
        decoder.coercion = .lenient
        #expect(throws: JSONModelError.self) {
            try decoder.decode(Person.self, from: bytes, at: "cases[0].json")
        }
    }
}

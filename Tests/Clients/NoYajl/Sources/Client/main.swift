// A user without any trait: the scanner is the only source of tokens, and neither libyajl nor all of Foundation is linked.
import Sluice

struct City: JSONModel {
    let name: String
    let population: Int?

    static let plan = ModelPlan<City>(JSONField(\.name, key: "name"), JSONField(\.population, key: "population"))
}

let text = #"{"cities": [{"name": "Z\u00fcrich", "population": 443037}, {"name": "Basel", "area": [23.91, {}]}]}"#
let decoder = JSONModelDecoder()
precondition(decoder.source == .scanner && JSONModelDecoder.Source.allCases == [.scanner])
let cities = try decoder.decode([City].self, from: text, at: "cities")
precondition(cities.map(\.name) == ["Zürich", "Basel"] && cities[0].population == 443_037)
print("Without a system library:", cities)

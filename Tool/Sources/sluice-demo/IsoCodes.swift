import Foundation
import Sluice
import ToolSupport

// The demonstration is built without the macros, which take most of the time of a first build. Its plans are written by hand.

/// A language of ISO 639-3, in the format of Debian's package iso-codes.
struct Language: JSONModel {
    let code: String
    let shortCode: String?
    let name: String
    let scope: LanguageScope
    let type: LanguageType

    static let plan = ModelPlan<Language>(
        JSONField(\.code, key: "alpha_3"), JSONField(\.shortCode, key: "alpha_2"), JSONField(\.name, key: "name"),
        JSONField(\.scope, key: "scope"), JSONField(\.type, key: "type"))
}

/// The scope of a language code: one language or several.
enum LanguageScope: String {
    case individual = "I"
    case macrolanguage = "M"
    case special = "S"
}

/// The type of a language.
enum LanguageType: String, CaseIterable {
    case living = "L"
    case extinct = "E"
    case ancient = "A"
    case historical = "H"
    case constructed = "C"
    case special = "S"
}

/// A province, county or state of ISO 3166-2.
struct Subdivision: JSONModel {
    let code: String
    let name: String
    let type: String

    static let plan = ModelPlan<Subdivision>(
        JSONField(\.code, key: "code"), JSONField(\.name, key: "name"), JSONField(\.type, key: "type"))

    /// The country code, which precedes the hyphen.
    var country: Substring { code.prefix { $0 != "-" } }
}

/// The first part of the demonstration, which decodes the tables of iso-codes.
struct IsoCodes {
    /// The folder of the excerpts, for machines without the package.
    var fixtures: String

    private static let installed = "/usr/share/iso-codes/json"

    func run() throws {
        try languages()
        try subdivisions()
    }

    private func languages() throws {
        let path = table("iso_639-3.json")
        let (all, seconds) = try timed {
            try JSONModelDecoder().decode([Language].self, from: .file(path), at: "639-3")
        }
        let kinds = LanguageType.allCases.map { type in
            "\(all.count { $0.type == type }.grouped) \(type)"
        }
        print("  ISO 639-3: \(all.count.grouped) languages in \(Amount.duration(seconds))")
        print("    " + kinds.joined(separator: ", "))
        for code in ["epo", "grc", "jpn", "zho"] {
            guard let language = all.first(where: { $0.code == code }) else { continue }
            let short = (language.shortCode ?? "").padded(to: 2)
            print("    \(language.code)  \(short)  \(language.name.padded(to: 25)) \(language.scope)")
        }
    }

    private func subdivisions() throws {
        let path = table("iso_3166-2.json")
        let (all, seconds) = try timed {
            try JSONModelDecoder().decode([Subdivision].self, from: .file(path), at: "3166-2")
        }
        let countries = Dictionary(grouping: all, by: \.country)
        let count = "\(all.count.grouped) subdivisions of \(countries.count.grouped) countries"
        print("  ISO 3166-2: \(count) in \(Amount.duration(seconds))")
        for code in ["JP-13", "PL-10", "SE-M"] {
            guard let place = all.first(where: { $0.code == code }) else { continue }
            print("    \(place.code.padded(to: 6))  \(place.name.padded(to: 25)) \(place.type)")
        }
    }

    /// Returns the path of the installed table. If the table is not installed, prints a message and returns the excerpt.
    private func table(_ name: String) -> String {
        let real = "\(Self.installed)/\(name)"
        if FileManager.default.isReadableFile(atPath: real) { return real }
        let small = "\(fixtures)/\(name)"
        print("  \(real) not found; install Debian's package iso-codes for the whole table.")
        print("  Reading the excerpt in \(small) instead.")
        return small
    }

    private func timed<Result>(_ work: () throws -> Result) rethrows -> (Result, Double) {
        let start = ContinuousClock.now
        let result = try work()
        return (result, start.duration(to: .now) / .seconds(1))
    }
}

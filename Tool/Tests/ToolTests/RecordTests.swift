import Foundation
import Sluice
import SluiceRecords
import Testing

/// The generated records, whose plans are the macro's or, without macros, written by hand.
@Suite struct RecordTests {
    let text = RecordGenerator(seed: 7, size: 20_000).bytes()

    @Test func `Sluice and Foundation decode equal records`() throws {
        let expected = try Foundation.JSONDecoder().decode([Record].self, from: Data(text))
        #expect(expected.count > 10)
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder()
            decoder.source = source
            #expect(try decoder.decode([Record].self, from: text) == expected)
        }
    }

    @Test func `encoded records decode to equal records`() throws {
        let records = try JSONModelDecoder().decode([Record].self, from: text)
        let encoded = try JSONModelEncoder().encode(records)
        #expect(try JSONModelDecoder().decode([Record].self, from: encoded) == records)
    }
}

import Foundation
import Sluice
import Testing

/// Streams of `Codable` types that several threads decode.
@Suite struct CodableWorkerTests {
    private struct Reading: Codable, Equatable {
        enum Unit: String, Codable { case kelvin, celsius }
        var id: Int
        var unit: Unit
        var values: [Double]
        var labels: [String: String]?
        var taken: Date
    }

    /// About 2 MB of lines, one of which may be wrong.
    private static func lines(wrong: Int? = nil) -> Data {
        var text = ""
        for id in 0..<20_000 {
            let unit = id == wrong ? "miles" : id % 3 == 0 ? "kelvin" : "celsius"
            text +=
                #"{"id":\#(id),"unit":"\#(unit)","values":[\#(id).5,-1e3],"labels":{"a":"é\#(id)"},"taken":\#(id)}"#
                + "\n"
        }
        return Data(text.utf8)
    }

    private func read(_ data: Data, workers: JSONWorkers) -> (readings: [Reading], error: String?) {
        let standIn = SluiceJSONDecoder()
        standIn.dateDecodingStrategy = .secondsSince1970
        var decoder = standIn.models
        decoder.workers = workers
        var readings: [Reading] = []
        do {
            try decoder.forEach(Reading.self, in: data, framing: .lines) { readings.append($0) }
            return (readings, nil)
        } catch {
            return (readings, "\(error)")
        }
    }

    @Test(arguments: [nil, 0, 12_345, 19_999])
    func `elements and errors are those of one thread`(wrong: Int?) {
        let data = Self.lines(wrong: wrong)
        let expected = read(data, workers: .exactly(1))
        #expect(expected.readings.count == wrong ?? 20_000)
        #expect((expected.error != nil) == (wrong != nil))
        for workers: JSONWorkers in [.exactly(2), .exactly(3), .automatic] {
            let found = read(data, workers: workers)
            #expect(found.readings == expected.readings)
            #expect(found.error == expected.error)
        }
    }
}

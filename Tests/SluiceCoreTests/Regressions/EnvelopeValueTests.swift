import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Values of an envelope before and beside the elements.
struct EnvelopeValueTests {
    typealias Number = DriverStateTests.Number
    typealias Inner = DriverStateTests.Inner

    struct Page: JSONModel, Equatable {
        let total: Int
        static let plan = ModelPlan<Page>(JSONField(\.total, key: "total"))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the issues of elements and envelope are in the order of the input`(
        _ source: JSONModelDecoder.Source
    ) throws {
        var decoder = JSONModelDecoder.collecting
        decoder.source = source
        let page = JSONEnvelope(of: Page.self)
        var cursor = decoder.cursor(
            of: Number.self, in: #"{"total":"x","items":[{"n":"y"}]}"#, at: "items[*]", envelope: page)
        var issues: [JSONIssue] = []
        do throws(JSONModelError) { while try cursor.next() != nil {} } catch { issues = error.issues }
        #expect(issues.map(\.path) == ["total", "items[0].n"])
    }

    struct Rows: JSONModel, Equatable {
        let rows: [[JSONRaw]]
        static let plan = ModelPlan<Rows>(JSONField(\.rows, key: "rows"))
    }

    /// Reads the elements and the envelope, with the input whole and in chunks.
    private func read<Envelope: JSONConvertible>(
        _: Envelope.Type, _ text: String, _ source: JSONModelDecoder.Source, _ size: Int
    ) throws -> (elements: [Int], envelope: Envelope?) {
        let envelope = JSONEnvelope(of: Envelope.self)
        var cursor = JSONModelDecoder(from: source).cursor(
            of: Int.self, in: .chunks(Array(text.utf8).pieces(of: size)), at: "rows[*][1]", envelope: envelope)
        var elements: [Int] = []
        while let element = try cursor.next() { elements.append(element) }
        return (elements, envelope.value)
    }

    // The scalar before the element was passed to the driver of the elements, which stored a `JSONRaw` in the memory of an `Int`.
    @Test(arguments: JSONModelDecoder.Source.allCases, [1, 100])
    func `a recorded scalar before an element belongs to the envelope`(
        _ source: JSONModelDecoder.Source, _ size: Int
    ) throws {
        let (elements, envelope) = try read(Rows.self, #"{"rows":[[10,2,30],[40,5]]}"#, source, size)
        #expect(elements == [2, 5])
        #expect(try envelope?.rows == [[JSONRaw("10"), JSONRaw("30")], [JSONRaw("40")]])
    }

    struct Grid: JSONModel, Equatable {
        let rows: [[Inner]]
        static let plan = ModelPlan<Grid>(JSONField(\.rows, key: "rows"))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [1, 100])
    func `a replay before an element belongs to the envelope`(
        _ source: JSONModelDecoder.Source, _ size: Int
    ) throws {
        let (elements, envelope) = try read(Grid.self, #"{"rows":[[{"n":1},2],[{"n":3},4]]}"#, source, size)
        #expect(elements == [2, 4])
        #expect(envelope?.rows == [[.number(Number(n: 1))], [.number(Number(n: 3))]])
    }
}

import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Values of an envelope before and beside the elements.
@Suite(.tags(.streams)) struct EnvelopeValueTests {
    struct Number: JSONModel, Equatable {
        let n: Int
        static let plan = ModelPlan<Number>(JSONField(\.n))
    }
    typealias Inner = One<Untagged, Number>

    struct Page: JSONModel, Equatable {
        let total: Int
        static let plan = ModelPlan<Page>(JSONField(\.total))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the issues of elements and envelope are in the order of the input`(_ source: JSONModelDecoder.Source)
        throws
    {
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
        static let plan = ModelPlan<Rows>(JSONField(\.rows))
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
        static let plan = ModelPlan<Grid>(JSONField(\.rows))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [1, 100])
    func `a replay before an element belongs to the envelope`(_ source: JSONModelDecoder.Source, _ size: Int) throws
    {
        let (elements, envelope) = try read(Grid.self, #"{"rows":[[{"n":1},2],[{"n":3},4]]}"#, source, size)
        #expect(elements == [2, 4])
        #expect(envelope?.rows == [[.one(Number(n: 1))], [.one(Number(n: 3))]])
    }

    // MARK: Issues of the elements and of the envelope at one token

    struct Header: JSONModel, Equatable {
        let title: String
        static let plan = ModelPlan<Header>(JSONField(\.title, key: "data.title"))
    }

    // The issue of the envelope waited for the next one, and was located at a later token.
    @Test(arguments: JSONModelDecoder.Source.allCases, [1, 5, 100])
    func `elements and envelope have issues at the same token`(_ source: JSONModelDecoder.Source, _ size: Int)
        throws
    {
        var decoder = JSONModelDecoder.collecting
        decoder.source = source
        let header = JSONEnvelope(of: Header.self)
        let text = #"{"data":5,"more":[1,2]}"#
        var cursor = decoder.cursor(
            of: Int.self, in: .chunks(Array(text.utf8).pieces(of: size)), at: "data.items[*]", envelope: header)
        var issues: [JSONIssue] = []
        do throws(JSONModelError) { while try cursor.next() != nil {} } catch { issues = error.issues }
        #expect(issues.map(\.path) == ["data", "data"])
        #expect(issues.map(\.location.offset) == [8, 8])
    }
}

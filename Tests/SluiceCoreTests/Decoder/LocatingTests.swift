import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

/// Locations and excerpts after chunks whose memory has gone.
@Suite(.tags(.locations, .cuts)) struct LocatingTests {
    private struct Refused: Error {}

    private enum Ending: CaseIterable {
        /// The body answers `.stop`.
        case stop
        /// The body throws.
        case error
        /// The body takes each element.
        case none
    }

    /// Feeds a text in chunks, each of which is overwritten and freed when it has been taken, then locates an error.
    private func locate(
        _ text: String, in size: Int, from kind: JSONModelDecoder.Source, at last: Int, _ ending: Ending,
        limits: JSONLimits = JSONLimits(), finishes: Bool = false
    ) throws -> (thrown: JSONIssue?, located: JSONIssue) {
        let decoder = JSONModelDecoder.with { $0.limits = limits }
        let environment = decoder.planCache
        let shape = try environment.layout(for: JSONShape.of(Item.self))
        let lead = try RootPath("[*]", to: shape, streams: true)
        defer { withExtendedLifetime((decoder, environment, lead)) {} }
        let memory = UnsafeMutablePointer<Item>.allocate(capacity: 1)
        defer { memory.deallocate() }
        var driver = Driver(
            slot: ValueSlot(address: memory, layout: shape), table: lead.table,
            options: .passUnretained(decoder.sharedOptions),
            emit: { address in
                guard address.assumingMemoryBound(to: Item.self).move().id == last else { return address }
                if ending == .error { throw Refused() }
                return ending == .stop ? nil : address
            })
        let bytes = Array(text.utf8)
        switch kind { #if YAJL
        case .yajl:
            var source = try YajlSource(for: Driver.self, limits: limits)
            return locate(&source, &driver, bytes, size, finishes)
        #endif
        case .scanner:
            var source = ScannerSource(limits: limits)
            return locate(&source, &driver, bytes, size, finishes)
        }
    }

    private func locate<Source: TokenSource & ~Copyable>(
        _ source: inout Source, _ driver: inout Driver, _ bytes: [UInt8], _ size: Int, _ finishes: Bool
    ) -> (thrown: JSONIssue?, located: JSONIssue) {
        var thrown: JSONIssue?
        do throws(JSONModelError) {
            for start in stride(from: 0, to: bytes.count, by: size) where !source.isStopped {
                let part = bytes[start..<min(start + size, bytes.count)]
                let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: part.count)
                _ = chunk.initialize(from: part)
                defer {
                    // A reader of memory that has gone is found by the address sanitizer, and without it by these.
                    chunk.update(repeating: UInt8(ascii: "#"))
                    chunk.deallocate()
                }
                try source.feed(UnsafeBufferPointer(chunk), to: &driver)
            }
            if finishes { try source.finish(&driver) }
        } catch { thrown = error.issues[0] }
        return (thrown, source.locatedAtEnd(driver.issue(.pathNotFound("x"))))
    }

    /// Rows of twelve bytes, after the first.
    private let rows = "[" + (10..<99).map { "{\"id\": \($0)}" }.joined(separator: ",\n") + "]"

    @Test(arguments: JSONModelDecoder.Source.allCases, [3, 5, 64, 200, 5_000])
    func `an error after a stop is located at the stop`(source: JSONModelDecoder.Source, size: Int) throws {
        for last in [10, 11, 40, 98] {
            let (thrown, located) = try locate(rows, in: size, from: source, at: last, .stop)
            #expect(thrown == nil)
            #expect(located.location.line == last - 9)
            #expect(located.location.column == (last == 10 ? 12 : 11))
            #expect(located.location.offset == 11 + 12 * (last - 10))
            let lead = last == 10 ? "[" : ""
            #expect(located.excerpt.hasPrefix("\(lead){\"id\": \(last)}\n"))
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [3, 5, 64, 200, 5_000])
    func `an error after a thrown error is located in the input`(source: JSONModelDecoder.Source, size: Int) throws
    {
        for last in [10, 11, 40, 98] {
            let (thrown, located) = try locate(rows, in: size, from: source, at: last, .error)
            #expect(thrown?.kind == .thrown)
            #expect(thrown?.location.line == last - 9)
            #expect(thrown?.excerpt.contains("#") == false)
            #expect(located.location.line >= last - 9)
            #expect(!located.excerpt.contains("#"))
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [3, 5, 64, 200, 5_000])
    func `an error after a syntax error is located in the input`(source: JSONModelDecoder.Source, size: Int) throws
    {
        for bad in ["}", "\"\u{1}\"", "truth", "[1.]", "\u{FFFD}"] {
            let text = rows.dropLast() + ",\n\(bad)" + String(repeating: "\n", count: 300)
            let (thrown, located) = try locate(String(text), in: size, from: source, at: -1, .none)
            #expect(thrown?.location.line == 90)
            #expect(thrown?.excerpt.contains("#") == false)
            #expect(located.location.line >= 90)
            #expect(!located.excerpt.contains("#"))
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [1, 3, 5, 64])
    func `an error in unfinished input is located`(source: JSONModelDecoder.Source, size: Int) throws {
        for text in ["", "\n", "[", "[\n{\"id\":1},", rows, String(rows.dropLast(3))] {
            let (thrown, located) = try locate(text, in: size, from: source, at: -1, .none)
            #expect(thrown == nil)
            #expect(!located.excerpt.contains("#"))
            #expect(located.location.line >= 1)
            _ = try locate(text, in: size, from: source, at: -1, .none, finishes: true)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [3, 4, 7, 64, 5_000])
    func `an error after a refused encoding or length is located`(source: JSONModelDecoder.Source, size: Int) throws
    {
        for text in ["\u{0}[\u{0}1\u{0}]", "[\u{0}1\u{0}]\u{0}\n\u{0}"] {
            let (thrown, located) = try locate(text, in: size, from: source, at: -1, .none)
            if case .unsupportedEncoding = thrown?.kind {} else { Issue.record("\(thrown as Any)") }
            #expect(!located.excerpt.contains("#"))
        }
        var limits = JSONLimits()
        limits.document = 100
        let (thrown, located) = try locate(rows, in: size, from: source, at: -1, .none, limits: limits)
        #expect(thrown?.kind == .limitExceeded(.document, limit: 100))
        #expect(!located.excerpt.contains("#"))
    }

    // MARK: Counting

    @Test func `locations in increasing order are counted in one pass`() {
        // Counted from the beginning of the chunk each time, this takes 10 to the power of 12 steps.
        let bytes = Array(repeating: Array("[\"é\"],\n".utf8), count: 400_000).flatMap { $0 }
        bytes.withUnsafeBufferPointer { bytes in
            var text = LookbackBuffer()
            text.begin(bytes)
            var wrong = 0
            for row in 0..<400_000 {
                let location = text.location(of: row * 8 + 1)
                if location.line != row + 1 || location.column != 2 { wrong += 1 }
            }
            #expect(wrong == 0)
        }
    }

    @Test func `locations are correct in any order and across chunks`() {
        let bytes = Array("\n\nabc\n\ndefg\nhij\n\n\n\nk\nlmnopqr\n\n".utf8)
        func expected(_ offset: Int) -> (Int, Int) {
            let before = bytes[..<offset]
            let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
            return (before.count { $0 == 10 } + 1, offset - start + 1)
        }
        for size in [1, 4, 9, 100] {
            var text = LookbackBuffer()
            for start in stride(from: 0, to: bytes.count, by: size) {
                let chunk = Array(bytes[start..<min(start + size, bytes.count)])
                chunk.withUnsafeBufferPointer { chunk in
                    text.begin(chunk)
                    for first in start...text.end {
                        for second in start...text.end {
                            for offset in [first, second] {
                                let location = text.location(of: offset)
                                if (location.line, location.column) != expected(offset) {
                                    Issue.record("\(offset) is at \(location), in chunks of \(size)")
                                }
                            }
                        }
                    }
                    text.retireRest()
                }
                let location = text.location(of: text.end)
                #expect((location.line, location.column) == expected(text.end))
            }
        }
    }

    @Test func `each of many dropped elements has its location`() throws {
        struct Rows: JSONModel {
            var numbers: [Int] = []
            static let plan = ModelPlan<Rows>(JSONField(\.numbers, default: []).lossy())
        }
        let count = 20_000
        let text = "{\"numbers\":[\n" + (0..<count).map { "  \"\($0 % 10)\"" }.joined(separator: ",\n") + "]}"
        let bytes = Array(text.utf8)
        for source in JSONModelDecoder.Source.allCases {
            for size in [bytes.count, 10_000] {
                let log = IssueLog()
                var decoder = JSONModelDecoder(from: source)
                decoder.issueHandler = { log.add($0) }
                let pieces = bytes.pieces(of: size)
                let rows =
                    try size == bytes.count
                    ? decoder.decode(Rows.self, from: bytes) : decoder.decode(Rows.self, from: .chunks(pieces))
                #expect(rows.numbers.isEmpty)
                let issues = log.issues
                #expect(issues.count == count)
                #expect(issues.enumerated().allSatisfy { $1.location.line == $0 + 2 && $1.location.column == 3 })
            }
        }
    }

    // MARK: Recordings

    struct Loose: JSONModel, Equatable {
        var all: [Int] = []
        var first: JSONValue?
        static let plan = ModelPlan<Loose>(JSONField(\.all, default: []).lossy(), JSONField(\.first, key: "all[0]"))
    }

    @Test func `issues in a recording have their locations in any order`() throws {
        let text = "\n\n  {\"all\":[\"é\",\n\"b\",1,\n\n  \"c\"],\"type\":\"one\"}"
        let (_, issues) = try reported(One<Internal, Loose>.self, text)
        #expect(
            issues.map { "\($0.path) \($0.location)" } == [
                "all[0] line 3, column 11, offset 12", "all[1] line 4, column 1, offset 18",
                "all[3] line 6, column 3, offset 28",
            ])
        #expect(issues.first?.excerpt.hasPrefix("  {\"all\":[\"é\"") == true)
    }
}

import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

extension Regressions {
    /// Locations and excerpts after chunks whose memory has gone.
    struct LocatingTests {
        private struct Item: JSONModel {
            let id: Int
            static let plan = ModelPlan<Item>(JSONField(\.id, key: "id"))
        }

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
            var decoder = JSONModelDecoder()
            decoder.limits = limits
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
            switch kind {
            #if YAJL
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
            } catch {
                thrown = error.issues[0]
            }
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
        func `an error after a thrown error is located in the input`(source: JSONModelDecoder.Source, size: Int)
            throws
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
        func `an error after a syntax error is located in the input`(source: JSONModelDecoder.Source, size: Int)
            throws
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
        func `an error after a refused encoding or length is located`(
            source: JSONModelDecoder.Source, size: Int
        ) throws {
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

        // MARK: The fault that was found

        private struct Payload: JSONModel, Equatable {
            var xs: [Int] = []
            let id: Int
            static let plan = ModelPlan<Payload>(
                JSONField(\.xs, key: "xs", default: []).lossy(), JSONField(\.id, key: "id"))
        }

        private enum Tagged: JSONEnum, Equatable {
            case a(Payload)
            static let plan = ModelPlan<Tagged>(
                cases: [
                    JSONCase(
                        "a", payload: Payload.self, make: { .a($0) },
                        read: { if case .a(let value) = $0 { value } else { nil } })
                ], tagging: .internal(tag: "t"))
        }

        @Test(arguments: JSONModelDecoder.Source.allCases, [1, 7, 200, 5_000])
        func `a dropped element and a failure before a late tag are located`(
            source: JSONModelDecoder.Source, size: Int
        ) throws {
            let bytes =
                Array(#"{"xs":["x"],"id":"bad","t":"a"}"#.utf8) + Array(repeating: UInt8(ascii: "\n"), count: 500)
            let pieces = bytes.pieces(of: size)
            var decoder = JSONModelDecoder()
            decoder.source = source
            let error = #expect(throws: JSONModelError.self) {
                try decoder.decode(Tagged.self, from: .chunks(pieces))
            }
            let issue = try #require(error?.issues.first)
            #expect(issue.location.line == 1)
            #expect(issue.location.offset <= 31)
            #expect(#"{"xs":["x"],"id":"bad","t":"a"}"#.hasPrefix(issue.excerpt.prefix { $0 != "\n" && $0 != "…" }))
        }
    }
}

import SluiceCodable
import SluiceCore
import SluiceStreams
import Synchronization
import TestSupport
import Testing

/// The verbs of the decoder for types that only `Codable` describes.
@Suite struct CodableVerbTests {
    private struct Row: Codable, Equatable {
        var id: Int
        var name: String?
    }

    private struct Page: Codable, Equatable {
        var title: String
        var rows: [Row]
        var first: Row?
        var names: [String: Int] = [:]
    }

    private static let decoders = JSONModelDecoder.Source.allCases.map { JSONModelDecoder(from: $0) }
    private static let lines = "{\"id\":1}\n{\"id\":2,\"name\":\"b\"}\n{\"id\":3}\n"

    private struct Temperature: Decodable, Equatable {
        var kelvins: Int
        private enum CodingKeys: String, CodingKey { case kelvins = "\u{212A}" }
    }

    /// The sign of the kelvin is canonically equivalent to the letter.
    @Test func `a key of ASCII is found by an equal name`() throws {
        for decoder in Self.decoders {
            #expect(try decoder.decode(Temperature.self, from: #"{"a":1,"K":2}"#).kelvins == 2)
        }
    }

    // MARK: forEach

    @Test func `forEach stops on request`() throws {
        for decoder in Self.decoders {
            var rows: [Int] = []
            let count = try decoder.forEach(Row.self, in: #"[{"id":1},{"id":2},{"id":x"#) { row in
                rows.append(row.id)
                return row.id == 2 ? .stop : .continue
            }
            #expect(rows == [1, 2])
            #expect(count == 2)
        }
    }

    @Test func `forEach stops in lines`() throws {
        let count = try JSONModelDecoder().forEach(Row.self, in: Self.lines, framing: .lines) { (row: Row) in
            row.name == nil ? .continue : .stop
        }
        #expect(count == 2)
    }

    @Test func `closures without a result are accepted as before`() throws {
        let decoder = JSONModelDecoder()
        var sum = 0
        try decoder.forEach(Row.self, in: Self.lines, framing: .lines) { sum += $0.id }
        try decoder.forEach(in: Self.lines, framing: .lines) { (row: Row) in sum += row.id }
        try decoder.forEach(Row.self, in: "[]") { _ in }
        // Closures that do not show their result.
        try decoder.forEach(Row.self, in: "[]") { row in do { try check(row) } catch { Issue.record(error) } }
        try decoder.forEach(Row.self, in: "[]") { _ in throw CancellationError() }
        try decoder.forEach(Int.self, in: "[]") { number in do { try check(number) } catch { Issue.record(error) } }
        try decoder.forEach(Int.self, in: "[]") { _ in throw CancellationError() }
        func check(_ value: some Any) throws {}
        #expect(sum == 12)
    }

    @Test func `forEach stops for a type that is also convertible`() throws {
        var all: [Int] = []
        try JSONModelDecoder().forEach(Int.self, in: "[1,2,3]") { number in
            all.append(number)
            return number == 2 ? .stop : .continue
        }
        #expect(all == [1, 2])
    }

    // MARK: decodePartially

    @Test func `an array lacks the elements that failed`() throws {
        for decoder in Self.decoders {
            let partial = try decoder.decodePartially([Row].self, from: #"[{"id":1},{"id":"x"},{},{"id":4}]"#)
            #expect(partial.value == [Row(id: 1), Row(id: 4)])
            #expect(partial.issues.map(\.path) == ["[1].id", "[2]"])
            #expect(partial.issues.map(\.location.offset) == [16, 21])
        }
    }

    @Test func `an array has the elements before an early end`() throws {
        for decoder in Self.decoders {
            let partial = try decoder.decodePartially(
                [Row].self, from: #"{"a":[{"id":1},{"id":2},{"id":3"#, at: "a")
            #expect(partial.value == [Row(id: 1), Row(id: 2)])
            #expect(partial.issues.map(\.kind) == [.unexpectedEnd])
        }
    }

    @Test func `a dictionary lacks the values that failed`() throws {
        let partial = try JSONModelDecoder().decodePartially(
            [String: Row].self, from: #"{"a":{"id":1},"b":{"id":true},"c":{"id":3}}"#)
        #expect(partial.value == ["a": Row(id: 1), "c": Row(id: 3)])
        #expect(partial.issues.map(\.path) == ["b.id"])
    }

    @Test func `another value is made as a whole`() throws {
        let whole = try JSONModelDecoder().decodePartially(Row.self, from: #"{"id":1}"#)
        #expect(whole.value == Row(id: 1))
        #expect(whole.issues.isEmpty)
        let failed = try JSONModelDecoder().decodePartially(Page.self, from: #"{"title":"t","rows":[{"id":1},{}]}"#)
        #expect(failed.value == nil)
        #expect(failed.issues.map(\.path) == ["rows[1]"])
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decodePartially(Page.self, from: #"{"title":"t","rows":[{"id":1}"#)
        }
        #expect(error?.issues.first?.kind == .unexpectedEnd)
    }

    // MARK: merge

    @Test func `members replace those of the value`() throws {
        for decoder in Self.decoders {
            var page = Page(title: "old", rows: [Row(id: 1)], first: Row(id: 1, name: "a"))
            try decoder.merge(#"{"title":"new","first":null,"rows":[{"id":2},{"id":3}]}"#, into: &page)
            #expect(page == Page(title: "new", rows: [Row(id: 2), Row(id: 3)], first: Row(id: 1, name: "a")))
        }
    }

    @Test func `a merge patch`() throws {
        var page = Page(title: "old", rows: [Row(id: 1)], first: Row(id: 1, name: "a"), names: ["a": 1, "b": 2])
        try JSONModelDecoder().merge(
            #"{"data":{"first":{"name":null,"id":5},"names":{"a":null,"c":3}}}"#, into: &page, at: "data",
            options: .mergePatch)
        #expect(page.first == Row(id: 5))
        #expect(page.names == ["b": 2, "c": 3])
        #expect(page.title == "old")
        try JSONModelDecoder().merge(#"{"first":null}"#, into: &page, options: .mergePatch)
        #expect(page.first == nil)
    }

    @Test func `the elements of an array are changed by index, at the root and in a member`() throws {
        let byIndex = JSONMergeOptions(arrays: .byIndex)
        for decoder in Self.decoders {
            let before = [Row(id: 1), Row(id: 2, name: "b"), Row(id: 3)]
            let after = [Row(id: 1, name: "a"), Row(id: 5, name: "b")]
            let changes = #"[{"name":"a"},{"id":5}]"#
            var rows = before
            try decoder.merge(changes, into: &rows, options: byIndex)
            #expect(rows == after)
            rows = before
            try decoder.merge(#"{"x":\#(changes)}"#, into: &rows, at: "x", options: byIndex)
            #expect(rows == after)
            try decoder.merge(#"[{},{},{"id":7,"name":"c"}]"#, into: &rows, options: byIndex)
            #expect(rows == after + [Row(id: 7, name: "c")])
            var page = Page(title: "t", rows: before)
            try decoder.merge(#"{"rows":\#(changes)}"#, into: &page, options: byIndex)
            #expect(page == Page(title: "t", rows: after))
            rows = before
            let error = #expect(throws: JSONModelError.self) {
                try decoder.merge(#"[{"id":9},{"id":"x"}]"#, into: &rows, options: byIndex)
            }
            #expect(error?.issues.first?.path == "[1].id")
            #expect(rows == before)
            try decoder.merge(#"[{"id":9}]"#, into: &rows)
            #expect(rows == [Row(id: 9)])
            var optional: [Row]? = before
            try decoder.merge(changes, into: &optional, options: byIndex)
            #expect(optional == after)
            try decoder.merge("null", into: &optional, options: JSONMergeOptions(nulls: .clear, arrays: .byIndex))
            #expect(optional == nil)
            try decoder.merge(#"[{"id":4}]"#, into: &optional, options: byIndex)
            #expect(optional == [Row(id: 4)])
        }
    }

    @Test func `a value is unchanged after an error`() throws {
        var page = Page(title: "old", rows: [])
        let before = page
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().merge(#"{"title":7}"#, into: &page)
        }
        #expect(page == before)
        #expect(error?.issues.first?.path == "title")
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().merge(#"{"title":"#, into: &page) }
        #expect(page == before)
    }

    @Test func `a model keeps its own merge`() throws {
        var numbers = [1, 2]
        try JSONModelDecoder().merge("[3]", into: &numbers)
        #expect(numbers == [3])
    }

    // MARK: cursor and feed

    @Test func `a cursor on Decodable elements`() throws {
        for decoder in Self.decoders {
            var cursor = decoder.cursor(of: Row.self, in: Self.lines, framing: .lines)
            var rows: [Row] = []
            while let row = try cursor.next() { rows.append(row) }
            #expect(rows == [Row(id: 1), Row(id: 2, name: "b"), Row(id: 3)])
            #expect(cursor.summary.elements == 3)
        }
    }

    @Test func `a cursor throws after the elements before the error`() throws {
        var cursor = JSONModelDecoder().cursor(of: Row.self, in: #"[{"id":1},{"id":"x"}]"#)
        #expect(try cursor.next() == Row(id: 1))
        let error = #expect(throws: JSONModelError.self) { try cursor.next() }
        #expect(error?.issues.first?.path == "[1].id")
        #expect(error?.issues.first?.location.offset == 16)
        #expect(try cursor.next() == nil)
    }

    @Test func `a feed of Decodable elements`() throws {
        for decoder in Self.decoders {
            for size in [1, 7, 1_000] {
                var feed = decoder.feed(of: Row.self, at: "rows[*]")
                var rows: [Row] = []
                for piece in Array(#"{"rows":[{"id":1},{"id":2,"name":"b"}],"x":1}"#.utf8).pieces(of: size) {
                    rows += try feed.push(piece)
                }
                rows += try feed.finish()
                #expect(rows == [Row(id: 1), Row(id: 2, name: "b")])
                #expect(feed.summary.elements == 2)
            }
        }
    }

    @Test func `a feed takes a whole document, and ignores text around it`() throws {
        let inputs = [
            (#"{"id":3}"#, false, [Row(id: 3)]), ("Sure:\n```json\n{\"id\":1}\n```\n", true, [Row(id: 1)]),
            (#"Rows: [{"id":1},{"id":2}] are all."#, true, [Row(id: 1), Row(id: 2)]),
        ]
        for decoder in Self.decoders {
            for (text, ignoresText, expected) in inputs {
                for size in [1, 7, 1_000] {
                    var feed = decoder.feed(of: Row.self, ignoresText: ignoresText)
                    var rows: [Row] = []
                    for piece in Array(text.utf8).pieces(of: size) { rows += try feed.push(piece) }
                    rows += try feed.finish()
                    #expect(rows == expected)
                }
            }
        }
    }

    // MARK: Subclasses

    private class Animal: Decodable, @unchecked Sendable {
        let name: String
        private enum Keys: CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
        }
    }

    private final class Dog: Animal, @unchecked Sendable {
        let breed: String
        private enum Keys: CodingKey { case breed }

        required init(from decoder: any Decoder) throws {
            breed = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .breed)
            try super.init(from: decoder)
        }
    }

    @Test func `a type that is a subclass of its static type is decoded as that class`() async throws {
        let type: Animal.Type = Dog.self
        let text = #"{"name":"a","breed":"b"}"#
        for decoder in Self.decoders {
            var animals = [
                try decoder.decode(type, from: text), try decoder.decode(type, from: #"{"x":\#(text)}"#, at: "x"),
            ]
            if let partial = try decoder.decodePartially(type, from: text).value { animals.append(partial) }
            try decoder.forEach(type, in: "[\(text)]") { animals.append($0) }
            try decoder.forEach(type, in: text, framing: .lines) { animal in
                animals.append(animal)
                return .stop
            }
            var cursor = decoder.cursor(of: type, in: "[\(text)]")
            while let animal = try cursor.next() { animals.append(animal) }
            var feed = decoder.feed(of: type)
            animals += try feed.push(Array(text.utf8))
            animals += try feed.finish()
            for try await animal in decoder.elements(of: type, in: "[\(text)]") { animals.append(animal) }
            #expect(animals.count == 8)
            #expect(animals.allSatisfy { ($0 as? Dog)?.breed == "b" && $0.name == "a" })
            // The superclass has a shape of its own.
            let animal = try decoder.decode(Animal.self, from: #"{"x":\#(text)}"#, at: "x")
            #expect(!(animal is Dog))
        }
    }

    private class Vehicle: Codable {
        var wheels: Int
        private enum Keys: CodingKey { case wheels }

        init(wheels: Int) { self.wheels = wheels }

        required init(from decoder: any Decoder) throws {
            wheels = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .wheels)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(wheels, forKey: .wheels)
        }
    }

    private final class Bike: Vehicle {
        var gears: Int
        private enum Keys: CodingKey { case gears }

        init(wheels: Int, gears: Int) {
            self.gears = gears
            super.init(wheels: wheels)
        }

        required init(from decoder: any Decoder) throws {
            gears = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .gears)
            try super.init(from: decoder)
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(gears, forKey: .gears)
            try super.encode(to: encoder)
        }
    }

    @Test func `a merge keeps the class of an object`() throws {
        for decoder in Self.decoders {
            var vehicle: Vehicle = Bike(wheels: 2, gears: 7)
            try decoder.merge(#"{"wheels":3}"#, into: &vehicle)
            #expect(vehicle.wheels == 3)
            #expect((vehicle as? Bike)?.gears == 7)
            vehicle = Vehicle(wheels: 4)
            try decoder.merge(#"{"wheels":6}"#, into: &vehicle)
            #expect(vehicle.wheels == 6)
        }
    }

    // MARK: Paths and chunks

    @Test func `every verb reads chunks at a path`() async throws {
        let text = #"{"a":{"rows":[{"id":1}]},"b":{"rows":[{"id":2},{"id":3}],"names":{"x":1},"title":"t"}}"#
        for decoder in Self.decoders {
            let pieces = Array(text.utf8).pieces(of: 5)
            let page = try decoder.decode(Page.self, from: .chunks(pieces), at: "b")
            #expect(page == Page(title: "t", rows: [Row(id: 2), Row(id: 3)], names: ["x": 1]))
            #expect(try decoder.decodePartially(Page.self, from: .chunks(pieces), at: "b").value == page)
            var changed = Page(title: "old", rows: [])
            try decoder.merge(.chunks(pieces), into: &changed, at: "b")
            #expect(changed == page)
            var ids: [Int] = []
            let count = try decoder.forEach(Row.self, in: .chunks(pieces), at: "*.rows[*]") { row in
                ids.append(row.id)
                return row.id == 2 ? .stop : .continue
            }
            #expect((ids, count) == ([1, 2], 2))
            var cursor = decoder.cursor(of: Row.self, in: .chunks(pieces), at: "*.rows[*]")
            var rows: [Row] = []
            while let row = try cursor.next() { rows.append(row) }
            #expect(rows == [Row(id: 1), Row(id: 2), Row(id: 3)])
            let stream = AsyncStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            }
            rows = []
            for try await row in decoder.elements(of: Row.self, in: stream, at: "b.rows") { rows.append(row) }
            #expect(rows == [Row(id: 2), Row(id: 3)])
        }
    }

    // MARK: Encoding

    private static let rows = [Row(id: 1), Row(id: 2, name: "b")]
    private static let writtenLines = "{\"id\":1}\n{\"id\":2,\"name\":\"b\"}\n"

    @Test func `a value is encoded, and written to a closure and a file`() throws {
        let (encoder, row, text) = (JSONModelEncoder(), Self.rows[1], #"{"id":2,"name":"b"}"#)
        #expect(try encoder.encode(row) == Array(text.utf8))
        #expect(try encoder.encode(row, as: .string) == text)
        #expect(try encoder.encode(row, as: .value) == ["id": 2, "name": "b"])
        let length = JSONOutput<Int> { bytes throws(JSONModelError) in bytes.count }
        #expect(try encoder.encode(row, as: length) == text.utf8.count)
        #expect(try encoder.encode([1, 2], as: length) == 5)
        var bytes: [UInt8] = []
        try encoder.write(row) { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        try withFile(holding: []) { path in
            try encoder.write(row, to: .file(path))
            let one = try JSONModelDecoder().decode(Row.self, from: .file(path))
            #expect(one == row)
            try encoder.write(elements: Self.rows, to: .file(path))
            let all = try JSONModelDecoder().decode([Row].self, from: .file(path))
            #expect(all == Self.rows)
        }
    }

    @Test func `elements are written one by one`() async throws {
        var bytes: [UInt8] = []
        try write { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == Self.writtenLines)
        let taken = Mutex<[UInt8]>([])
        var writer = JSONModelEncoder().writer(
            to: { (chunk: [UInt8]) async in
                await Task.yield()
                taken.withLock { $0 += chunk }
            }, framing: .lines)
        for row in Self.rows { try await writer.write(row) }
        #expect(writer.count == 2)
        try await writer.finish()
        #expect(String(decoding: taken.withLock { $0 }, as: UTF8.self) == Self.writtenLines)
    }

    private func write(to sink: @escaping (UnsafeRawBufferPointer) -> Void) throws {
        var writer = JSONModelEncoder().writer(
            to: { (chunk: UnsafeRawBufferPointer) in sink(chunk) }, framing: .lines)
        for row in Self.rows { try writer.write(row) }
        try writer.finish()
    }
}

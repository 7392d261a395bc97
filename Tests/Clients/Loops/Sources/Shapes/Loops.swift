// Functions with several loops, with and without errors.
import Sluice

/// The first loop in a `do` with a typed pattern, the second outside.
func twoLoopsAndACatch(_ decoder: JSONModelDecoder, _ bytes: [UInt8]) async throws -> Int {
    var seen = 0
    do {
        for try await _ in decoder.elements(of: Item.self, in: bytes, framing: .lines) { seen += 1 }
    } catch let error as JSONModelError { print(error) }
    for try await _ in decoder.elements(of: Item.self, in: bytes, framing: .lines) { seen += 1 }
    return seen
}

func twoLoops(_ decoder: JSONModelDecoder, _ bytes: [UInt8]) async throws -> Int {
    var seen = 0
    for try await item in decoder.elements(of: Item.self, in: bytes, framing: .lines) { seen += item.id }
    for try await item in decoder.elements(of: Item.self, in: bytes, framing: .lines) { seen += item.id }
    return seen
}

func twoCatches(_ decoder: JSONModelDecoder, _ inputs: Inputs) async -> [Int] {
    var ids: [Int] = []
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.broken, framing: .lines) {
            ids.append(item.id)
        }
    } catch let error as JSONModelError {
        ids.append(-error.issues.count)
    } catch {
        ids.append(-100)
    }
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
            ids.append(item.id)
        }
    } catch is CancellationError {
        ids.append(-200)
    } catch let error as JSONModelError where error.issues.isEmpty {
        ids.append(-300)
    } catch {
        ids.append(-400)
    }
    return ids
}

func threeInputs(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var sum = 0
    do {
        for try await item in decoder.elements(of: Item.self, in: .file(inputs.path), framing: .lines) {
            sum += item.id
        }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) { sum += item.id }
    for try await item in decoder.elements(of: Item.self, in: inputs.page, at: "items") { sum += item.id }
    return sum
}

func nestedLoops(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var sum = 0
    for try await outer in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
        do {
            for try await inner in decoder.elements(of: Item.self, in: inputs.broken, framing: .lines) {
                for try await id in decoder.elements(of: Int.self, in: "[1,2]") { sum += outer.id * inner.id * id }
            }
        } catch let error as JSONModelError { sum += error.issues.count * 1_000 }
    }
    return sum
}

func breakAndContinue(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> [Int] {
    var ids: [Int] = []
    for try await item in decoder.elements(of: Item.self, in: .file(inputs.path), framing: .lines) {
        if item.id == 1 { continue }
        ids.append(item.id)
        if item.id == 2 { break }
    }
    outer: for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines)
    where item.id > 1 {
        for try await inner in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
            switch inner.id {
            case 1: continue
            case 2 where item.id == 2: continue outer
            case 3: break outer
            default: ids.append(item.id * 10 + inner.id)
            }
        }
    }
    return ids
}

func earlyReturn(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Item? {
    for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
        guard item.name == nil else { continue }
        return item
    }
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.broken, framing: .lines) { return item }
    } catch let error as JSONModelError { throw error }
    return nil
}

func retries(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var failures = 0
    for attempt in 1...3 {
        do {
            let bytes = attempt < 3 ? inputs.broken : inputs.lines
            var count = 0
            for try await _ in decoder.elements(of: Item.self, in: bytes, framing: .lines) { count += 1 }
            return failures * 100 + count
        } catch let error as JSONModelError {
            failures += error.issues.count
            continue
        }
    }
    return -1
}

func mapsErrors(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws(JSONModelError) -> Int {
    var count = 0
    do {
        for try await _ in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) { count += 1 }
        for try await _ in decoder.elements(of: Item.self, in: inputs.broken, framing: .lines) { count += 1 }
    } catch let error as JSONModelError {
        throw error
    } catch {
        return -1
    }
    return count
}

func defers(_ decoder: JSONModelDecoder, _ inputs: Inputs, _ log: inout [String]) async throws {
    defer { log.append("end") }
    for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
        defer { log.append("\(item.id)") }
        await Task.yield()
        if item.id == 2 { throw Lost() }
    }
}

func optionals(_ decoder: JSONModelDecoder, _ inputs: Inputs) async -> Int {
    var iterator = decoder.elements(of: Item.self, in: inputs.broken, framing: .lines).makeAsyncIterator()
    var sum = 0
    while let item = try? await iterator.next() { sum += item.id }
    while let item = try? await iterator.next(isolation: nil) { sum += item.id * 100 }
    return sum + (iterator.summary.elements == 2 ? 1_000 : 0)
}

func inLockstep(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> [Int] {
    var first = decoder.elements(of: Item.self, in: inputs.lines, framing: .lines).makeAsyncIterator()
    var second = decoder.elements(of: Item.self, in: inputs.page, at: "items").makeAsyncIterator()
    var products: [Int] = []
    while let a = try await first.next(), let b = try await second.next() { products.append(a.id * b.id) }
    return products
}

func otherElements(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> [String] {
    var all: [String] = []
    do {
        for try await text in decoder.elements(of: String?.self, in: #"["a",null]"#) { all.append(text ?? "-") }
        for try await (index, row) in numbered(decoder.elements(of: [Int].self, in: "[[1],[2,3]]")) {
            all.append("\(index)\(row)")
        }
    } catch let error as JSONModelError { all.append("\(error)") }
    for try await item in decoder.elements(of: JSONPositioned<Item>.self, in: inputs.lines, framing: .lines) {
        all.append("\(item.value.id)@\(item.position.start.line)")
    }
    for try await value in decoder.elements(of: JSONValue.self, in: "[true]") { all.append("\(value)") }
    return all
}

private func numbered<S: AsyncSequence>(_ elements: S) -> AsyncMapSequence<S, (Int, S.Element)> {
    elements.map { (0, $0) }
}

func checkPlainLoops(_ inputs: Inputs) async throws {
    for source in JSONModelDecoder.Source.allCases {
        var chosen = JSONModelDecoder()
        chosen.source = source
        let decoder = chosen
        let both = try await twoLoopsAndACatch(decoder, inputs.lines)
        check(both == 6, "\(both)")
        let sum = try await twoLoops(decoder, inputs.lines)
        check(sum == 12, "\(sum)")
        let ids = await twoCatches(decoder, inputs)
        check(ids == [1, 2, -1, 1, 2, 3], "\(ids)")
        let three = try await threeInputs(decoder, inputs)
        check(three == 18, "\(three)")
        let nested = try await nestedLoops(decoder, inputs)
        check(nested == 3_000 + 6 * 9, "\(nested)")
        let left = try await breakAndContinue(decoder, inputs)
        check(left == [2, 32], "\(left)")
        let early = try await earlyReturn(decoder, inputs)
        check(early == Item(id: 2), "\(String(describing: early))")
        let retried = try await retries(decoder, inputs)
        check(retried == 203, "\(retried)")
        do throws(JSONModelError) {
            _ = try await mapsErrors(decoder, inputs)
            check(false, "no error")
        } catch { check(error.issues.count == 1, "\(error)") }
        var log: [String] = []
        do {
            try await defers(decoder, inputs, &log)
            check(false, "no error")
        } catch { check(error is Lost && log == ["1", "2", "end"], "\(log)") }
        let optional = await optionals(decoder, inputs)
        check(optional == 1_003, "\(optional)")
        let products = try await inLockstep(decoder, inputs)
        check(products == [1, 4, 9], "\(products)")
        let others = try await otherElements(decoder, inputs)
        check(others == ["a", "-", "0[1]", "0[2, 3]", "1@1", "2@2", "3@3", "true"], "\(others)")
    }
}

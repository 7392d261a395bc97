// Loops over the other sequences: chunks, single bytes, envelopes and types with Codable.
import Sluice

func chunks(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var sum = 0
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.stream, framing: .lines) { sum += item.id }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in decoder.elements(of: Item.self, in: inputs.stream, framing: .lines) { sum += item.id }
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.failingStream, framing: .lines) {
            sum += item.id
        }
    } catch is Lost { sum += 1_000 }
    return sum
}

/// Chunks whose iterator never waits.
func readyChunks(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var sum = 0
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.ready, framing: .lines) { sum += item.id }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in decoder.elements(of: Item.self, in: inputs.ready, framing: .lines) {
        for try await inner in decoder.elements(of: Item.self, in: inputs.ready, framing: .lines) {
            if inner.id > item.id { break }
            sum += inner.id
        }
    }
    return sum
}

func singleBytes(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var sum = 0
    do {
        for try await chunk in inputs.bytes.jsonChunks(upTo: 10) { sum += chunk.count }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await chunk in inputs.bytes.jsonChunks() { sum += chunk.count }
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.bytes.jsonChunks(), framing: .lines) {
            sum += item.id * 1_000
        }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in decoder.elements(of: Item.self, in: inputs.bytes.jsonChunks(), framing: .lines) {
        sum += item.id * 1_000
    }
    return sum
}

func envelopes(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var sum = 0
    let page = JSONEnvelope(of: Page.self)
    let items = decoder.elements(of: Item.self, in: inputs.page, at: "items[*]", envelope: page)
    do {
        for try await item in items { sum += item.id }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in items { sum += item.id }
    let chunks = ReadySequence(values: [Array(inputs.page.utf8)])
    let last = JSONEnvelope(of: Page.self)
    let arriving = decoder.elements(of: Item.self, in: chunks, at: "items[*]", envelope: last)
    do {
        for try await item in arriving { sum += item.id }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in arriving where item.id > 2 { sum += item.id }
    return sum + (page.value?.total ?? 0) * 100 + (last.value?.total ?? 0) * 1_000
}

func codable(_ inputs: Inputs) async throws -> Int {
    let decoder = SluiceJSONDecoder().models
    var sum = 0
    do {
        for try await record in decoder.elements(of: Record.self, in: inputs.lines, framing: .lines) {
            sum += record.id
        }
        for try await record in decoder.elements(of: Record.self, in: inputs.broken, framing: .lines) {
            sum += record.id
        }
    } catch let error as JSONModelError { sum += error.issues.count * 100 }
    for try await record in decoder.elements(of: Record.self, in: inputs.stream, framing: .lines) {
        sum += record.id
    }
    do {
        for try await record in decoder.elements(of: Record.self, in: inputs.ready, framing: .lines) {
            sum += record.id
        }
    } catch let error as JSONModelError { sum -= error.issues.count }
    let models = JSONModelDecoder()
    do {
        for try await record in models.elements(of: Record.self, in: inputs.lines, framing: .lines) {
            sum += record.id
        }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await record in models.elements(of: Record.self, in: .file(inputs.path), framing: .lines) {
        sum += record.id
    }
    return sum
}

func checkSequences(_ inputs: Inputs) async throws {
    let decoder = JSONModelDecoder()
    let chunked = try await chunks(decoder, inputs)
    check(chunked == 12 + 1_001, "\(chunked)")
    let ready = try await readyChunks(decoder, inputs)
    check(ready == 6 + 1 + 3 + 6, "\(ready)")
    let bytes = try await singleBytes(decoder, inputs)
    check(bytes == 2 * inputs.lines.count + 12_000, "\(bytes)")
    let enveloped = try await envelopes(decoder, inputs)
    check(enveloped == 12 + 6 + 3 + 300 + 3_000, "\(enveloped)")
    let records = try await codable(inputs)
    check(records == 6 + 3 + 100 + 24, "\(records)")
}

public func checkLoops() async throws {
    let inputs = try Inputs()
    defer { inputs.remove() }
    try await checkPlainLoops(inputs)
    try await checkTasks(inputs)
    try await checkSequences(inputs)
}

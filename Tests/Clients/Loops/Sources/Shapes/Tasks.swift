// Loops in tasks, groups, actors, closures and generic functions.
import Sluice

func inTasks(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    let task = Task {
        var sum = 0
        do {
            for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
                sum += item.id
            }
        } catch let error as JSONModelError { sum -= error.issues.count }
        for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) { sum += item.id }
        return sum
    }
    let detached = Task.detached { () async throws -> Int in
        var sum = 0
        for try await item in decoder.elements(of: Item.self, in: .file(inputs.path), framing: .lines) {
            sum += item.id
        }
        for try await item in decoder.elements(of: Item.self, in: inputs.page, at: "items[*]") { sum += item.id }
        return sum
    }
    async let third = twoLoops(decoder, inputs.lines)
    return try await task.value + detached.value + third
}

func inGroups(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    let sum = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
            group.addTask {
                var sum = 0
                do {
                    for try await item in decoder.elements(of: Item.self, in: inputs.broken, framing: .lines) {
                        sum += item.id
                    }
                } catch let error as JSONModelError {
                    sum += error.issues.count * 10
                } catch { sum = -1 }
                return sum
            }
        }
        return await group.reduce(0, +)
    }
    return try await withThrowingTaskGroup(of: [Item].self) { group in
        group.addTask {
            var items: [Item] = []
            for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
                items.append(item)
            }
            return items
        }
        var count = sum
        for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
            count += item.id
        }
        for try await items in group { count += items.count * 1_000 }
        return count
    }
}

actor Store {
    private(set) var items: [Item] = []
    private var failures = 0

    func load(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
        do {
            for try await item in decoder.elements(of: Item.self, in: inputs.broken, framing: .lines) {
                items.append(item)
                await pause()
            }
        } catch let error as JSONModelError { failures += error.issues.count }
        for try await item in decoder.elements(of: Item.self, in: inputs.stream, framing: .lines) {
            items.append(item)
        }
        for try await item in decoder.elements(of: Item.self, in: .file(inputs.path), framing: .lines) { add(item) }
        return failures
    }

    private func add(_ item: Item) { items.append(item) }

    private func pause() async { await Task.yield() }
}

@MainActor final class Screen {
    private(set) var titles: [String]

    init() { titles = [] }

    func show(_ decoder: JSONModelDecoder, _ inputs: Inputs) async {
        do {
            for try await item in decoder.elements(of: Item.self, in: inputs.broken, framing: .lines) {
                MainActor.assertIsolated()
                titles.append("\(item.id)")
            }
        } catch let error as JSONModelError {
            titles.append("\(error.issues.count) issue")
        } catch { titles.append("other") }
        do {
            for try await item in decoder.elements(of: Item.self, in: inputs.stream, framing: .lines) {
                MainActor.assertIsolated()
                titles.append(item.name ?? "-")
            }
        } catch { titles.append("other") }
    }
}

@MainActor func onMainActor(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var sum = 0
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) { sum += item.id }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
        sum += item.id
        await Task.yield()
    }
    return sum
}

func inTheCallersIsolation(
    _ decoder: JSONModelDecoder, _ inputs: Inputs, isolation: isolated (any Actor)? = #isolation
) async throws -> Int {
    var sum = 0
    do {
        for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) { sum += item.id }
    } catch let error as JSONModelError { sum -= error.issues.count }
    var iterator = decoder.elements(of: Item.self, in: inputs.lines, framing: .lines).makeAsyncIterator()
    while let item = try await iterator.next(isolation: isolation) { sum += item.id }
    return sum
}

/// A loop that a task cancels at its second element, and a loop in a task that is cancelled before.
func cancelled(_ decoder: JSONModelDecoder, _ inputs: Inputs) async -> [String] {
    let first = Task { () async -> String in
        var count = 0
        do {
            for try await _ in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
                count += 1
                if count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        } catch let error as JSONModelError {
            return "\(error)"
        } catch is CancellationError {
            return "cancelled after \(count)"
        } catch { return "other" }
        return "end"
    }
    let second = Task { () async throws -> Int in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await twoLoopsAndACatch(decoder, inputs.lines)
    }
    let third = await withTaskCancellationHandler {
        var count = 0
        do {
            for try await _ in decoder.elements(of: Item.self, in: inputs.stream, framing: .lines) { count += 1 }
        } catch { return "\(error)" }
        return "\(count)"
    } onCancel: {
    }
    var results = [await first.value, third]
    do { _ = try await second.value } catch { results.append(error is CancellationError ? "cancelled" : "other") }
    return results
}

func collect<S: AsyncSequence>(_ elements: S) async throws -> [S.Element] {
    var all: [S.Element] = []
    for try await element in elements { all.append(element) }
    do {
        for try await element in elements { all.append(element) }
    } catch let error as JSONModelError { print(error) }
    return all
}

func opaque(_ decoder: JSONModelDecoder, _ inputs: Inputs) -> some AsyncSequence<Item, any Error> {
    decoder.elements(of: Item.self, in: inputs.lines, framing: .lines)
}

func existential(_ decoder: JSONModelDecoder, _ inputs: Inputs) -> any AsyncSequence<Item, any Error> {
    decoder.elements(of: Item.self, in: inputs.stream, framing: .lines)
}

func erased(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    var sum = 0
    do {
        for try await item in opaque(decoder, inputs) { sum += item.id }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in opaque(decoder, inputs) { sum += item.id }
    for try await item in existential(decoder, inputs) { sum += item.id }
    return sum
}

func operators(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws -> Int {
    let items = decoder.elements(of: Item.self, in: inputs.lines, framing: .lines)
    var sum = 0
    do {
        for try await id in items.map(\.id).filter({ $0 > 1 }) { sum += id }
        for try await name in items.compactMap(\.name) { sum += name.utf8.count }
    } catch let error as JSONModelError { sum -= error.issues.count }
    for try await item in items.prefix(1) { sum += item.id }
    for try await item in items.dropFirst().prefix(1) { sum += item.id }
    if try await items.contains(where: { $0.id == 3 }) { sum += 100 }
    if let item = try await items.first(where: { $0.id == 2 }) { sum += item.id * 1_000 }
    return try await sum + items.reduce(0) { $0 + $1.id } * 10_000
}

/// An object whose initializer and property contain loops.
final class Table: Sendable {
    let items: [Item]

    init(_ decoder: JSONModelDecoder, _ inputs: Inputs) async throws {
        var items: [Item] = []
        do {
            for try await item in decoder.elements(of: Item.self, in: inputs.lines, framing: .lines) {
                items.append(item)
            }
        } catch let error as JSONModelError { print(error) }
        for try await item in decoder.elements(of: Item.self, in: inputs.page, at: "items") { items.append(item) }
        self.items = items
    }

    var count: Int {
        get async throws {
            var count = 0
            for try await _ in JSONModelDecoder().elements(of: Int.self, in: "[1,2,3]") { count += items.count }
            return count
        }
    }
}

func checkTasks(_ inputs: Inputs) async throws {
    let decoder = JSONModelDecoder()
    let tasks = try await inTasks(decoder, inputs)
    check(tasks == 36, "\(tasks)")
    let groups = try await inGroups(decoder, inputs)
    check(groups == 52 + 6 + 3_000, "\(groups)")
    let store = Store()
    let failures = try await store.load(decoder, inputs)
    let stored = await store.items.map(\.id)
    check(failures == 1 && stored == [1, 2, 1, 2, 3, 1, 2, 3], "\(stored)")
    let screen = await Screen()
    await screen.show(decoder, inputs)
    let titles = await screen.titles
    check(titles == ["1", "2", "1 issue", "a", "-", "-"], "\(titles)")
    let main = try await onMainActor(decoder, inputs)
    check(main == 12, "\(main)")
    let isolated = try await inTheCallersIsolation(decoder, inputs)
    check(isolated == 12, "\(isolated)")
    let results = await cancelled(decoder, inputs)
    check(results == ["cancelled after 2", "3", "cancelled"], "\(results)")
    let all = try await collect(decoder.elements(of: Item.self, in: inputs.lines, framing: .lines))
    check(all.map(\.id) == [1, 2, 3, 1, 2, 3], "\(all)")
    let sum = try await erased(decoder, inputs)
    check(sum == 18, "\(sum)")
    let operated = try await operators(decoder, inputs)
    check(operated == 5 + 1 + 1 + 2 + 100 + 2_000 + 60_000, "\(operated)")
    let table = try await Table(decoder, inputs)
    let count = try await table.count
    check(count == 18, "\(count)")
}

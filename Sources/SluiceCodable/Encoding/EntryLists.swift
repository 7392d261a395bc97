import SluiceCore

/// The entries of containers that are not written in the order of the output.
///
/// Examples are a nested container that is written to after its container, two values for one name, and the encoder of a superclass
/// that is released late. The entries of such a container are a list, which is written at the end of the container's value. Their texts
/// are copied here.
///
/// Invariant: no token is used twice.
struct EntryLists {
    fileprivate enum Value {
        /// JSON, indented for its depth.
        case text(Range<Int>)
        case list(Int)
    }

    fileprivate struct Entry {
        /// The name of a member, unescaped.
        let name: String
        var value: Value
    }

    struct List {
        fileprivate let isArray: Bool
        /// The token of the value to which the container belongs.
        let value: UInt64
        /// The number of brackets around the container.
        let depth: Int
        /// The path of a container that was requested as a list.
        var path: [any CodingKey] = []
        fileprivate var entries: [Entry] = []
        /// The elements that were inserted at the beginning, the first one last: the time of many of them is linear.
        fileprivate var inserted: [Entry] = []
        /// The positions of the first members by name, if there are many.
        fileprivate var positions: [String: Int] = [:]
    }

    private var text: [UInt8] = []
    /// The lists, whose numbers begin with 1.
    private var lists: [List] = []
    /// The number of lists that were removed.
    private var removedCount = 0

    subscript(list: Int) -> List {
        _read { yield lists[list - 1] }
        _modify { yield &lists[list - 1] }
    }

    /// Removes all lists, whose tokens then have no effect.
    mutating func removeAll() {
        removedCount += lists.count
        (text, lists) = ([], [])
    }

    /// The bit of the tokens of lists.
    private static var tokenBit: UInt64 { 1 &<< 63 }

    func token(of list: Int) -> UInt64 { Self.tokenBit | UInt64(removedCount + list) }

    /// Returns the list of a token; nil if the list was removed, or if the token does not refer to a list.
    func list(of token: UInt64) -> Int? {
        guard token & Self.tokenBit != 0 else { return nil }
        let list = Int(token & ~Self.tokenBit) - removedCount
        return list > 0 && list <= lists.count ? list : nil
    }

    /// Adds an empty list, and returns its number.
    mutating func make(isArray: Bool, value: UInt64, depth: Int) -> Int {
        lists.append(List(isArray: isArray, value: value, depth: depth))
        return lists.count
    }

    /// Adds text as an entry.
    ///
    /// - Parameters:
    ///   - name: The name of a member, whose earlier value is replaced; nil for an element.
    ///   - position: The position of an element; nil for the end.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, to list: Int, _ name: String?, at position: Int? = nil) {
        self[list].add(.text(copy(text)), name, at: position)
    }

    private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let start = text.count
        text += bytes
        return start..<text.count
    }

    /// Returns the list of the nested container with a name, which is added if the name is nil or has no value.
    mutating func container(_ name: String?, in list: Int, isArray: Bool) -> Int {
        func make() -> Int { self.make(isArray: isArray, value: self[list].value, depth: self[list].depth + 1) }
        guard let name, let known = self[list].position(of: name) else {
            let inner = make()
            self[list].add(.list(inner), name)
            return inner
        }
        switch self[list].entries[known].value {
        case .list(let inner) where self[inner].isArray == isArray: return inner
        case .text(let range) where text[range.lowerBound] == UInt8(ascii: isArray ? "[" : "{"):
            let inner = make()
            read(range, into: inner, [])
            self[list].entries[known].value = .list(inner)
            return inner
        default:
            preconditionFailure(
                "A nested container was requested for the key \"\(name)\", which has another value already.")
        }
    }
}

extension EntryLists.List {
    /// The number of entries.
    var count: Int { inserted.count + entries.count }

    /// Moves the elements that were inserted at the beginning to the others.
    fileprivate mutating func join() {
        guard !inserted.isEmpty else { return }
        entries.insert(contentsOf: inserted.reversed(), at: 0)
        inserted = []
    }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - name: The name of a member, whose earlier value is replaced; nil for an element.
    ///   - position: The position of an element; nil for the end.
    fileprivate mutating func add(_ value: EntryLists.Value, _ name: String?, at position: Int? = nil) {
        if let name, let known = self.position(of: name) {
            entries[known].value = value
            return
        }
        let entry = EntryLists.Entry(name: name ?? "", value: value)
        guard let position else { return entries.append(entry) }
        if position == 0 { return inserted.append(entry) }
        join()
        entries.insert(entry, at: position)
    }

    /// Returns the position of the member with a name.
    fileprivate mutating func position(of name: String) -> Int? {
        if entries.count <= Self.maximumComparedCount { return entries.firstIndex { $0.name == name } }
        // The members that were added without a look-up.
        for at in positions.count..<entries.count { positions[entries[at].name] = at }
        return positions[name]
    }

    /// The number of members up to which a name is compared with each of them.
    private static var maximumComparedCount: Int { 8 }
}

// MARK: Writing

extension EntryLists {
    /// Writes a list as a container, without recursion.
    mutating func write(_ list: Int, to out: inout OutputBuffer, isSorted: Bool) {
        var open: [(isArray: Bool, entries: IndexingIterator<[Entry]>)] = []
        func begin(_ list: Int) {
            let isArray = self[list].isArray
            self[list].join()
            var entries = self[list].entries
            if isSorted, !isArray { entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
            out.reserve(64)
            out.open(isArray ? "[" : "{")
            open.append((isArray, entries.makeIterator()))
        }
        begin(list)
        while let last = open.indices.last {
            let isArray = open[last].isArray
            guard let next = open[last].entries.next() else {
                out.close(isArray ? "]" : "}")
                open.removeLast()
                continue
            }
            out.reserve(128)
            out.comma()
            if !isArray {
                out.quoted(next.name)
                out.reserve(64)
                out.colon()
            }
            switch next.value {
            case .text(let range):
                text.withUnsafeBufferPointer { out.verbatim(UnsafeBufferPointer(rebasing: $0[range])) }
            case .list(let inner): begin(inner)
            }
        }
    }
}

// MARK: Text of the output

extension EntryLists {
    /// Adds the members or elements of a written container, whose end may be missing, to a list.
    ///
    /// - Parameter containers: The offsets of containers inside that have lists, in order, and the lists. All others become text.
    mutating func add(
        contentsOf text: UnsafeBufferPointer<UInt8>, to list: Int, _ containers: [(offset: Int, list: Int)] = []
    ) {
        read(copy(text), into: list, containers)
    }

    private mutating func read(_ range: Range<Int>, into list: Int, _ containers: [(offset: Int, list: Int)]) {
        var containers = containers[...]
        var open = [list]
        var at = range.lowerBound + 1
        while let list = open.last {
            skip(&at, range.upperBound) { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
            guard at < range.upperBound, text[at] != UInt8(ascii: "]"), text[at] != UInt8(ascii: "}") else {
                at += 1
                open.removeLast()
                continue
            }
            var name: String?
            if !self[list].isArray {
                let start = at
                skipString(&at)
                name = text[start..<at].withUnsafeBufferPointer { $0.baseAddress.map { String(quotedAt: $0) } }
                skip(&at, range.upperBound) { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
            }
            if let next = containers.first, next.offset == at - range.lowerBound {
                containers.removeFirst()
                self[list].add(.list(next.list), name)
                open.append(next.list)
                at += 1
            } else {
                let start = at
                skipValue(&at, range.upperBound)
                self[list].add(.text(start..<at), name)
            }
        }
    }

    private func skip(_ at: inout Int, _ end: Int, while isSkipped: (UInt8) -> Bool) {
        while at < end, isSkipped(text[at]) { at += 1 }
    }

    private func skipString(_ at: inout Int) {
        at += 1
        while text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
        at += 1
    }

    private func skipValue(_ at: inout Int, _ end: Int) {
        var depth = 0
        repeat {
            switch text[at] {
            case UInt8(ascii: "\""): skipString(&at)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                at += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                at += 1
            case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ":"): at += 1
            default: skip(&at, end) { $0 > 0x20 && !",:]}".utf8.contains($0) }
            }
        } while depth > 0 && at < end
    }
}

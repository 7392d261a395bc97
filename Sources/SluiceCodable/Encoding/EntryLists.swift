import SluiceCore

/// The entries of containers that are not written in the order of the output.
///
/// Examples are a nested container that is written to after its container, two values for one name, and the encoder of a superclass
/// that is released late. The entries of such a container are a list, which is written at the end of the container's value. Their texts
/// are copied here.
///
/// Invariants: The entries of a list are a ring, which begins and ends at the list's head. No number is used for two lists until all
/// lists are removed.
struct EntryLists {
    private enum Value {
        /// JSON, indented for its depth.
        case text(Range<Int>)
        case list(Int)
    }

    private struct Entry {
        /// The name of a member, unescaped.
        var name = ""
        var value = Value.list(0)
        var previous = 0
        var next = 0
    }

    private struct List {
        let isArray: Bool
        let head: Int
        var count = 0
    }

    private struct Member: Hashable {
        let list: Int
        let name: String
    }

    private var text: [UInt8] = []
    private var entries: [Entry] = []
    /// The lists. The number 0 is not used.
    private var lists = [List(isArray: true, head: 0)]
    /// The entries of the members.
    private var members: [Member: Int] = [:]

    /// Adds an empty list, and returns its number.
    mutating func make(isArray: Bool) -> Int {
        let head = entries.count
        entries.append(Entry(previous: head, next: head))
        lists.append(List(isArray: isArray, head: head))
        return lists.count - 1
    }

    /// The number of entries of a list.
    func count(_ list: Int) -> Int { lists[list].count }

    /// Adds text as an entry.
    ///
    /// - Parameters:
    ///   - name: The name of a member, whose earlier value is replaced; nil for an element.
    ///   - position: The position of an element; nil for the end.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, to list: Int, _ name: String?, at position: Int? = nil) {
        add(.text(copy(text)), to: list, name, at: position)
    }

    /// Adds a list as an entry of another one.
    mutating func add(_ inner: Int, to list: Int, _ name: String?) { add(.list(inner), to: list, name) }

    private mutating func add(_ value: Value, to list: Int, _ name: String?, at position: Int? = nil) {
        if let name {
            let member = Member(list: list, name: name)
            if let known = members[member] {
                entries[known].value = value
                return
            }
            members[member] = entries.count
        }
        let next = entry(at: position ?? lists[list].count, of: list)
        let previous = entries[next].previous
        entries[previous].next = entries.count
        entries[next].previous = entries.count
        entries.append(Entry(name: name ?? "", value: value, previous: previous, next: next))
        lists[list].count += 1
    }

    /// Returns the entry at a position; the head of the list at its end.
    private func entry(at position: Int, of list: Int) -> Int {
        var at = lists[list].head
        let fromEnd = lists[list].count - position
        if fromEnd <= position {
            for _ in 0..<max(fromEnd, 0) { at = entries[at].previous }
        } else {
            for _ in 0...position { at = entries[at].next }
        }
        return at
    }

    private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let start = text.count
        text += bytes
        return start..<text.count
    }

    /// Returns the list of the nested container with a name, which is added if the name is nil or has no value.
    mutating func container(_ name: String?, in list: Int, isArray: Bool) -> Int {
        guard let name, let known = members[Member(list: list, name: name)] else {
            let inner = make(isArray: isArray)
            add(inner, to: list, name)
            return inner
        }
        switch entries[known].value {
        case .list(let inner) where lists[inner].isArray == isArray: return inner
        case .text(let range) where text[range.lowerBound] == UInt8(ascii: isArray ? "[" : "{"):
            let inner = make(isArray: isArray)
            read(range, into: inner, [])
            entries[known].value = .list(inner)
            return inner
        default:
            preconditionFailure(
                "A nested container was requested for the key \"\(name)\", which has another value already.")
        }
    }
}

// MARK: Writing

extension EntryLists {
    /// Writes a list as a container, without recursion.
    func write(_ list: Int, to out: inout OutputBuffer, isSorted: Bool) {
        var open: [(list: Int, entries: IndexingIterator<[Int]>)] = []
        func begin(_ list: Int) {
            out.reserve(64)
            out.open(lists[list].isArray ? "[" : "{")
            open.append((list, order(list, isSorted).makeIterator()))
        }
        begin(list)
        while let last = open.indices.last {
            let isArray = lists[open[last].list].isArray
            guard let next = open[last].entries.next() else {
                out.close(isArray ? "]" : "}")
                open.removeLast()
                continue
            }
            out.reserve(128)
            out.comma()
            if !isArray {
                out.quoted(entries[next].name)
                out.reserve(64)
                out.colon()
            }
            switch entries[next].value {
            case .text(let range):
                text.withUnsafeBufferPointer { out.verbatim(UnsafeBufferPointer(rebasing: $0[range])) }
            case .list(let inner): begin(inner)
            }
        }
    }

    /// Returns the entries of a list in the order of the output.
    private func order(_ list: Int, _ isSorted: Bool) -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(lists[list].count)
        var at = entries[lists[list].head].next
        while at != lists[list].head {
            order.append(at)
            at = entries[at].next
        }
        if isSorted, !lists[list].isArray {
            order.sort { entries[$0].name.utf8.lexicographicallyPrecedes(entries[$1].name.utf8) }
        }
        return order
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
            if !lists[list].isArray {
                let start = at
                skipString(&at)
                name = text[start..<at].withUnsafeBufferPointer { JSONText.unescaped($0) }
                skip(&at, range.upperBound) { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
            }
            if let next = containers.first, next.offset == at - range.lowerBound {
                containers.removeFirst()
                add(next.list, to: list, name)
                open.append(next.list)
                at += 1
            } else {
                let start = at
                skipValue(&at, range.upperBound)
                add(.text(start..<at), to: list, name)
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

/// JSON text that an encoder wrote.
enum JSONText {
    /// Returns the contents of a string between quotes.
    static func unescaped(_ quoted: UnsafeBufferPointer<UInt8>) -> String {
        let contents = quoted[1..<max(quoted.count - 1, 1)]
        if !contents.contains(UInt8(ascii: "\\")) { return String(decoding: contents, as: UTF8.self) }
        return String(written: quoted) ?? ""
    }
}

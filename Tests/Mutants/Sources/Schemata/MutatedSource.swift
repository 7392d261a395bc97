/// A source with its faults. Renders the source with all faults behind numbers: a schema of mutants.
public final class MutatedSource {
    public enum Language: Sendable {
        case swift
        case c
    }

    let text: [UInt8]
    let language: Language
    private let root: Host
    /// The faults that the compiler rejects.
    public private(set) var dropped: Set<Int32> = []
    private var hosts: [Host] = []
    /// The bodies for which faults have been dropped after the present build.
    private var revisedBodies: Set<Int> = []
    private var lineStarts: [Int] = [0]

    /// Finds the faults of a source, which get the numbers from `first` on.
    public init(_ text: String, _ language: Language, kinds: Set<Fault.Kind> = defaultKinds, first: Int32 = 1) {
        self.text = Array(text.utf8)
        self.language = language
        root = Host(.body, 0..<self.text.count)
        switch language {
        case .swift: SwiftFaults(text).collect(into: root)
        case .c: CFaults(self.text).collect(into: root)
        }
        hosts = root.all
        var number = first
        for (index, host) in hosts.enumerated() {
            host.index = index
            host.faults.removeAll { !kinds.contains($0.kind) }
            for index in host.faults.indices {
                host.faults[index].number = number
                number += 1
            }
        }
        for (index, byte) in self.text.enumerated() where byte == UInt8(ascii: "\n") {
            lineStarts.append(index + 1)
        }
    }

    public static var defaultKinds: Set<Fault.Kind> { Set(Fault.Kind.allCases).subtracting([.overflow]) }

    /// The faults that have not been dropped.
    public var faults: [Fault] { hosts.flatMap(\.faults).filter { !dropped.contains($0.number) } }

    /// The number of faults, with dropped ones.
    public var faultCount: Int { hosts.reduce(0) { $0 + $1.faults.count } }

    // MARK: Descriptions

    public func line(of offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// The text of a line, without the white space around it.
    public func lineText(of offset: Int) -> String {
        let number = line(of: offset)
        let start = lineStarts[number - 1]
        let end = number < lineStarts.count ? lineStarts[number] : text.count
        return String(decoding: text[start..<end], as: UTF8.self).trimmed
    }

    public func original(of fault: Fault) -> String { string(fault.range) }

    /// The text of the body around a fault, and the position of the fault inside.
    public func context(of fault: Fault) -> (body: String, offset: Int) {
        for host in hosts where host.faults.contains(where: { $0.number == fault.number }) {
            guard let body = host.body, body !== root else { break }
            return (string(body.range), fault.range.lowerBound - body.range.lowerBound)
        }
        return (string(0..<text.count), fault.range.lowerBound)
    }

    /// The number that is recorded when the fault's host is reached.
    public func reachedNumbers() -> [Int32: Int32] {
        var numbers: [Int32: Int32] = [:]
        for host in hosts {
            for fault in host.faults {
                numbers[fault.number] = host.isSwitched(language) ? host.faults[0].number : fault.number
            }
        }
        return numbers
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    // MARK: Rendering

    /// The source with all faults. Comments mark the extent of each, for `drop(at:)`.
    public func rendered() -> String {
        var head = ""
        if language == .swift, !string(0..<text.count).contains("import CKernels\n") {
            head = "import CKernels\n"
        } else if language == .c {
            head = "#include \"mutants.h\"\n"
        }
        return head + contents(of: root)
    }

    /// The range with the hosts inside rendered.
    private func contents(of host: Host) -> String {
        var result = ""
        var position = host.range.lowerBound
        for child in host.children {
            result += string(position..<child.range.lowerBound)
            result += render(child)
            position = child.range.upperBound
        }
        return result + string(position..<host.range.upperBound)
    }

    private func mutated(_ host: Host, _ fault: Fault) -> String {
        var result = ""
        var position = host.range.lowerBound
        for (range, replacement) in [(fault.range, fault.replacement)]
            + fault.others.map({ ($0.range, $0.replacement) })
        {
            result += string(position..<range.lowerBound) + replacement
            position = range.upperBound
        }
        return result + string(position..<host.range.upperBound)
    }

    private func render(_ host: Host) -> String {
        let mark = ("/*<h\(host.index)*/", "/*h\(host.index)>*/")
        let faults = host.faults.filter { !dropped.contains($0.number) }
        let plain = contents(of: host)
        guard !faults.isEmpty else { return host.form == .body ? mark.0 + plain + mark.1 : plain }

        func variant(_ fault: Fault) -> String {
            "/*<v\(fault.number)*/\(mutated(host, fault))/*v\(fault.number)>*/"
        }
        func isEmpty(_ fault: Fault) -> Bool { mutated(host, fault).trimmed.isEmpty }

        var text = mark.0
        switch (language, host.form) {
        case (_, .body):
            text += plain
        case (.swift, .statement), (.swift, .value):
            let first = host.faults[0].number
            text += "switch sluice_mutant_in(\(first), \(host.faults.count)) {\n"
            for fault in faults {
                text += "case \(fault.number - first + 1): \(isEmpty(fault) ? "break" : "")\(variant(fault))\n"
            }
            text += "default: \(plain)\n}"
        case (.swift, .jump):
            for fault in faults {
                text += "if sluice_mutant_is(\(fault.number)) { \(variant(fault)) } else "
            }
            text += "{ \(plain) }"
        case (.swift, .condition):
            text += "("
            for fault in faults {
                text += "sluice_mutant_is(\(fault.number)) ? (\(variant(fault))) as Bool :\n"
            }
            text += "(\(plain)) as Bool)"
        case (.swift, .expression), (.c, .condition), (.c, .value), (.c, .expression):
            text += "("
            for fault in faults {
                text += "sluice_mutant_is(\(fault.number)) ? (\(variant(fault))) :\n"
            }
            text += "(\(plain)))"
        case (.c, .statement), (.c, .jump):
            for fault in faults {
                text += "if (sluice_mutant_is(\(fault.number))) { \(variant(fault)) } else\n"
            }
            text += "{ \(plain) }"
        }
        return text + mark.1
    }

    // MARK: Dropped faults

    public func drop(_ numbers: Set<Int32>) { dropped.formUnion(numbers) }

    /// Begins with the errors of another build.
    public func beginBuild() { revisedBodies = [] }

    /// The faults that cause an error.
    public enum Extent: Sendable {
        /// The faults at the position of the error.
        case position
        /// A statement before the position that is left out, as for a missing `return`.
        case statementBefore
        /// All statements of the body that are left out, as for a property that is not initialized.
        case body
    }

    /// Drops the faults at a position of the rendered source, which the compiler rejects. Returns whether there were any.
    public func drop(line: Int, column: Int, of rendered: String, _ extent: Extent = .position) -> Bool {
        let isOfBody = extent != .position
        let bytes = Array(rendered.utf8)
        guard let offset = Self.offset(line: line, column: column, in: bytes) else { return false }
        // The marks around the position, the innermost last.
        var open: [String] = []
        var position = 0
        let limit = min(offset + 2, bytes.count)
        var atOffset: [String]?
        var lastFault: Int32?
        while position < bytes.count {
            if position >= offset, atOffset == nil { atOffset = open }
            guard position + 4 < bytes.count, bytes[position] == UInt8(ascii: "/"),
                bytes[position + 1] == UInt8(ascii: "*")
            else {
                if position > limit { break }
                position += 1
                continue
            }
            var end = position + 2
            while end + 1 < bytes.count, !(bytes[end] == UInt8(ascii: "*") && bytes[end + 1] == UInt8(ascii: "/")) {
                end += 1
            }
            let name = String(decoding: bytes[(position + 2)..<min(end, bytes.count)], as: UTF8.self)
            if position > limit { break }
            if name.hasPrefix("<h") || name.hasPrefix("<v") {
                open.append(String(name.dropFirst()))
            } else if name.hasSuffix(">"), let last = open.last, name == last + ">" {
                // An error at the end of a body is at the brace after the mark.
                let after = end + 2
                if atOffset == nil,
                    after >= offset || bytes[after..<offset].allSatisfy({ $0 == 0x20 || $0 == 0x0A })
                {
                    atOffset = open
                }
                if atOffset == nil, name.hasPrefix("v") { lastFault = Int32(last.dropFirst()) }
                open.removeLast()
            }
            position = end + 2
        }
        var marks = atOffset ?? open
        if marks.isEmpty, isOfBody {
            // The error is at the declaration, before the body.
            let next = hosts.filter { $0.form == .body }.compactMap { host in
                bytes[offset...].firstRange(of: Array("/*<h\(host.index)*/".utf8)).map {
                    (host.index, $0.lowerBound)
                }
            }.min { $0.1 < $1.1 }
            if let next { marks = ["h\(next.0)"] }
        }
        for mark in marks.reversed() {
            guard let number = Int32(mark.dropFirst()) else { continue }
            if isOfBody, mark.hasPrefix("v") || hosts[Int(number)].form != .body { continue }
            if mark.hasPrefix("v") {
                if dropped.insert(number).inserted { return true }
                continue
            }
            let host = hosts[Int(number)]
            let faults = host.form == .body ? host.all.flatMap(\.faults) : host.faults
            let left = faults.filter { !dropped.contains($0.number) }
            var affected = left
            if host.form == .body {
                if revisedBodies.contains(host.index) { return true }
                // An error of a whole body, such as a missing `return`, is mostly due to a statement that is left out: the one
                // before the error, or another.
                let suspects = left.filter { $0.kind == .omission || $0.kind == .jump }
                if !isOfBody {
                    revisedBodies.insert(host.index)
                } else if extent == .statementBefore,
                    let nearest = suspects.first(where: { $0.number == lastFault })
                {
                    affected = [nearest]
                } else {
                    revisedBodies.insert(host.index)
                    if !suspects.isEmpty { affected = suspects }
                }
            }
            let count = dropped.count
            dropped.formUnion(affected.map(\.number))
            if dropped.count > count { return true }
        }
        return false
    }

    private static func offset(line: Int, column: Int, in bytes: [UInt8]) -> Int? {
        var current = 1
        for (index, byte) in bytes.enumerated() {
            if current == line { return index + column - 1 }
            if byte == UInt8(ascii: "\n") { current += 1 }
        }
        return nil
    }
}

extension Host {
    /// Whether one number is recorded for all faults.
    func isSwitched(_ language: MutatedSource.Language) -> Bool {
        language == .swift && (form == .statement || form == .value)
    }
}

extension StringProtocol {
    /// The text without the white space around it.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}

/// The tokens of a C source, without comments, directives, and the branches of `#if` for other processors.
struct CTokens {
    private(set) var tokens: [CFaults.Token] = []
    private let text: [UInt8]
    /// For each open `#if`: whether its present branch is compiled, and whether an earlier one was.
    private var branches: [(isActive: Bool, wasActive: Bool)] = []

    init(_ text: [UInt8]) {
        self.text = text
        read()
    }

    private static let symbols = [
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
        "/=", "%=", "&=",
        "|=", "^=",
    ].map { Array($0.utf8) }

    private mutating func read() {
        var at = 0
        var isLineStart = true
        while at < text.count {
            let byte = text[at]
            if byte == UInt8(ascii: "\n") {
                isLineStart = true
                at += 1
            } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") {
                at += 1
            } else if starts("//", at) {
                at = end(of: "\n", from: at) - 1
            } else if starts("/*", at) {
                at = end(of: "*/", from: at + 2)
            } else if byte == UInt8(ascii: "#"), isLineStart {
                var end = self.end(of: "\n", from: at)
                while end >= 2, text[end - 2] == UInt8(ascii: "\\"), end < text.count {
                    end = self.end(of: "\n", from: end)
                }
                directive(String(decoding: text[(at + 1)..<end], as: UTF8.self).trimmed)
                at = end
            } else {
                isLineStart = false
                let end = tokenEnd(at)
                if branches.allSatisfy(\.isActive) { append(at..<end.index, end.kind) }
                at = end.index
            }
        }
    }

    private mutating func append(_ range: Range<Int>, _ kind: CFaults.Token.Kind) {
        tokens.append(CFaults.Token(kind: kind, text: String(decoding: text[range], as: UTF8.self), range: range))
    }

    private func starts(_ pattern: String, _ at: Int) -> Bool { text[at...].starts(with: pattern.utf8) }

    private func end(of pattern: String, from start: Int) -> Int {
        var at = start
        while at < text.count, !starts(pattern, at) { at += 1 }
        return min(at + pattern.utf8.count, text.count)
    }

    private func tokenEnd(_ start: Int) -> (index: Int, kind: CFaults.Token.Kind) {
        let byte = text[start]
        func isWord(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "_") || Character(UnicodeScalar(byte)).isLetter
                || Character(UnicodeScalar(byte)).isNumber
        }
        if isWord(byte) {
            var end = start
            while end < text.count, isWord(text[end]) { end += 1 }
            return (end, byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? .number : .name)
        }
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
            var end = start + 1
            while end < text.count, text[end] != byte { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
            return (min(end + 1, text.count), byte == UInt8(ascii: "'") ? .character : .string)
        }
        for symbol in Self.symbols where text[start...].starts(with: symbol) {
            return (start + symbol.count, .symbol)
        }
        return (start + 1, .symbol)
    }

    // MARK: Directives

    private mutating func directive(_ line: String) {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        switch words.first {
        case "if":
            let isActive = Self.holds(String(line.dropFirst(2)))
            branches.append((isActive, isActive))
        case "ifdef", "ifndef":
            let isActive = Self.isDefined(String(words.dropFirst().first ?? "")) == (words[0] == "ifdef")
            branches.append((isActive, isActive))
        case "elif":
            guard let last = branches.popLast() else { return }
            let isActive = !last.wasActive && Self.holds(String(line.dropFirst(4)))
            branches.append((isActive, last.wasActive || isActive))
        case "else":
            guard let last = branches.popLast() else { return }
            branches.append((!last.wasActive, true))
        case "endif":
            branches.removeLast()
        default:
            break
        }
    }

    /// Evaluates a condition of `defined`, `&&` and `||`. `&&` binds more tightly, as in parentheses.
    private static func holds(_ condition: String) -> Bool {
        condition.split(separator: "||").contains { term in
            term.split(separator: "&&").allSatisfy { factor in
                let name =
                    factor.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.first { $0 != "defined" } ?? ""
                return isDefined(String(name)) != factor.contains("!")
            }
        }
    }

    private static func isDefined(_ name: String) -> Bool {
        #if arch(x86_64)
        let processor: Set = ["__SSE2__", "__x86_64__"]
        #else
        let processor: Set = ["__aarch64__", "__ARM_NEON"]
        #endif
        #if os(macOS)
        return processor.contains(name) || name == "__APPLE__"
        #else
        return processor.contains(name) || name == "__linux__"
        #endif
    }
}

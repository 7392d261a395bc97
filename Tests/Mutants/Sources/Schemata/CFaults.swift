/// Finds the faults of a C source: of the statements in the bodies of functions.
///
/// The statements are found by their tokens. Directives, tables, labels and constants of enumerations are left out, and so are
/// the branches of `#if` for other processors.
struct CFaults {
    private let text: [UInt8]
    private let tokens: [Token]

    struct Token {
        enum Kind {
            case name, number, character, string, symbol
        }

        let kind: Kind
        let text: String
        let range: Range<Int>
    }

    init(_ text: [UInt8]) {
        self.text = text
        tokens = CTokens(text).tokens
    }

    func collect(into root: Host) {
        var index = 0
        while index < tokens.count {
            guard tokens[index].text == "{" else {
                index += 1
                continue
            }
            let end = matching(index)
            if index > 0, tokens[index - 1].text == ")" {
                let body = add(.body, (index + 1)..<end, to: root)
                statements((index + 1)..<end, Place(parent: body))
            }
            index = end + 1
        }
    }

    private struct Place {
        var parent: Host
        var isInLoop = false
    }

    // MARK: Tokens

    private func add(_ form: Host.Form, _ range: Range<Int>, to parent: Host) -> Host {
        let host = Host(form, bytes(range))
        host.parent = parent
        if !range.isEmpty { parent.children.append(host) }
        return host
    }

    /// The bytes of tokens.
    private func bytes(_ range: Range<Int>) -> Range<Int> {
        range.isEmpty
            ? 0..<0 : tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
    }

    /// The index of the bracket that closes the one at `index`.
    private func matching(_ index: Int) -> Int {
        var depth = 0
        var index = index
        while index < tokens.count {
            switch tokens[index].text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return tokens.count - 1
    }

    /// The first of the symbols from `index` on, outside brackets.
    private func first(_ symbols: Set<String>, from index: Int, to end: Int) -> Int {
        var index = index
        while index < end, !symbols.contains(tokens[index].text) {
            index = ["(", "[", "{"].contains(tokens[index].text) ? matching(index) + 1 : index + 1
        }
        return min(index, end)
    }

    // MARK: Statements

    private func statements(_ range: Range<Int>, _ place: Place) {
        var index = range.lowerBound
        while index < range.upperBound { index = statement(at: index, end: range.upperBound, place) }
    }

    /// Reads a statement, and returns the index after it.
    private func statement(at index: Int, end: Int, _ place: Place) -> Int {
        switch tokens[index].text {
        case "{":
            let close = matching(index)
            statements((index + 1)..<close, place)
            return close + 1
        case "if", "while":
            let close = matching(index + 1)
            condition((index + 2)..<close, place, isLoop: tokens[index].text == "while")
            var place = place
            if tokens[index].text == "while" { place.isInLoop = true }
            return close + 1 < end ? statement(at: close + 1, end: end, place) : end
        case "for":
            let close = matching(index + 1)
            let first = first([";"], from: index + 2, to: close)
            let second = self.first([";"], from: first + 1, to: close)
            start((index + 2)..<first, place)
            condition((first + 1)..<second, place, isLoop: true)
            if second + 1 < close {
                let step = add(.expression, (second + 1)..<close, to: place.parent)
                addFaults((second + 1)..<close, to: step)
            }
            return close + 1 < end
                ? statement(at: close + 1, end: end, Place(parent: place.parent, isInLoop: true)) : end
        case "switch":
            let close = matching(index + 1)
            return close + 1 < end ? statement(at: close + 1, end: end, Place(parent: place.parent)) : end
        case "do":
            return statement(at: index + 1, end: end, Place(parent: place.parent, isInLoop: true))
        case "else", ";":
            return index + 1
        case "case", "default":
            return first([":"], from: index, to: end) + 1
        default:
            let semicolon = first([";"], from: index, to: end)
            simple(index..<semicolon, place)
            return semicolon + 1
        }
    }

    private func condition(_ range: Range<Int>, _ place: Place, isLoop: Bool) {
        guard !range.isEmpty else { return }
        let host = add(.condition, range, to: place.parent)
        if !isLoop { host.faults.append(Fault(.condition, host.range, "1")) }
        host.faults.append(Fault(.condition, host.range, "0"))
        addFaults(range, to: host)
    }

    private static let types: Set = [
        "const", "static", "enum", "struct", "union", "int", "unsigned", "char", "long", "short", "void", "float",
        "double",
        "_Bool", "bool", "register", "volatile",
    ]

    private func isType(_ token: Token) -> Bool {
        token.kind == .name
            && (Self.types.contains(token.text) || token.text.hasSuffix("_t") || token.text.hasPrefix("__m"))
    }

    private func simple(_ range: Range<Int>, _ place: Place) {
        guard let first = range.first else { return }
        switch tokens[first].text {
        case "return":
            guard range.count > 1 else { return }
            let host = add(.value, (first + 1)..<range.upperBound, to: place.parent)
            addFaults((first + 1)..<range.upperBound, to: host)
        case "break" where place.isInLoop:
            let host = add(.jump, withSemicolon(range), to: place.parent)
            host.faults.append(Fault(.jump, bytes(range), "continue"))
        case "continue":
            let host = add(.jump, withSemicolon(range), to: place.parent)
            host.faults.append(Fault(.jump, bytes(range), "break"))
        case "break", "goto":
            return
        default:
            if isDeclaration(range) { return declaration(range, place) }
            let host = add(.statement, withSemicolon(range), to: place.parent)
            host.faults.append(Fault(.omission, bytes(range), ""))
            addFaults(range, to: host)
        }
    }

    /// The statement before the condition of a `for` loop.
    private func start(_ range: Range<Int>, _ place: Place) {
        if range.isEmpty || isDeclaration(range) { return simple(range, place) }
        addFaults(range, to: add(.expression, range, to: place.parent))
    }

    private func isDeclaration(_ range: Range<Int>) -> Bool {
        let first = range.lowerBound
        return isType(tokens[first])
            || range.count > 1 && tokens[first].kind == .name && tokens[first + 1].kind == .name
    }

    /// The rendered statement has no semicolon after its last brace, which would end an `if` before its `else`.
    private func withSemicolon(_ range: Range<Int>) -> Range<Int> {
        let end = range.upperBound
        return range.lowerBound..<(end < tokens.count && tokens[end].text == ";" ? end + 1 : end)
    }

    private func declaration(_ range: Range<Int>, _ place: Place) {
        if tokens[range.lowerBound].text == "static" || tokens[range.lowerBound].text == "enum" { return }
        var index = range.lowerBound
        while index < range.upperBound {
            let equals = first(["="], from: index, to: range.upperBound)
            guard equals + 1 < range.upperBound else { return }
            let end = first([","], from: equals + 1, to: range.upperBound)
            if tokens[equals + 1].text != "{" {
                let host = add(.value, (equals + 1)..<end, to: place.parent)
                addFaults((equals + 1)..<end, to: host)
            }
            index = end + 1
        }
    }

    // MARK: Expressions

    private static let comparisons = [
        "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    ]
    private static let operators = [
        "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
        "+=": "-=", "-=": "+=", "*=": "+=", "<<=": ">>=", ">>=": "<<=", "&=": "|=", "|=": "&=", "^=": "|=",
        "++": "--", "--": "++",
    ]

    private func addFaults(_ range: Range<Int>, to host: Host) {
        for index in range {
            let token = tokens[index]
            switch token.kind {
            case .number:
                if let next = Self.successor(ofNumber: token.text) {
                    host.faults.append(Fault(.constant, token.range, next))
                }
            case .character:
                if let next = SwiftFaults.successor(ofCharacter: String(token.text.dropFirst().dropLast())) {
                    host.faults.append(Fault(.constant, token.range, "'\(next == "'" ? "\\'" : next)'"))
                }
            case .symbol:
                if token.text == "!" || token.text == "~" {
                    host.faults.append(Fault(token.text == "!" ? .logic : .arithmetic, token.range, ""))
                    continue
                }
                let isPostfix = token.text == "++" || token.text == "--"
                guard isPostfix || isBinary(index, in: range) else { continue }
                if let others = Self.comparisons[token.text] {
                    for other in others { host.faults.append(Fault(.comparison, token.range, other)) }
                } else if token.text == "&&" || token.text == "||" {
                    host.faults.append(Fault(.logic, token.range, token.text == "&&" ? "||" : "&&"))
                } else if let other = Self.operators[token.text] {
                    host.faults.append(Fault(.arithmetic, token.range, other))
                }
            case .name, .string:
                break
            }
        }
    }

    /// Whether an operator has an operand on its left, and is not part of a type.
    private func isBinary(_ index: Int, in range: Range<Int>) -> Bool {
        guard index > range.lowerBound, index + 1 < range.upperBound else { return false }
        if tokens[index + 1].text == ")" || tokens[index + 1].text == "," { return false }
        let before = tokens[index - 1]
        if isType(before) { return false }
        guard before.text == ")" else { return before.kind != .symbol || before.text == "]" }
        // A cast is not an operand.
        var open = index - 1
        var depth = 0
        repeat {
            if tokens[open].text == ")" { depth += 1 }
            if tokens[open].text == "(" { depth -= 1 }
            open -= 1
        } while depth > 0 && open >= 0
        let inner = tokens[(open + 2)..<(index - 1)]
        return inner.isEmpty || !inner.allSatisfy { isType($0) || $0.text == "*" || $0.text == "_Nonnull" }
    }

    private static func successor(ofNumber text: String) -> String? {
        let digits = text.prefix { $0.isHexDigit || $0 == "x" }
        let suffix = text.dropFirst(digits.count)
        guard suffix.allSatisfy({ "uUlL".contains($0) }) else { return nil }
        return SwiftFaults.successor(ofLiteral: String(digits)).map { $0 + suffix }
    }
}

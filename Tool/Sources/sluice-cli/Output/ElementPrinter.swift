import Sluice
import ToolSupport

/// Prints elements in the form that the user selects.
struct ElementPrinter {
    private enum Form {
        case lines, array, verbatim, raw
        case rows(SeparatedRows)
    }

    private let output: CommandOutput
    private let layout: TextLayout
    private let selection: MemberSelection?
    private let decoder: JSONModelDecoder
    private let encoder: JSONModelEncoder
    private var form: Form
    private var isEmpty = true

    /// - Parameter limits: The limits of the input, which apply to printed elements, too.
    init(_ options: ElementOptions, to output: CommandOutput, limits: JSONLimits) {
        self.output = output
        var (decoder, encoder) = (JSONModelDecoder(), JSONModelEncoder())
        (decoder.limits, encoder.limits) = (limits, limits)
        (self.decoder, self.encoder) = (decoder, encoder)
        let hasColors =
            switch options.color {
            case .auto: output.hasColors
            case .always: true
            case .never: false
            }
        layout = TextLayout(indentation: options.indentation, hasColors: hasColors)
        // The columns of rows are selected members.
        let only = options.form == .csv || options.form == .tsv ? nil : options.only
        let selects = only != nil || !options.except.isEmpty
        selection = selects ? MemberSelection(only: only, except: options.except) : nil
        form =
            switch options.form {
            case .array: .array
            case .verbatim: .verbatim
            case .raw: .raw
            case .csv: .rows(SeparatedRows(.comma, columns: options.only))
            case .tsv: .rows(SeparatedRows(.tab, columns: options.only))
            case .count, nil: .lines
            }
    }

    /// Whether the parts of elements are selected or printed, so that elements are values.
    var needsValues: Bool { if case .rows = form { true } else { selection != nil } }

    /// Prints an element whose parts are needed.
    mutating func print(_ element: JSONValue) throws {
        let element = selection?.selected(of: element) ?? element
        guard case .rows(var rows) = form else { return try append(JSONRaw(encoding: element, with: encoder)) }
        // The rows are not copied.
        form = .lines
        rows.append(element, to: &output.buffer)
        form = .rows(rows)
        try output.flushIfLong()
    }

    /// Prints an element.
    mutating func print(_ element: JSONRaw) throws {
        if needsValues { try print(decoder.decode(JSONValue.self, from: element)) } else { try append(element) }
    }

    private mutating func append(_ element: JSONRaw) throws {
        switch form {
        case .lines, .rows: printLine(element)
        case .array:
            output.buffer.append(UInt8(ascii: isEmpty ? "[" : ","))
            if layout.indentation == nil { output.buffer.append(UInt8(ascii: "\n")) }
            layout.appendBreak(to: &output.buffer, depth: 1)
            layout.append(element.bytes, to: &output.buffer, depth: 1)
        case .verbatim:
            output.buffer.append(contentsOf: element.bytes)
            output.buffer.append(UInt8(ascii: "\n"))
        case .raw where element.bytes.first == UInt8(ascii: "\""):
            try output.buffer.append(contentsOf: decoder.decode(String.self, from: element).utf8)
            output.buffer.append(UInt8(ascii: "\n"))
        case .raw: printLine(element)
        }
        isEmpty = false
        try output.flushIfLong()
    }

    private func printLine(_ element: JSONRaw) {
        layout.append(element.bytes, to: &output.buffer)
        output.buffer.append(UInt8(ascii: "\n"))
    }

    /// Prints the end.
    mutating func finish() {
        switch form {
        case .array where isEmpty: output.buffer.append(contentsOf: "[]\n".utf8)
        case .array: output.buffer.append(contentsOf: "\n]\n".utf8)
        case .rows(var rows):
            rows.appendHeader(to: &output.buffer)
            if let path = rows.missingColumn {
                Terminal.note("Elements have values without a column, such as \(path): --only selects columns.")
            }
        default: break
        }
    }
}

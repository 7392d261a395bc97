import JSONPaths
import SluiceCore

/// Elements as rows of text with separators: a header, and a row for each element.
///
/// Without selected columns, the columns are the scalars and arrays in the first element that has members or is a scalar. The rows of null
/// and of empty containers are empty.
package struct SeparatedRows {
    package enum Separator: UInt8, Sendable {
        /// Fields with separators, quotes and line breaks are quoted (RFC 4180).
        case comma = 0x2C
        /// Tabs, line breaks and backslashes are written as `\t`, `\n`, `\r` and `\\`.
        case tab = 0x09
    }

    private let separator: Separator
    private var columns: [JSONPath]?
    private var hasHeader = false
    private let isSelected: Bool
    /// The number of elements without members before the header.
    private var emptyRows = 0
    /// The first path in later elements that no column has, if the columns are those of the first element.
    package private(set) var missingColumn: JSONPath?

    /// - Parameter columns: The paths of the columns; nil for those of the first element.
    package init(_ separator: Separator, columns: [JSONPath]?) {
        (self.separator, self.columns, isSelected) = (separator, columns, columns != nil)
    }

    /// Appends the header, unless it has been appended. Without elements, only selected columns have a header.
    package mutating func appendHeader(to output: inout [UInt8]) {
        if emptyRows > 0, columns == nil { columns = [JSONPath()] }
        guard !hasHeader, let columns else { return }
        hasHeader = true
        appendRow(columns.map(\.description), to: &output)
        for _ in 0..<emptyRows { appendRow(columns.map { _ in "" }, to: &output) }
    }

    /// Appends the row of an element.
    package mutating func append(_ element: JSONValue, to output: inout [UInt8]) {
        let isEmpty = element == .null || element.object?.isEmpty == true || element.array?.isEmpty == true
        if columns == nil {
            if isEmpty {
                emptyRows += 1
                return
            }
            columns = Self.paths(in: element, at: JSONPath())
        }
        appendHeader(to: &output)
        let columns = columns ?? []
        if isEmpty { return appendRow(columns.map { _ in "" }, to: &output) }
        let cells = columns.map { Self.value(of: element, at: $0) }
        appendRow(cells.map(Self.text), to: &output)
        if isSelected || missingColumn != nil { return }
        // If as many values have a column as the element has, none is missing.
        let isScalar = columns.first?.components.isEmpty == true
        if !isScalar, cells.count(where: { $0 != nil }) == Self.count(in: element) { return }
        missingColumn = Self.paths(in: element, at: JSONPath()).first { path in
            !columns.contains { isScalar ? path == $0 : path.components.starts(with: $0.components) }
        }
    }

    /// Returns the number of columns that an element would have.
    private static func count(in value: JSONValue, isInner: Bool = false) -> Int {
        switch value {
        case .object(let members) where !members.isEmpty:
            members.reduce(0) { $0 + count(in: $1.value, isInner: true) }
        case .array(let elements) where !isInner: elements.count
        default: 1
        }
    }

    /// Returns the paths of all scalars and arrays in objects. In an element that is an array, each of its elements is a column.
    private static func paths(in value: JSONValue, at path: JSONPath) -> [JSONPath] {
        switch value {
        case .object(let members) where !members.isEmpty:
            members.flatMap { paths(in: $0.value, at: JSONPath(path.components + [.key($0.key)])) }
        case .array(let elements) where path.components.isEmpty:
            elements.indices.map { JSONPath([.index($0)]) }
        default: [path]
        }
    }

    private static func value(of element: JSONValue, at path: JSONPath) -> JSONValue? {
        path.components.reduce(element) { value, component in
            switch component {
            case .key(let key): value?[key]
            case .index(let index): value?[index]
            case .anyIndex, .anyKey: nil
            }
        }
    }

    private static func text(of value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .bool(let value): "\(value)"
        case .number(let number): number.description
        case .string(let text): text
        case .array, .object: value?.description ?? ""
        }
    }

    private func appendRow(_ fields: [String], to output: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { output.append(separator.rawValue) }
            switch separator {
            // An empty line is no row for many readers.
            case .comma where fields == [""]: output.append(contentsOf: "\"\"".utf8)
            case .comma: Self.appendQuoted(field.utf8, to: &output)
            case .tab: Self.appendEscaped(field.utf8, to: &output)
            }
        }
        output.append(UInt8(ascii: "\n"))
    }

    private static func appendQuoted(_ text: String.UTF8View, to output: inout [UInt8]) {
        guard text.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return output.append(contentsOf: text) }
        output.append(UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") { output.append(byte) }
            output.append(byte)
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func appendEscaped(_ text: String.UTF8View, to output: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\t"): output.append(contentsOf: "\\t".utf8)
            case UInt8(ascii: "\n"): output.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): output.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
            default: output.append(byte)
            }
        }
    }
}

import JSONPaths
import SluiceCore

/// Prints each scalar and each empty container of a document on a line, with its path: `owner.login = "lloyd"`. Memory holds the path
/// of one value.
package final class PathPrinter {
    private struct Frame {
        /// The length of the container's path.
        let pathLength: Int
        /// The index of the next element; nil in an object.
        var index: Int?
        var isEmpty = true
    }

    /// The lines that have not been taken.
    private var output: [UInt8] = []
    private var path: [UInt8] = []
    private var frames: [Frame] = []
    /// The path components of keys at the root and in other objects. Objects of one kind repeat their keys. Bytes, because equal strings
    /// may be different keys.
    private var components: [[UInt8]: [UInt8]] = [:]
    private var rootComponents: [[UInt8]: [UInt8]] = [:]
    private static let componentLimit = 10_000
    private let limit = 64 * 1024
    private let write: ([UInt8]) throws -> Void
    private var failure: (any Error)?

    /// - Parameter write: Receives lines.
    package init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

    /// Prints the values of a document, until `write` throws an error.
    ///
    /// - Throws: The error of the document, or that of `write`.
    package func print(_ input: any JSONInput, with decoder: JSONModelDecoder) throws {
        (path, frames) = ([], [])
        let result = Result { () throws(JSONModelError) in try decoder.sendTokens(of: input, to: receiver) }
        flush()
        if let failure { throw failure }
        try result.get()
    }

    /// Writes the lines so far.
    package func flush() {
        guard !output.isEmpty, failure == nil else { return output.removeAll(keepingCapacity: true) }
        do { try write(output) } catch { failure = error }
        output.removeAll(keepingCapacity: true)
    }

    // MARK: Tokens

    /// Begins a value: in an array, at the next index.
    private func begin() {
        guard let last = frames.indices.last else { return }
        frames[last].isEmpty = false
        guard let index = frames[last].index else { return }
        frames[last].index = index + 1
        path.removeSubrange(frames[last].pathLength...)
        path.append(contentsOf: "[\(index)]".utf8)
    }

    private func key(_ text: UnsafeBufferPointer<UInt8>) {
        guard let frame = frames.last else { return }
        path.removeSubrange(frame.pathLength...)
        path.append(contentsOf: component(Array(text), isAtRoot: path.isEmpty))
    }

    private func component(_ key: [UInt8], isAtRoot: Bool) -> [UInt8] {
        if let known = isAtRoot ? rootComponents[key] : components[key] { return known }
        let step = JSONPath.Component.key(String(decoding: key, as: UTF8.self))
        let text =
            isAtRoot
            ? Substring(JSONPath([step]).description).utf8
            : JSONPath([.index(0), step]).description.utf8.dropFirst(3)
        let component = Array(text)
        if isAtRoot, rootComponents.count < Self.componentLimit { rootComponents[key] = component }
        if !isAtRoot, components.count < Self.componentLimit { components[key] = component }
        return component
    }

    private func open(index: Int?) {
        begin()
        frames.append(Frame(pathLength: path.count, index: index))
    }

    private func close(_ text: StaticString) {
        guard let frame = frames.popLast() else { return }
        path.removeSubrange(frame.pathLength...)
        if frame.isEmpty { line { text.withUTF8Buffer { output.append(contentsOf: $0) } } }
    }

    private func scalar(_ append: () -> Void) {
        begin()
        line(append)
    }

    private func line(_ append: () -> Void) {
        output.append(contentsOf: path.isEmpty ? [UInt8(ascii: "$")] : path)
        output.append(contentsOf: " = ".utf8)
        append()
        output.append(UInt8(ascii: "\n"))
        if output.count >= limit { flush() }
    }

    private func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        output.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\n"): output.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): output.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): output.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                output.append(contentsOf: "\\u00\(digits.count < 2 ? "0" : "")\(digits)".utf8)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// The receiver of the tokens.
    private var receiver: JSONTokenReceiver {
        JSONTokenReceiver(
            self,
            startObject: { PathPrinter.of($0).open(index: nil) }, endObject: { PathPrinter.of($0).close("{}") },
            startArray: { PathPrinter.of($0).open(index: 0) }, endArray: { PathPrinter.of($0).close("[]") },
            key: { PathPrinter.of($0).key(UnsafeBufferPointer(start: $1, count: $2)) },
            string: { context, text, count in
                let printer = PathPrinter.of(context)
                printer.scalar { printer.appendQuoted(UnsafeBufferPointer(start: text, count: count)) }
            },
            number: { context, number in
                let printer = PathPrinter.of(context)
                printer.scalar { printer.output.append(contentsOf: JSONReceivedNumber(number).text) }
            },
            bool: { context, value in
                let printer = PathPrinter.of(context)
                printer.scalar { printer.output.append(contentsOf: (value ? "true" : "false").utf8) }
            },
            null: { context in
                let printer = PathPrinter.of(context)
                printer.scalar { printer.output.append(contentsOf: "null".utf8) }
            },
            isFinished: { PathPrinter.of($0).failure != nil })
    }

    private static func of(_ context: UnsafeRawPointer) -> PathPrinter {
        Unmanaged<PathPrinter>.fromOpaque(context).takeUnretainedValue()
    }
}

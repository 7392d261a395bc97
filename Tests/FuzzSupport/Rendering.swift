import Foundation
import Sluice
import TestSupport

/// A value's text, by which two values are compared: every stored property, also those that no JSON fills.
struct Rendering {
    /// How JSON that is kept as text is rendered.
    enum Mode {
        /// As it stands.
        case exact
        /// As it stands, and without the locations of errors, which differ where an element is decoded alone.
        case alone
        /// By its meaning: white space, escapes and the order of members do not count.
        case byMeaning
    }

    let mode: Mode
    fileprivate(set) var text = ""

    static func text(of value: Any, _ mode: Mode = .exact) -> String {
        var rendering = Rendering(mode: mode)
        rendering.add(value)
        return rendering.text
    }

    /// Whether the rendering, which is exact, contains JSON that is kept as text.
    static func keepsText(_ rendering: String) -> Bool { rendering.contains(JSONRaw.mark + "\"") }

    fileprivate mutating func add(_ value: Any) {
        if let value = value as? any Rendered { return value.render(into: &self) }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            guard let wrapped = mirror.children.first else {
                text += "nil"
                return
            }
            text += "?"
            add(wrapped.value)
        case .collection:
            add(mirror.children.map(\.value), "[", "]")
        case .set:
            addSorted(mirror.children.map(\.value), "{", "}")
        case .dictionary:
            addSorted(mirror.children.map(\.value), "{", "}")
        case .tuple:
            add(mirror.children.map(\.value), "(", ")")
        case .enum where mirror.children.isEmpty:
            text += ".\(value)"
        case .enum, .struct, .class:
            text += mirror.displayStyle == .enum ? "." : ""
            var properties = Array(mirror.children)
            var parent = mirror.superclassMirror
            while let known = parent {
                properties = known.children + properties
                parent = known.superclassMirror
            }
            text += "("
            for (index, property) in properties.enumerated() {
                if index > 0 { text += ", " }
                text += "\(property.label ?? "_"): "
                add(property.value)
            }
            text += ")"
        default:
            text += "\(value)"
        }
    }

    private mutating func add(_ values: [Any], _ open: String, _ close: String) {
        text += open
        for (index, value) in values.enumerated() {
            if index > 0 { text += ", " }
            add(value)
        }
        text += close
    }

    private mutating func addSorted(_ values: [Any], _ open: String, _ close: String) {
        text += open + values.map { Rendering.text(of: $0, mode) }.sorted().joined(separator: ", ") + close
    }
}

/// A value that renders itself.
private protocol Rendered {
    func render(into rendering: inout Rendering)
}

extension Rendered where Self: CustomStringConvertible {
    func render(into rendering: inout Rendering) { rendering.text += description }
}

extension Int: Rendered {}
extension Double: Rendered {}
extension Float: Rendered {}
extension Bool: Rendered {}

extension URL: Rendered {
    func render(into rendering: inout Rendering) { rendering.text += absoluteString.debugDescription }
}

extension String: Rendered {
    func render(into rendering: inout Rendering) { rendering.text += debugDescription }
}

extension Tracked: Rendered {
    func render(into rendering: inout Rendering) { rendering.text += "#" + text.debugDescription }
}

extension JSONValue: Rendered {
    func render(into rendering: inout Rendering) {
        switch self {
        case .null: rendering.text += "null"
        case .bool(let value): rendering.text += "\(value)"
        case .number(let number): rendering.text += number.description
        case .string(let string): rendering.text += string.debugDescription
        case .array(let elements):
            rendering.text += "[" + elements.map { Rendering.text(of: $0) }.joined(separator: ", ") + "]"
        case .object(let members):
            let pairs = members.map { "\($0.key.debugDescription): \(Rendering.text(of: $0.value))" }
            rendering.text += "{" + pairs.sorted().joined(separator: ", ") + "}"
        }
    }
}

extension JSONRaw: Rendered {
    fileprivate static let mark = "raw "

    func render(into rendering: inout Rendering) {
        guard rendering.mode == .byMeaning else {
            rendering.text += Self.mark + description.debugDescription
            return
        }
        var decoder = JSONModelDecoder()
        decoder.limits.depth = JSONLimits.maximumDepth
        do { rendering.text += Rendering.text(of: try decoder.decode(JSONValue.self, from: bytes)) } catch {
            rendering.text += Self.mark + "\(error)"
        }
    }
}

extension JSONLazy: Rendered {
    func render(into rendering: inout Rendering) {
        raw.render(into: &rendering)
        rendering.text += " is "
        do { rendering.add(try value) } catch {
            switch rendering.mode {
            case .exact: rendering.text += "\(error)"
            case .alone: rendering.text += error.issues.map { "\($0.kind)" }.joined(separator: ", ")
            case .byMeaning: rendering.text += "an error"
            }
        }
    }
}

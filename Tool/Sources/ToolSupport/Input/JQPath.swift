import JSONPaths

/// Paths in the syntax of jq.
package enum JQPath {
    /// Returns the path that a filter of jq selects, such as `a[*].b` for `.a[] | .b`; nil for a text that is not such a filter.
    package static func path(of filter: String) -> String? {
        var path = ""
        for part in filter.split(separator: "|", omittingEmptySubsequences: false) {
            let next = steps(of: part.drop { $0 == " " })
            path += next == "$" ? "" : next.first == "[" || path.isEmpty ? next : "." + next
        }
        if path.isEmpty { path = "$" }
        guard path != filter, let parsed = try? JSONPath(parsing: path) else { return nil }
        // An argument that begins with a hyphen is an option.
        return path.first == "-" ? parsed.description : path
    }

    /// Returns the path of all elements for that of the last element, such as `a[*]` for `a[-1]`; nil for a text that is not such a path.
    package static func elements(ofLast text: String) -> String? {
        guard text.contains("[-1]") else { return nil }
        let elements = text.replacing("[-1]", with: "[*]")
        return (try? JSONPath(parsing: elements)) == nil ? path(of: elements) : elements
    }

    private static func steps(of part: Substring) -> String {
        var text = String(part)
        while text.last == " " || text.last == "?" { text.removeLast() }
        if text.hasPrefix("$") { text.removeFirst() }
        text = text.replacing("[]", with: "[*]").replacing("?.", with: ".").replacing("?[", with: "[")
        text = text.replacing(".[", with: "[").replacing(#/\.("[^"]*")/#) { "[\($0.1)]" }
        if text.hasPrefix(".") { text.removeFirst() }
        return text.isEmpty ? "$" : text
    }
}

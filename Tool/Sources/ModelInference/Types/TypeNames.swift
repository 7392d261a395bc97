/// The names of declared types, each once, and the types that contain themselves.
struct TypeNames {
    private let prefix: String
    private var taken: Set<String> = []
    /// The number that is tried first for a name that is taken.
    private var nextNumbers: [String: Int] = [:]
    /// The types whose values are stored in those of each type, and not in an array or a dictionary.
    private var directParts: [String: [String]] = [:]
    /// The types that contain themselves, whose values are stored elsewhere.
    private(set) var recursive: Set<String> = []

    init(prefix: String) { self.prefix = prefix }

    /// Returns a name that no other type has.
    ///
    /// - Parameter parent: The type with the values.
    mutating func add(_ name: String, in parent: String?) -> String {
        // The key of an element may be a number.
        var name = name.contains(where: \.isLetter) ? name : (parent ?? "") + "Element"
        let nameInParent = parent.map { [$0 + name] } ?? []
        // A name that begins with JSON is taken with any number.
        if Names.isTaken(prefix + name + "1") { name = (parent ?? "Root") + name }
        let candidates = [prefix + name] + nameInParent + [prefix + name + "Model"]
        var unique = candidates.first(where: isFree)
        var number = nextNumbers[name] ?? 2
        while unique == nil {
            let numbered = "\(prefix)\(name)\(name.last?.isNumber == true ? "_" : "")\(number)"
            if isFree(numbered) { unique = numbered }
            number += 1
        }
        nextNumbers[name] = number
        taken.insert(unique ?? name)
        return unique ?? name
    }

    private func isFree(_ name: String) -> Bool { !Names.isTaken(name) && !taken.contains(name) }

    /// Notes that the values of a type are stored in those of another. Returns false if they cannot be.
    mutating func addPart(_ part: String, to whole: String?) -> Bool {
        guard let whole, !recursive.contains(part) else { return true }
        if directParts[whole]?.contains(part) == true { return true }
        var visited = recursive
        var open = [part]
        while let name = open.popLast() {
            if name == whole { return false }
            if visited.insert(name).inserted { open += directParts[name] ?? [] }
        }
        directParts[whole, default: []].append(part)
        return true
    }

    /// Stores the values of a type elsewhere than in those of others.
    mutating func makeRecursive(_ name: String) { recursive.insert(name) }
}

/// A container whose elements are not encoded in the order of the output, as a tree.
///
/// Examples are a nested container that is written to after its container, two values for one key, and the encoder of a
/// superclass that is released late. Such containers are rare. All others are written to the output at once.
final class EncodingTree {
    enum Value {
        /// JSON, indented for its depth.
        case text([UInt8])
        case container(EncodingTree)
    }

    let isArray: Bool
    /// The names of the members, unescaped. Empty for arrays.
    private(set) var names: [String] = []
    private(set) var values: [Value] = []
    /// The positions of the names.
    private var positions: [String: Int] = [:]

    init(isArray: Bool) { self.isArray = isArray }

    var count: Int { values.count }

    /// The value of a name, or nil.
    subscript(name: String) -> Value? {
        get { positions[name].map { values[$0] } }
        set {
            guard let newValue else { return }
            if let position = positions[name] {
                values[position] = newValue
            } else {
                positions[name] = values.count
                names.append(name)
                values.append(newValue)
            }
        }
    }

    func append(_ value: Value) { values.append(value) }

    func insert(_ value: Value, at index: Int) { values.insert(value, at: min(index, values.count)) }
}

extension EncodingTree {
    /// Writes the container.
    func write(to out: inout OutputBuffer, isSorted: Bool) {
        out.reserve(64)
        out.open(isArray ? "[" : "{")
        var order = Array(values.indices)
        if isSorted, !isArray { order.sort { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) } }
        for index in order {
            out.reserve(128)
            out.comma()
            if !isArray {
                out.quoted(names[index])
                out.reserve(64)
                out.colon()
            }
            switch values[index] {
            case .text(let text): text.withUnsafeBufferPointer { out.verbatim($0) }
            case .container(let tree): tree.write(to: &out, isSorted: isSorted)
            }
            out.first = 0
        }
        out.close(isArray ? "]" : "}")
    }
}

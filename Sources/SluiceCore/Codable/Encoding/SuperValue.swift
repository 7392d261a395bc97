/// The place of a superclass's value, which its own tape writes to the container when the last encoder or container of the
/// tape is released.
struct SuperValue {
    enum Position {
        case member(String)
        case element(Int)
    }

    let parent: EncodingTape
    let container: UInt64
    let position: Position
}

extension EncodingTape {
    /// Returns the encoder of a superclass's value.
    func superEncoder(_ container: UInt64, _ position: SuperValue.Position, key: any CodingKey) -> any Encoder {
        let depth = index(of: container).map { nodes[$0].depth + 1 } ?? 0
        let tape = EncodingTape(
            options, base: path(of: container) + [key], depth: depth,
            superValue: SuperValue(parent: self, container: container, position: position))
        let root = tape.addValue(key: .none, parent: -1, entry: 0)
        tape.current = root
        return TapeEncoder(tape, root)
    }

    /// Writes the value of a superclass to its container.
    func finish(_ value: SuperValue) {
        // A value without any elements is an empty object.
        endValue(token(of: 0))
        if isTooDeep { value.parent.isTooDeep = true }
        switch value.position {
        case .member(let name): value.parent.add(out.written, value.container, name: name)
        case .element(let position): value.parent.insert(out.written, value.container, at: position)
        }
    }
}

extension JSONPath.Component {
    /// Whether this component of a stream's path selects a step of an element's path.
    func selects(_ step: JSONPath.Component) -> Bool {
        switch (self, step) {
        case (.every, .index), (.everyMember, .key): true
        default: self == step
        }
    }

    /// The JSON that opens the container of a step, up to the step's value. At least four bytes, which a source reads at once.
    var opening: [UInt8] {
        if case .key(let key) = self { return Array("{".utf8) + JSONValue.string(key).text + Array(":  ".utf8) }
        return Array("[   ".utf8)
    }
}

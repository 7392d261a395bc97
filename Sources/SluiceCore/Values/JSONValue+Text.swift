extension JSONValue: CustomStringConvertible {
    /// The value as JSON.
    public var description: String { String(decoding: text, as: UTF8.self) }

    /// The value as JSON, in UTF-8.
    var text: [UInt8] {
        // The walk throws only for values that are not JSON or too deep.
        do { return try TreeWalk.text(of: self, depth: .max) { $0.node } } catch { preconditionFailure("\(error)") }
    }

    /// The value as JSON with sorted keys. Equal values have equal JSON.
    var sortedText: [UInt8] {
        do { return try TreeWalk.text(of: self, depth: .max) { $0.sortedNode } } catch {
            preconditionFailure("\(error)")
        }
    }

    private var sortedNode: TreeNode<JSONValue> {
        guard case .object(let members) = self else { return node }
        return .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}

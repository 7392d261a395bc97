import Sluice

struct Row: JSONModel, Equatable {
    let id: Int
    let name: String

    static let plan = ModelPlan<Row>(JSONField(\.id, key: "id"), JSONField(\.name, key: "name"))

    /// The rows that the server sends.
    static let all = (0..<10_000).map { Row(id: $0, name: "row \($0)") }
}

import SluiceCore

// Models of one property.

struct Item: JSONModel, Equatable {
    var id: Int
    static let plan = ModelPlan<Item>(JSONField(\.id))
}

struct Point: JSONModel, Hashable {
    var x: Int
    static let plan = ModelPlan<Point>(JSONField(\.x))
}

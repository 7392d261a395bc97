// A user who has turned the macros off: a plan by hand, and no swift-syntax to clone.
import Sluice

struct Repository: JSONModel {
    let id: Int
    let name: String
    let owner: String
    var stars = 0
    let license: String?

    static let plan = ModelPlan<Repository>(
        JSONField(\.id, key: "id"),
        JSONField(\.name, key: "full_name"),
        JSONField(\.owner, key: "owner.login", or: "user.login"),
        JSONField(\.stars, key: "stars", default: 0),
        JSONField(\.license, key: "license"))
}

let text = #"[{"id": 1, "full_name": "sluice", "user": {"login": "me"}, "stars": 3}]"#
let repositories = try JSONModelDecoder().decode([Repository].self, from: text)
precondition(repositories.count == 1 && repositories[0].owner == "me" && repositories[0].stars == 3)
print("A plan by hand:", repositories[0])

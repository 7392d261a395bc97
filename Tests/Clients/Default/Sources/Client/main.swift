// A user of the package as it comes: the macro writes the plan.
import Sluice

@JSONModel
struct Repository {
    let id: Int
    @JSONKey("full_name") let name: String
    @JSONKey("owner.login", or: "user.login") let owner: String
    var stars = 0
    let license: String?
}

let text = #"[{"id": 1, "full_name": "sluice", "user": {"login": "me"}, "stars": 3}]"#
let repositories = try JSONModelDecoder().decode([Repository].self, from: text)
precondition(repositories.count == 1 && repositories[0].owner == "me" && repositories[0].stars == 3)
print("The macro's plan:", repositories[0])

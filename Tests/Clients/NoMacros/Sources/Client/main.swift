// A user who has turned the macros off and gzip on: a plan by hand, and no swift-syntax to clone.
import Sluice
import Swift5

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

let compressed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8B, 0xAE, 0x56, 0xCA, 0x4C, 0x51,
    0xB2, 0x52, 0x30, 0xD2, 0x51, 0x50, 0x4A, 0x2B, 0xCD, 0xC9, 0x89, 0xCF, 0x4B, 0xCC, 0x4D, 0x05,
    0xF2, 0x95, 0xAA, 0x72, 0x32, 0x93, 0x94, 0x80, 0x82, 0xF9, 0xE5, 0x79, 0xA9, 0x45, 0x40, 0x81,
    0x6A, 0xA5, 0x9C, 0xFC, 0xF4, 0xCC, 0x3C, 0x90, 0x54, 0x6E, 0x62, 0x4A, 0x0E, 0x50, 0xAC, 0xB6,
    0x36, 0x16, 0x00, 0x7B, 0xF4, 0x7B, 0x09, 0x3E, 0x00, 0x00, 0x00,
]
precondition(JSONCompression.gzip.isAvailable && !JSONCompression.zstd.isAvailable)
let decompressed = try JSONModelDecoder().decode([Repository].self, from: compressed)
precondition(decompressed.map(\.name) == ["zlib"])

try useCoders()

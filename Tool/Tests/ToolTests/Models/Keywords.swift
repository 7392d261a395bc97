#if Macros
import Foundation
import Sluice

/// The models of the schemas in Fixtures/Schemas/Keywords.json.
enum Keywords {
    enum Types {
        @JSONModel
        struct Root: Sendable {
            let integer: Int
            let number: Double
            let text: String
            let flag: Bool
            let maybe: String?
            let either: IntOrString
            let list: [JSONValue]
            let object: [String: JSONValue]
        }

        @JSONModel(.untagged)
        enum IntOrString: Sendable {
            case int(Int)
            case string(String)
        }
    }

    enum Members {
        @JSONModel
        struct Root: Sendable {
            let name: String
            let age: Int?
            let address: Address?
        }

        @JSONModel
        struct Address: Sendable {
            let city: String
        }
    }

    enum Containers {
        @JSONModel
        struct Root: Sendable {
            let rows: [[Int]]
            let points: [Point]
            let counts: [String: Int]
        }

        @JSONModel
        struct Point: Sendable {
            let x: Double
        }
    }

    enum Choices {
        @JSONModel
        struct Root: Sendable {
            let color: RootColor
            let size: IntOrString?
            let level: Int
            let kind: Kind
        }

        @JSONModel
        enum RootColor: String, Sendable {
            case red
            case lightGreen = "light green"
        }

        @JSONModel(.untagged)
        enum IntOrString: Sendable {
            case int(Int)
            case string(String)
        }

        @JSONModel
        enum Kind: String, Sendable {
            case choice
        }
    }

    enum AnyOf {
        @JSONModel
        struct Root: Sendable {
            let id: IntOrString
            let note: String?
            let any: JSONValue
        }

        @JSONModel(.untagged)
        enum IntOrString: Sendable {
            case int(Int)
            case string(String)
        }
    }

    enum OneOf {
        @JSONModel
        struct Root: Sendable {
            let shapes: [RootShape]
        }

        @JSONModel(tag: "type")
        enum RootShape: Sendable {
            case circle(Circle)
            case path(RootShapePath)
        }

        @JSONModel
        struct Circle: Sendable {
            let radius: Double
        }

        @JSONModel
        struct RootShapePath: Sendable {
            let points: [Int]
        }
    }

    enum AllOf {
        @JSONModel
        struct Root: Sendable {
            let team: String
            let name: String
            let salary: Int?
        }
    }

    enum References {
        @JSONModel
        struct Tree: Sendable {
            let value: AB
            let children: [Tree]?
        }

        @JSONModel
        struct AB: Sendable {
            let text: String
        }
    }
}
#endif

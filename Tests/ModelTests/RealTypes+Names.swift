#if Macros
import Sluice

#if compiler(>=6.3) && canImport(SwiftSyntax603)
/// Hides the module of the same name from all expansions in this module.
enum Sluice {
    struct JSONField {}
}

enum Swift {}
#endif

/// Members of instances that have the names of static members which the macro adds.
@JSONModel
struct Subscription {
    var plan: String
    let jsonShape: Int
    var fields: [Int] = []
}

@JSONModel
final class SubscriptionClass {
    var plan: String
    var storage: Int
    init(plan: String) {
        self.plan = plan
        storage = 0
    }
}

@JSONModel(tag: "type", fallback: "unknown")
enum Tier {
    case free(plan: String, cases: Int)
    case paid(Subscription)
    case unknown
}

enum Build { static let isLarge = true }

/// Initial values that cannot be arguments of a call.
@JSONModel
struct ConditionalValues {
    var limit = if Build.isLarge { 100 } else { 10 }
    var name: String =
        switch Build.isLarge {
        case true: "large"
        case false: "small"
        }
}

@JSONModel
final class ConditionalValuesClass {
    var limit = if Build.isLarge { 100 } else { 10 }
}

/// Cases and a label with names of the language, if their first letter is a capital.
@JSONModel
enum Meta: Equatable {
    case type(name: String)
    case `protocol`(Type: Int)
    case any(of: [Int])
}
#endif

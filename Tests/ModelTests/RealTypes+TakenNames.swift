#if Macros
import Sluice

/// Types of a program that have the names in the expansions of its models. Within this enum, these types are found first.
enum TakenNames {
    @JSONModel enum Plan: String { case free, pro }
    @JSONModel struct Partial: Equatable { var a = 0 }
    @JSONModel struct ModelPlan: Equatable { var a = 0 }
    @JSONModel struct JSONCase: Equatable { var a = 0 }
    @JSONModel struct JSONField: Equatable { var a = 0 }
    @JSONModel struct JSONShape: Equatable { var a = 0 }
    @JSONModel struct JSONConvertible: Equatable { var a = 0 }
    @JSONModel struct _AnyModelPlan: Equatable { var a = 0 }
    @JSONModel struct JSONStorage: Equatable { var a = 0 }
    @JSONModel struct JSONInitial: Equatable { var a = 0 }
    @JSONModel struct JSONDefaultCases: Equatable { var a = 0 }
    @JSONModel struct JSONValue: Equatable { var a = 0 }
    @JSONModel struct JSONValidationError: Equatable { var a = 0 }
    @JSONModel struct Assignment: Equatable { var a = 0 }
    @JSONModel struct Making: Equatable { var a = 0 }
    @JSONModel struct Property: Equatable { var a = 0 }
    @JSONModel struct Model: Equatable { var a = 0 }
    @JSONModel struct Storage: Equatable { var a = 0 }
    @JSONModel struct Decoder: Equatable { var a = 0 }
    @JSONModel struct Encoder: Equatable { var a = 0 }

    /// Constants that default values use.
    static let fields = 1
    static let cases = 2
    static let storage = 3
    static let model = 4

    /// The types as types of properties, in each kind of storage.
    @JSONModel struct Types: Equatable {
        var plan: Plan = Plan.free
        var partial: Partial?
        var modelPlan: ModelPlan?
        var jsonCase: JSONCase?
        var jsonField: JSONField?
        var jsonShape: JSONShape?
        var convertible: JSONConvertible?
        var anyPlan: _AnyModelPlan?
        var storage: JSONStorage?
        var initial: JSONInitial?
        var defaultCases: JSONDefaultCases?
        var value: JSONValue?
        var validation: JSONValidationError?
        var assignment: Assignment?
        var making: Making?
        var property: Property?
        var model: Model?
        var ownStorage: Storage?
        var decoder: Decoder?
        var encoder: Encoder?
        var number = fields + cases + TakenNames.storage + TakenNames.model
    }

    @JSONModel(.codable) final class ClassOfTypes {
        var plan: Plan = .free
        var storage: JSONStorage
        var initial: JSONInitial? = nil
        var field: [JSONField] = []
        let shape: [String: JSONShape]
        var decoder: Decoder?
        var encoder: Encoder?
        var number: Int = fields
        @JSONDefault(on: .mismatch) var other: Int = cases
    }

    @JSONModel class Base {
        var plan: Plan
        var storage: JSONStorage?
        var initial: JSONInitial?
        var assignment: Assignment?
        var making: Making?
        init(plan: Plan) { self.plan = plan }
    }

    @JSONModel final class Derived: Base {
        var partial: Partial?
        var number = fields
    }

    @JSONModel enum Union: Equatable {
        case plan1(Plan)
        case storage(JSONStorage)
        case shape(JSONShape)
        case labels(plan: Plan, storage: JSONStorage?, Plan: ModelPlan?, count: Int = cases)
        case none
    }

    @JSONModel(.untagged) enum Untagged: Equatable {
        case plan1(Plan)
        case jsonCase(JSONCase)
    }

    /// The names as names of properties.
    @JSONModel class Names {
        var plan = 1
        var jsonShape = 1
        var jsonPlan = 1
        var jsonBase = 1
        var jsonInitial = 1
        var jsonFinish = 1
        var jsonAssign = 1
        var jsonModel = 1
        var jsonStorage = 1
        var jsonField = 1
        var jsonHook = 1
        var fields = 1
        var cases = 1
        var add1 = 1
        var base = 1
        var own = 1
        var storage = 1
        var model = 1
        var make = 1
        var finish = 1
        var property = 1
        var read = 1
        var assign = 1
        var value = 1
        var erasedPlan = 1
        var _fields = 1
        var decoder = 1
        var encoder = 1
        init(plan: Int) { self.plan = plan }
    }

    @JSONModel final class MoreNames: Names {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var Plan = 2
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var JSONStorage = 2
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var JSONInitial = 2
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var Partial = 2
    }

    @JSONModel struct ObservedNames {
        var plan = 1 { didSet {} }
        var jsonStorage = 1
        var jsonAssign = 1
        var storage = 1
        var model = 1
        var fields: Int = TakenNames.fields
        var `inout` = 1
        func didDecode() {}
    }

    /// The names as names of cases. The cases `plan` and `jsonShape` are refused with a message.
    @JSONModel enum CaseNames: Equatable {
        case jsonPlan, jsonStorage, jsonField, jsonHook, fields, cases, storage, model, value, make, read
        case other(value: Int, jsonPlan: Int, plan: Int)
    }

    /// Members with the names of their types.
    @JSONModel(.partial) struct TypeNames: Equatable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let Plan: Plan
    }

    @JSONModel enum CaseTypeNames: Equatable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case Twice(Twice)
        case pass(`inout`: Int)
    }

    @JSONModel enum RawNames: String { case plan, jsonPlan, fields, values, fallback }

    /// A type with its own name in itself.
    @JSONModel struct Twice: Equatable {
        @JSONModel struct Twice: Equatable { var b = 0 }
        var a: Twice?
        var c = 1 { didSet {} }
    }

    @JSONModel enum TwiceEnum: Equatable {
        @JSONModel struct TwiceEnum: Equatable { var b = 0 }
        case a(TwiceEnum)
        case b
    }
}
#endif

#if Macros
import SwiftSyntax

// Classes with superclasses and subclasses.
//
// The storage of a subclass begins with its superclass's, and its initializer passes that on. But a subclass whose
// properties all have values and which has no initializer inherits those of its superclass, and one of ours would
// take them away. Such a class is made by an initializer that it inherits, and its own properties are assigned
// after. A subclass can't see which of the two its superclass does, so every storage says it: `jsonInitial` is
// what the initializer takes, and `jsonFinish` assigns what it leaves out.
extension PlanRenderer {
    /// What the storage of such a class has beside its properties.
    var familyMembers: [String] {
        guard model.isInFamily else { return [] }
        return [""] + (model.inheritsInitializers ? inherited : own) + assigning
    }

    private var own: [String] {
        guard model.kind == .openClass else { return [] }
        return [
            "\(access)typealias JSONInitial = JSONStorage",
            "\(access)var jsonInitial: JSONInitial { self }",
            "\(access)func jsonFinish(_ model: \(model.name)) {}",
        ]
    }

    private var inherited: [String] {
        let name = model.name
        let access = model.kind == .openClass ? access : ""
        return [
            "\(access)typealias JSONInitial = \(model.superclass ?? "").JSONStorage.JSONInitial",
            "\(access)var jsonInitial: JSONInitial { jsonBase.jsonInitial }",
            "\(access)func jsonFinish(_ model: \(name)) {",
            indented("jsonBase.jsonFinish(model)"),
            indented("let finish: \(sluice)JSONAssignment<\(name), JSONStorage> = \(calling("jsonFinishing"))"),
            indented("finish(self, model)"),
            "}",
            "func jsonModel() -> \(name) {",
            indented("let make: \(sluice)JSONMaking<\(name), JSONInitial> = \(making)"),
            indented("let model = make(jsonInitial)"),
            indented("jsonFinish(model)"),
            indented("return model"),
            "}",
        ]
    }

    private var making: String {
        initializesOnItsActor
            ? "\(sluice)jsonMaking(\(model.name).init(jsonStorage:))" : "{ \(model.name)(jsonStorage: $0) }"
    }

    /// Nil if there is a constant, be it the superclass's.
    private var assigning: [String] {
        let name = model.name
        let access = model.kind == .openClass ? access : ""
        let head = "\(access)static var jsonAssign: \(sluice)JSONAssignment<\(name), JSONStorage>? {"
        guard model.isAssignable, !model.isOnOtherActor else { return [head, indented("nil"), "}"] }
        guard let superclass = model.superclass else {
            return [head, indented(calling("jsonAssigning")), "}"]
        }
        return [
            head,
            indented("guard let base = \(superclass).JSONStorage.jsonAssign else { return nil }"),
            indented("let own: \(sluice)JSONAssignment<\(name), JSONStorage> = \(calling("jsonAssigning"))"),
            indented("return { storage, model in"),
            indented(indented("base(storage.jsonBase, model)")),
            indented(indented("own(storage, model)")),
            indented("}"),
            "}",
        ]
    }
}
#endif

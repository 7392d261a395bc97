#if Macros
import SwiftSyntax

// Classes with superclasses and subclasses.
//
// The storage of a subclass begins with the storage of its superclass, and the initializer passes this part on. A
// subclass inherits the initializers of its superclass if its properties all have values and it declares no initializer.
// An initializer of the macro would prevent this. Such a class is created by an inherited initializer, and its own
// properties are assigned afterwards. A subclass can't see which kind its superclass is. Every storage therefore has two
// members: `_jsonInitial` is the argument of the initializer, and `_jsonFinish` assigns the remaining properties.
extension PlanRenderer {
    /// The members of the storage of such a class, in addition to its properties.
    var familyMembers: [String] {
        guard model.isInFamily else { return [] }
        return [""] + (model.inheritsInitializers ? inherited : own) + assigning
    }

    private var own: [String] {
        guard model.kind == .openClass else { return [] }
        return [
            "\(access)typealias _JSONInitial = _JSONStorage",
            "\(access)var _jsonInitial: _JSONInitial { self }",
            "\(access)func _jsonFinish(_ model: \(model.name)) {}",
        ]
    }

    private var inherited: [String] {
        let name = model.name
        let access = model.kind == .openClass ? access : ""
        return [
            "\(access)typealias _JSONInitial = \(model.superclass ?? "")._JSONStorage._JSONInitial",
            "\(access)var _jsonInitial: _JSONInitial { _jsonBase._jsonInitial }",
            "\(access)func _jsonFinish(_ model: \(name)) {",
            indented("_jsonBase._jsonFinish(model)"),
            indented("let finish: \(sluice)_JSONMacro.Assignment<\(name), _JSONStorage> = \(calling("finishing"))"),
            indented("finish(self, model)"),
            "}",
            "func _jsonModel() -> \(name) {",
            indented("let make: \(sluice)_JSONMacro.Making<\(name), _JSONInitial> = \(making)"),
            indented("let model = make(_jsonInitial)"),
            indented("_jsonFinish(model)"),
            indented("return model"),
            "}",
        ]
    }

    /// The member that assigns a storage to an existing model. The value of this member is nil if the class or its
    /// superclass has a decoded constant.
    private var assigning: [String] {
        let name = model.name
        let access = model.kind == .openClass ? access : ""
        let head = "\(access)static var _jsonAssign: \(sluice)_JSONMacro.Assignment<\(name), _JSONStorage>? {"
        guard model.isAssignable, !model.isOnOtherActor else { return [head, indented("nil"), "}"] }
        guard let superclass = model.superclass else {
            return [head, indented(calling("assigning")), "}"]
        }
        return [
            head,
            indented("guard let base = \(superclass)._JSONStorage._jsonAssign else { return nil }"),
            indented("let own: \(sluice)_JSONMacro.Assignment<\(name), _JSONStorage> = \(calling("assigning"))"),
            indented("return { storage, model in"),
            indented(indented("base(storage._jsonBase, model)")),
            indented(indented("own(storage, model)")),
            indented("}"),
            "}",
        ]
    }
}
#endif

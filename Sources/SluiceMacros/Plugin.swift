// Overview of this folder. A declaration passes through it in one direction:
//
//     JSONModelMacro ─→ ModelDeclaration (parse to a plain value) ─→ PlanRendering (generate code)
//                              └─→ Diagnostics (messages, locations and fix-its)
//
// All other files need the package trait `Macros`. Without the trait, this file compiles to a stub that does not need
// swift-syntax.

#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct SluicePlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [JSONModelMacro.self, PropertyMacro.self]
}
#else
@main
struct SluicePlugin {
    static func main() {}
}
#endif

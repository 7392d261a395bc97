// Start here. A declaration goes through this folder in one direction:
//
//     JSONModelMacro ─→ ModelDeclaration (parse to a plain value) ─→ PlanRendering (write code)
//                              └─→ Diagnostics (what is wrong, where, and the fix-it)
//
// All but this file is behind the package trait `Macros`; without it a stub stands in, so that the target
// compiles with no swift-syntax at hand.

#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct SluicePlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        JSONModelMacro.self,
        JSONKeyMacro.self,
        JSONIgnoreMacro.self,
        JSONDefaultMacro.self,
        JSONTransformMacro.self,
        JSONLossyMacro.self,
        JSONFlattenMacro.self,
        JSONEmbeddedMacro.self,
        JSONExtraMacro.self,
        JSONCoercionMacro.self,
    ]
}
#else
@main
struct SluicePlugin {
    static func main() {}
}
#endif

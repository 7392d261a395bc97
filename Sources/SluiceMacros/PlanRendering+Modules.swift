#if Macros
// The prefixes of names from a module. A module selector, as in `Sluice::JSONField`, avoids a conflict with a type that has
// the name of the module. The compiler that builds the macro also compiles its expansions, and swift-syntax parses them.

#if compiler(>=6.3) && canImport(SwiftSyntax603)
let sluice = "Sluice::"
let swift = "Swift::"
#else
let sluice = "Sluice."
let swift = "Swift."
#endif
#endif

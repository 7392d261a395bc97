#if Macros
// The prefixes of names from a module. A module selector, as in `Sluice::JSONField`, avoids a conflict with a type that has
// the name of the module. The compiler that builds the macro also compiles its expansions.

#if compiler(>=6.3)
let sluice = "Sluice::"
let swift = "Swift::"
#else
let sluice = "Sluice."
let swift = "Swift."
#endif
#endif

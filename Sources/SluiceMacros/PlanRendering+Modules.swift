#if Macros
// What precedes the name of a type or function of a module. With a module selector (`Sluice::Field`) a type named like the
// module does not get in the way. A macro is built by the compiler that compiles its expansions.

#if compiler(>=6.3)
let sluice = "Sluice::"
let swift = "Swift::"
#else
let sluice = "Sluice."
let swift = "Swift."
#endif
#endif

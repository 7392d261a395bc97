// The first source of the module in the order of paths, and named after the module. In a debug build, Swift Build expects the
// dependencies of a module in a file with the name of the first source, and the compiler writes the dependencies of a whole module to a
// file with the name of the module.

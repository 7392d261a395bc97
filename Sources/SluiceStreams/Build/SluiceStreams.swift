// The file is the first source of the module for the same reason as SluiceCore.swift.

// The file is the first source of the module for the same reason as SluiceCore.swift.
@_exported import SluiceCodable
@_exported import SluiceCore
@_exported import SluiceSchemas
@_exported import SluiceStreams

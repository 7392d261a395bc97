// The scalars of the standard library. Each has its own case in the driver's switch.

private func shape<T>(_ type: T.Type, _ kind: ValueKind) -> JSONShape { JSONShape(type, kind: kind) }

extension String: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .string) }
}
extension Bool: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .bool) }
}
extension Int: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        shape(Self.self, MemoryLayout<Int>.size == 8 ? .int : .int32)
    }
}
extension Int8: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .int8) }
}
extension Int16: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .int16) }
}
extension Int32: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .int32) }
}
extension Int64: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .int64) }
}
extension Int128: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .int128) }
}
extension UInt: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .uint) }
}
extension UInt8: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .uint8) }
}
extension UInt16: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .uint16) }
}
extension UInt32: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .uint32) }
}
extension UInt64: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .uint64) }
}
extension UInt128: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .uint128) }
}
extension Double: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .double) }
}
extension Float: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .float) }
}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
extension Float16: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { shape(Self.self, .half) }
}
#endif

extension NumberToken {
    /// Writes the number as a value of a numeric kind. Returns the reason if the type cannot hold the number.
    @inline(never)
    func fill(_ target: UnsafeMutableRawPointer, as kind: ValueKind) -> JSONModelError.ConversionFailure? {
        switch kind {
        case .int: return fill(target, Int.self)
        case .int8: return fill(target, Int8.self)
        case .int16: return fill(target, Int16.self)
        case .int32: return fill(target, Int32.self)
        case .int64: return fill(target, Int64.self)
        case .int128: return fill(target, Int128.self)
        case .uint: return fill(target, UInt.self)
        case .uint8: return fill(target, UInt8.self)
        case .uint16: return fill(target, UInt16.self)
        case .uint32: return fill(target, UInt32.self)
        case .uint64: return fill(target, UInt64.self)
        case .uint128: return fill(target, UInt128.self)
        case .double:
            guard let value = floatingPoint(Double.self) else { return .outOfRange }
            target.initializeMemory(as: Double.self, to: value)
            return nil
        case .float:
            guard let value = floatingPoint(Float.self) else { return .outOfRange }
            target.initializeMemory(as: Float.self, to: value)
            return nil
        #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        case .half:
            guard let value = floatingPoint(Float16.self) else { return .outOfRange }
            target.initializeMemory(as: Float16.self, to: value)
            return nil
        #endif
        default: return .mismatch
        }
    }

    @inline(__always)
    private func fill<T: FixedWidthInteger>(_ target: UnsafeMutableRawPointer, _: T.Type) -> JSONModelError
        .ConversionFailure?
    {
        switch integer(T.self, into: target.assumingMemoryBound(to: T.self)) {
        case .exact: nil
        case .notInteger: .notAnInteger
        case .outOfRange: .outOfRange
        }
    }
}

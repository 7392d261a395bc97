import SluiceCore

/// The integer types of every width.
public enum IntegerTypes {
    public static let all: [any (FixedWidthInteger & JSONConvertible & Sendable).Type] = [
        Int8.self, Int16.self, Int32.self, Int64.self, Int.self, Int128.self, UInt8.self, UInt16.self, UInt32.self,
        UInt64.self, UInt.self, UInt128.self,
    ]
}

extension FixedWidthInteger {
    /// The digits of the number above the greatest one, which no type holds. The last digit of no bound is a 9.
    public static var textAbove: String { incremented("\(max)") }
    /// The digits of the number below the least one.
    public static var textBelow: String { min == 0 ? "-1" : incremented("\(min)") }

    private static func incremented(_ digits: String) -> String {
        digits.dropLast() + "\(digits.last!.wholeNumberValue! + 1)"
    }
}

/// One small change of a source, which a test must find.
public struct Fault: Sendable {
    /// The kinds of faults: the mutation operators.
    public enum Kind: String, Sendable, CaseIterable, Codable {
        /// A comparison that includes or excludes the equal case, or has the opposite result.
        case comparison
        /// `&&` in place of `||`, and a negation left out.
        case logic
        /// A condition that always or never holds.
        case condition
        /// An operator of arithmetic or of bits in place of the opposite one.
        case arithmetic
        /// `+` in place of `&+`. Off by default, because the fault is visible only where a number wraps.
        case overflow
        /// A constant that is one larger, the opposite Boolean value, or the next character.
        case constant
        /// A statement that is left out: a call or an assignment.
        case omission
        /// The branches of a conditional expression, or `min` and `max`, in place of each other.
        case branch
        /// `break` in place of `continue`, and `fallthrough` or an early `return` left out.
        case jump
    }

    public let kind: Kind
    /// The changed bytes of the source.
    public let range: Range<Int>
    public let replacement: String
    /// Changes besides the one at `range`, at later positions.
    let others: [(range: Range<Int>, replacement: String)]
    /// The number that selects the fault.
    public internal(set) var number: Int32 = 0

    init(
        _ kind: Kind, _ range: Range<Int>, _ replacement: String,
        and others: [(range: Range<Int>, replacement: String)] = []
    ) {
        self.kind = kind
        self.range = range
        self.replacement = replacement
        self.others = others
    }
}

/// A part of a source that is written once for each of its faults, and once without any.
final class Host {
    enum Form {
        /// A statement, or an expression that is the result of a body.
        case statement
        /// `break` and other jumps, which cannot be inside a `switch`.
        case jump
        /// The value of a declaration.
        case value
        /// A Boolean expression in a condition.
        case condition
        /// Another expression.
        case expression
        /// The body of a function. No faults belong to the body itself.
        case body
    }

    let form: Form
    let range: Range<Int>
    var faults: [Fault] = []
    /// The hosts inside, in the order of their positions.
    var children: [Host] = []
    weak var parent: Host?
    /// The position among all hosts of the source.
    var index = 0

    init(_ form: Form, _ range: Range<Int>) {
        self.form = form
        self.range = range
    }

    /// The host and all hosts inside.
    var all: [Host] { [self] + children.flatMap(\.all) }

    /// The nearest body around the host.
    var body: Host? { form == .body ? self : parent?.body }
}

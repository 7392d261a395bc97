import SluiceCore
import Synchronization

/// Counts the instances of a group of tests, so that a leak or a second release is detected.
public final class InstanceCounter: Sendable {
    private let alive = Atomic<Int>(0)
    private let made = Atomic<Int>(0)
    private let failing = Atomic<Int>(-1)

    public init() {}

    /// The number of live instances.
    public var live: Int { alive.load(ordering: .sequentiallyConsistent) }

    public func add() { alive.add(1, ordering: .sequentiallyConsistent) }
    public func remove() { alive.subtract(1, ordering: .sequentiallyConsistent) }

    /// The number of live instances, which becomes zero.
    public func takeLive() -> Int { alive.exchange(0, ordering: .sequentiallyConsistent) }

    /// Restarts the numbering of the instances, of which one may fail.
    public func reset(failing number: Int = -1) {
        restart()
        failing.store(number, ordering: .sequentiallyConsistent)
    }

    /// Gives the next instance the number zero.
    public func restart() { made.store(0, ordering: .sequentiallyConsistent) }

    /// Numbers an instance that is decoded, and returns whether it fails.
    fileprivate func nextFails() -> Bool {
        let number = made.add(1, ordering: .sequentiallyConsistent).oldValue
        return number == failing.load(ordering: .sequentiallyConsistent)
    }
}

/// Tests that run one after another, and have a counter of their own: other tests run at the same time.
public protocol InstanceGroup: Sendable {
    static var instances: InstanceCounter { get }
}

/// The error of an instance that cannot be decoded.
public struct InstanceFailure: Error, Equatable, CustomStringConvertible {
    public var description: String { "refused: an instance" }
}

/// An instance with a string, which is counted while it lives.
///
/// The string `refused` and the key `no key` cannot be decoded.
public final class Instance<Group: InstanceGroup>: JSONConvertible, JSONDictionaryKey, Sendable,
    CustomStringConvertible
{
    public let text: String

    public init(_ text: String) {
        self.text = text
        Group.instances.add()
    }

    deinit { Group.instances.remove() }

    public convenience init?(jsonKey: String) {
        if jsonKey == "no key" { return nil }
        self.init(jsonKey)
    }

    public var jsonKey: String { text }
    public var description: String { text }

    public static var jsonShape: JSONShape {
        .scalar(Instance.self, expecting: "a counted string") { scalar in
            guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
            if Group.instances.nextFails() || text == "refused" { throw InstanceFailure() }
            return Instance(text)
        } write: {
            .string($0.text)
        }
        .schema(["type": "string"])
    }

    public static func == (a: Instance, b: Instance) -> Bool { a.text == b.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

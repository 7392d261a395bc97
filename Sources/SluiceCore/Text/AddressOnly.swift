import Synchronization

/// A member that makes its type address-only, so that a value stays where it was made.
///
/// The compiler moves a value of another large type to the stack before it destroys the value: 60 of 2,200 instructions for a short document.
struct AddressOnly: ~Copyable {
    // The memory of an atomic value has an address for its whole life.
    private let byte = Atomic<Bool>(false)
}

import Testing

/// The tests that count the instances of the pool run one after another, because they share the counter.
@Suite(.serialized)
enum FuzzPoolTests {}

import Testing

/// Bugs that were found and fixed. Each has a test that fails without its fix.
///
/// Leaks are in the suite `LeakTests`, whose tests run one after another.
@Suite enum Regressions {}

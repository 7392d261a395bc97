// The tests in Cases are compiled twice: here against Foundation, in SluiceCodableTests against Sluice.

import Foundation

typealias JSONDecoder = Foundation.JSONDecoder
typealias JSONEncoder = Foundation.JSONEncoder

/// Whether the tests run against Sluice.
let isSluice = false

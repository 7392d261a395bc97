// The tests in Cases, a link to the folder of FoundationCodableTests, are compiled here against Sluice.

import Foundation
import Sluice

typealias JSONDecoder = SluiceJSONDecoder
typealias JSONEncoder = SluiceJSONEncoder

/// Whether the tests run against Sluice.
let isSluice = true

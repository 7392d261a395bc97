// The tests in Cases, a link to the folder of FoundationCodableTests, are compiled here against Sluice.

import Sluice

typealias JSONDecoder = SluiceJSONDecoder
typealias JSONEncoder = SluiceJSONEncoder

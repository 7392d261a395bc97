#if Macros
import Sluice
import TestSupport
import Testing

@JSONModel
enum LimitedEvent {
    case start
    @available(macOS 99, iOS 99, *) case glass
    @available(Windows, unavailable) case touch(x: Int)
    @available(swift, introduced: 99) case future
    @available(swift, obsoleted: 6) case past(Int)
    @available(*, unavailable) case gone(String)
    case end(Int)
}

@Suite("Models with @available on cases")
struct AvailabilityTests {
    @Test func `available cases are decoded and encoded`() throws {
        for text in [#""start""#, #"{"touch":{"x":1}}"#, #"{"end":2}"#] {
            #expect(try encode(decode(LimitedEvent.self, text)) == text)
        }
        for text in [#""future""#, #"{"past":1}"#, #"{"gone":"a"}"#] {
            #expect(try !refusals(LimitedEvent.self, text).isEmpty, "\(text)")
        }
    }

    #if os(Linux)
    @Test func `a version of another platform does not limit a case`() throws {
        #expect(try encode(decode(LimitedEvent.self, #""glass""#)) == #""glass""#)
    }
    #endif
}
#endif

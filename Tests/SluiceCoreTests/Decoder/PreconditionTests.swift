import SluiceCore
import Testing

/// Options with values that are programming errors: the process ends.
struct PreconditionTests {
    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !os(Android)
    @Test func `an issue limit of zero or less is a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            _ = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: 0) }
        }
        await #expect(processExitsWith: .failure) {
            _ = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: -1) }
        }
        await #expect(processExitsWith: .success) {
            _ = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: 1) }
        }
    }

    @Test func `a member of a value that is no object is a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            var value: JSONValue = [1]
            value["a"] = 1
        }
        await #expect(processExitsWith: .failure) {
            var value: JSONValue = [1]
            value[1] = 1
        }
        await #expect(processExitsWith: .success) {
            var value: JSONValue = [1]
            value[0] = 2
        }
    }
    #endif
}

import SluiceCore
import Testing

/// Options with values that are programming errors: the process ends.
struct PreconditionTests {
    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !os(Android)
    @Test func `an issue limit of zero or less is a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            var decoder = JSONModelDecoder()
            decoder.errorPolicy = .collect(limit: 0)
        }
        await #expect(processExitsWith: .failure) {
            var decoder = JSONModelDecoder()
            decoder.errorPolicy = .collect(limit: -1)
        }
        await #expect(processExitsWith: .success) {
            var decoder = JSONModelDecoder()
            decoder.errorPolicy = .collect(limit: 1)
        }
    }
    #endif
}

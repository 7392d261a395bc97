import Synchronization

/// The options of a decoder.
package struct DecodingOptions: Sendable {
    var source = JSONModelDecoder.Source.reference
    package var limits = JSONLimits()
    var duplicateKeys = JSONModelDecoder.DuplicateKeys.lastWins
    var coercion = JSONCoercion.strict
    package var errorPolicy = JSONModelDecoder.ErrorPolicy.first
    /// The number of issues that this decoding call collects; nil if the first one is thrown. A partial value is returned with all issues,
    /// whatever the policy is.
    var collectedLimit: Int? {
        if case .collect(let limit) = errorPolicy { limit } else { isPartial ? .max : nil }
    }
    package var elementErrors = JSONModelDecoder.ElementErrorPolicy.throw
    /// The threads that decode the elements of a stream.
    package var workers = JSONWorkers.exactly(1)
    /// The `ArrayCollector` of a decoder with several threads; nil for one thread.
    package var arrayCollector: (any AnyObject & Sendable)?
    /// Receives the issues that the driver recovered from.
    package var issueHandler: (@Sendable (JSONIssue) -> Void)?
    /// Receives the progress after each window of a file, or each chunk of a stream.
    package var progressHandler: (@Sendable (JSONProgress) -> Void)?
    /// Receives the summary of each stream at its end.
    package var summaryHandler: (@Sendable (JSONStreamSummary) -> Void)?
    /// Values for hooks, transforms and `Decodable` types.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Whether the parse stops when all requested values are present.
    var stopsEarly = false
    /// Whether containers in the window are examined before their tokens, instead of recorded. The results are the same.
    package var looksAhead = true
    /// Whether as much as possible is decoded.
    package var isPartial = false
    /// The location of the input, if it is a fragment of a document.
    var fragment: FragmentLocation?
    /// The options that change plans.
    package var planOptions = PlanCache.Options()

    /// The plans under these options.
    var planCache: PlanCache { planOptions.planCache }

    /// The options in an immutable object, which the copies of a decoder share and which a call borrows.
    package final class Shared: DecodingContext, Sendable {
        static let standard = Shared(DecodingOptions())
        package let value: DecodingOptions
        private let storedEngine = AtomicLazyReference<DecodingEngine>()

        init(_ value: DecodingOptions) { self.value = value }

        /// Returns the options for a fragment of the input.
        func located(at fragment: FragmentLocation) -> Shared {
            var options = value
            options.fragment = fragment
            return Shared(options)
        }

        /// Returns the engine for the types without a plan, which a closure makes when first needed. The engine must not own
        /// this object.
        package func engine(_ make: () -> DecodingEngine) -> DecodingEngine {
            storedEngine.load() ?? storedEngine.storeIfNil(make())
        }
    }
}

/// Owns the object that decodes the types without a plan under the options of a decoder.
package final class DecodingEngine: Sendable {
    package let object: any AnyObject & Sendable

    package init(_ object: any AnyObject & Sendable) { self.object = object }
}

/// The options of an encoder.
package struct EncodingOptions: Sendable {
    package var format = OutputFormat()
    /// Whether values are written in the canonical form.
    package var isCanonical = false
    /// Whether properties that are nil are written as `null`.
    package var writesNulls = false
    /// Whether keys are sorted.
    package var isSorted = false
    package var nonConformingFloats = JSONModelEncoder.NonConformingFloatStrategy.throw
    package var limits = JSONLimits()
    /// Values for hooks, transforms and `Encodable` types.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The options that change plans.
    package var planOptions = PlanCache.Options()

    package init() {}

    /// The plans under these options.
    package var planCache: PlanCache { planOptions.planCache }
}

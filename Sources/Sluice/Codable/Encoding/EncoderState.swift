/// The options of an encoder, and the memory that its calls use one after another.
final class EncoderState: Sendable {
    // Unchecked because a call is not `Sendable`. Only the thread that took the call from the state uses it.
    private struct Contents: @unchecked Sendable {
        var options = SluiceJSONEncoder.Options()
        /// The options in the form of the engine, made when first needed.
        var engineOptions: EncodableOptions?
        /// The number of the options if memory for them is shared.
        var sharedIndex: Int?
        /// The memory of the last call; nil during a call.
        var call: EncodableCall?

        /// Removes all that depends on the options.
        mutating func release() {
            if let sharedIndex, let call { SharedCalls.give(sharedIndex, call) }
            (engineOptions, sharedIndex, call) = (nil, nil, nil)
        }

        /// Returns the options of the engine, and memory for a call.
        mutating func take() -> (EncodableOptions, EncodableCall?) {
            if engineOptions == nil {
                sharedIndex = options.sharedIndex
                if let sharedIndex {
                    (engineOptions, call) = SharedCalls.take(sharedIndex, options)
                }
            }
            let known = engineOptions ?? options.engineOptions
            engineOptions = known
            defer { call = nil }
            return (known, call)
        }
    }

    private let contents = Lock(Contents())

    deinit { contents.withLock { $0.release() } }

    var options: SluiceJSONEncoder.Options { contents.withLock { $0.options } }

    func change(_ change: (inout SluiceJSONEncoder.Options) -> Void) {
        let old = contents.withLock { contents in
            let old = contents
            change(&contents.options)
            contents.release()
            return old
        }
        // Released after the lock, because a value of an option may use the encoder when it is released.
        withExtendedLifetime(old) {}
    }

    /// Calls a closure with the memory of the last call, or with new memory.
    func withCall<Result>(_ body: (EncodableCall) throws -> Result) throws -> Result {
        let (options, known) = contents.withLock { $0.take() }
        let call = known ?? EncodableCall(options)
        defer {
            contents.withLock { contents in
                // The options may have changed.
                if contents.engineOptions === options { contents.call = call }
            }
        }
        return try body(call)
    }
}

extension SluiceJSONEncoder.Options {
    /// The options in the form of the engine.
    var engineOptions: EncodableOptions {
        let floats: JSONModelEncoder.NonConformingFloatStrategy =
            switch nonConformingFloats {
            case .throw: .throw
            case .convertToString(let infinity, let negativeInfinity, let nan):
                .write(infinity: infinity, negativeInfinity: negativeInfinity, nan: nan)
            }
        let conversion: EncodableOptions.KeyConversion =
            switch keys {
            case .useDefaultKeys: .none
            case .convertToSnakeCase: .snakeCase
            case .custom(let convert): .custom(convert)
            }
        return EncodableOptions(
            types: FoundationWriters.types, isPretty: outputFormatting.contains(.prettyPrinted),
            isSorted: outputFormatting.contains(.sortedKeys),
            escapesSlashes: !outputFormatting.contains(.withoutEscapingSlashes), nonConformingFloats: floats,
            keys: conversion, userInfo: userInfo, strategies: FoundationWriters.Strategies(self),
            models: StrategicPlans.encoding(self))
    }
}

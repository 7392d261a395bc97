/// The memory of calls, shared by encoders that are created for each value.
///
/// The memory depends on the options. Options with closures, strings or user information are not shared.
enum SharedCalls {
    // Unchecked because a call is not `Sendable`. Only the encoder that took the call uses it.
    private struct Entry: @unchecked Sendable {
        let options: EncodableOptions
        /// The memory; nil while an encoder uses the memory.
        var call: EncodableCall?
    }

    private static let entries = Lock<[Int: Entry]>([:])

    /// Returns the options of the engine for an index, and the memory if available.
    static func take(_ index: Int, _ options: SluiceJSONEncoder.Options) -> (EncodableOptions, EncodableCall?) {
        entries.withLock { entries in
            let entry = entries[index] ?? Entry(options: options.engineOptions)
            entries[index] = Entry(options: entry.options)
            return (entry.options, entry.call)
        }
    }

    /// Stores memory that an encoder no longer needs.
    static func give(_ index: Int, _ call: EncodableCall) {
        entries.withLock { $0[index]?.call = call }
    }
}

extension SluiceJSONEncoder.Options {
    /// A number for each combination of options that have no closures, strings or user information; nil for other options.
    var sharedIndex: Int? {
        guard userInfo.isEmpty, case .throw = nonConformingFloats, outputFormatting.rawValue < 16 else {
            return nil
        }
        var index = Int(outputFormatting.rawValue)
        switch dates {
        case .deferredToDate: break
        case .secondsSince1970: index += 16
        case .millisecondsSince1970: index += 32
        case .iso8601: index += 48
        default: return nil
        }
        switch data {
        case .base64: break
        case .deferredToData: index += 64
        case .custom: return nil
        }
        switch keys {
        case .useDefaultKeys: break
        case .convertToSnakeCase: index += 128
        case .custom: return nil
        }
        return index
    }
}

#if Foundation || canImport(Darwin)
import Foundation
#else
import FoundationEssentials
#endif

/// The rules of Foundation's encoder for its own types.
enum FoundationWriters {
    /// The strategies of an encoder.
    final class Strategies: Sendable {
        let dates: SluiceJSONEncoder.DateEncodingStrategy
        let data: SluiceJSONEncoder.DataEncodingStrategy

        init(_ options: SluiceJSONEncoder.Options) {
            dates = options.dates
            data = options.data
        }
    }

    /// The writers of all types. Models are written by their plans.
    static let types = EncodableTypes(foundation: { type in
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(Date.self): writing(date)
        case ObjectIdentifier(Data.self): writing(data)
        case ObjectIdentifier(URL.self): writing { (url: URL, output) in output.write(url.absoluteString) }
        case ObjectIdentifier(Decimal.self): writing(decimal)
        default: nil
        }
    })

    private static func writing<T>(
        _ write: @escaping (T, EncodedValue) throws -> Void
    ) -> (UnsafeRawPointer, EncodedValue) throws -> Void {
        { address, output in try write(address.assumingMemoryBound(to: T.self).pointee, output) }
    }

    private static func strategies(_ output: EncodedValue) -> Strategies {
        guard let strategies = output.strategies as? Strategies else {
            preconditionFailure("The encoder has no strategies.")
        }
        return strategies
    }

    private static func date(_ date: Date, _ output: EncodedValue) throws {
        switch strategies(output).dates {
        case .deferredToDate: try output.write(date.timeIntervalSinceReferenceDate, isAlwaysFinite: false)
        case .secondsSince1970: try output.write(date.timeIntervalSince1970, isAlwaysFinite: true)
        case .millisecondsSince1970: try output.write(1000 * date.timeIntervalSince1970, isAlwaysFinite: true)
        case .iso8601: output.write(iso8601(date))
        #if Foundation || canImport(Darwin)
        case .formatted(let formatter): output.write(formatter.string(from: date))
        #endif
        case .custom(let encode): try output.write { try encode(date, $0) }
        }
    }

    /// Returns the date with whole seconds, as Foundation's format does.
    private static func iso8601(_ date: Date) -> String {
        // From the year 1600 on, all calendars agree.
        if date.timeIntervalSinceReferenceDate >= -12_622_780_800, let text = try? date.iso8601(.none) {
            return text
        }
        return date.formatted(.iso8601)
    }

    private static func data(_ data: Data, _ output: EncodedValue) throws {
        switch strategies(output).data {
        case .deferredToData: try output.write { try data.encode(to: $0) }
        case .base64: output.write(data.base64EncodedString())
        case .custom(let encode): try output.write { try encode(data, $0) }
        }
    }

    private static func decimal(_ decimal: Decimal, _ output: EncodedValue) throws {
        // Foundation writes NaN, which is not JSON.
        guard decimal.isFinite else {
            throw output.invalid(decimal, "Unable to encode Decimal.nan directly in JSON.")
        }
        output.write(number: decimal.description)
    }
}

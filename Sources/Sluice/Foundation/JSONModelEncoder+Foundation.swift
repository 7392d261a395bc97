#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONModelEncoder {
    /// The form of dates in the JSON. The default is ``JSONDateStrategy/automatic``, which encodes ISO 8601 strings.
    ///
    /// The strategy does not apply to properties with a transform.
    public var dateStrategy: JSONDateStrategy {
        get { self[JSONDateStrategy.self] ?? .automatic }
        set {
            self[JSONDateStrategy.self] = newValue
            override(newValue.shape, for: Date.self)
        }
    }
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation's outputs: `Data`, files by URL, and dictionaries.

extension JSONModelEncoder {
    /// How dates are written, where a property says nothing: as ISO 8601 text.
    public var dateStrategy: JSONDateStrategy {
        get { self[JSONDateStrategy.self] ?? .automatic }
        set {
            self[JSONDateStrategy.self] = newValue
            override(newValue.shape, for: Date.self)
        }
    }
}

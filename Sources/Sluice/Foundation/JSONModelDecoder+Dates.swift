#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONModelDecoder {
    /// How dates stand in the text: `automatic`. A property with a transform of its own is not concerned.
    public var dateStrategy: JSONDateStrategy {
        get { self[JSONDateStrategy.self] ?? .automatic }
        set {
            self[JSONDateStrategy.self] = newValue
            override(newValue.shape, for: Date.self)
        }
    }
}

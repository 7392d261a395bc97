// The description of models, on request.

/// Encodes models for their description.
private let describingEncoder: JSONModelEncoder = {
    var encoder = JSONModelEncoder()
    encoder.writesPropertyNames = true
    encoder.nonConformingFloatStrategy = .write(infinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
}()

extension CustomStringConvertible where Self: JSONModel {
    /// The name of the type and the JSON of the model, with the names of properties as keys: `User {"id":1,"name":"Ann"}`.
    ///
    /// This description is that of every model that declares the conformance and no description of its own:
    ///
    /// ```swift
    /// @JSONModel final class User: CustomStringConvertible { … }
    /// ```
    ///
    /// Properties that are not encoded are not part of the description. The description calls the hook `willEncode`. If the model cannot
    /// be encoded, the description contains the error.
    public var description: String {
        let name = String(describing: Swift.type(of: self))
        do throws(JSONModelError) {
            return "\(name) \(try describingEncoder.encode(self, as: .string))"
        } catch {
            return "\(name) (\(error))"
        }
    }
}

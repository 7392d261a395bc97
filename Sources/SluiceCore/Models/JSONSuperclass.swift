/// The use of a superclass that is not a model.
///
/// The properties of such a superclass are neither decoded nor encoded. A plan of `@JSONModel` is therefore invalid if the
/// superclass has stored properties, unless the class states that they are ignored:
///
/// ```swift
/// @JSONModel(superclass: .ignored)
/// final class Cell: ReusableView { var title = "" }
/// ```
public enum JSONSuperclass: Sendable, Hashable {
    /// The superclass has no JSON. Its properties keep the values that its initializer gives them.
    case ignored
}

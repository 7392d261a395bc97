import Sluice
import TestSupport

/// Types that are composed at random.
///
/// The pool has types that were written by hand, each with some features. Random types have the pairs of features of which nobody
/// has thought. A seed determines a type.
enum RandomTypes {
    /// The type of a seed, and the number of types before it that have an invalid plan.
    static func subject(seed: UInt64) -> (subject: any FuzzSubject, refused: [String]) {
        var maker = TypeMaker(random: SeededRandom(seed: seed))
        var refused: [String] = []
        while true {
            let type = maker.part(depth: 1 + maker.random.below(3), .object)
            if let defect = defect(of: type) {
                refused.append("\(type): \(defect)")
            } else {
                return (subject(type), refused)
            }
        }
    }

    private static func subject<T: Part>(_ type: T.Type) -> any FuzzSubject {
        var subject = Subject(type)
        let facts = type.facts
        subject.hasExactSchema = facts.hasExactSchema && !facts.sharesKeys
        subject.sharesMembers = !subject.hasExactSchema
        subject.statesUnknownKeys = !facts.flattensEnums
        return subject
    }

    /// Why the plan of a type is invalid; nil for a valid plan.
    private static func defect<T: Part>(of type: T.Type) -> String? {
        do throws(JSONModelError) { _ = try JSONModelDecoder().jsonSchema(of: type) } catch {
            if case .invalidPlan(let defect)? = error.issues.first?.kind { return defect }
        }
        do throws(JSONModelError) { _ = try JSONModelDecoder().decode(type, from: "null") } catch {
            if case .invalidPlan(let defect)? = error.issues.first?.kind { return defect }
        }
        return nil
    }
}

/// Composes types from random parts.
struct TypeMaker {
    var random: SeededRandom

    enum Form { case any, object }

    /// Makes a type of at most so many levels.
    mutating func part(depth: Int, _ form: Form = .any) -> any Part.Type {
        if depth == 0 { return leaf(form) }
        switch random.below(form == .object ? 11 : 16) {
        case 0...4: return model(depth: depth)
        case 5...8: return choice(depth: depth)
        case 9: return referenced(depth: depth)
        case 10: return wrapped(part(depth: depth - 1, .object))
        case 11...13: return container(part(depth: depth - 1))
        default: return leaf(form)
        }
    }

    private mutating func leaf(_ form: Form) -> any Part.Type {
        if form == .object {
            return random.pick([Leaf.self, [String: Int].self, [String: JSONValue].self, TrackedNode.self])
        }
        return random.pick([
            Int.self, Int8.self, Double.self, Bool.self, String.self, Color.self, Level.self, Tracked.self,
            Tracked.self, JSONValue.self, JSONRaw.self, Leaf.self, [Tracked].self, [String: Tracked].self,
        ])
    }

    private mutating func container<A: Part>(_ type: A.Type) -> any Part.Type {
        switch random.below(6) {
        case 0, 1: [A].self
        case 2: [String: A].self
        case 3: [Color: A].self
        case 4: [Int: A].self
        default: A?.self
        }
    }

    private mutating func wrapped<A: Part>(_ type: A.Type) -> any Part.Type {
        random.below(3) == 0 ? JSONLazy<A>.self : Converted1<A>.self
    }

    // MARK: Enums

    private mutating func choice(depth: Int) -> any ObjectPart.Type {
        let tagging: any Tagging.Type = random.pick([
            External.self, External.self, Internal.self, Internal.self, InternalKind.self, InternalA.self,
            Adjacent.self,
            Adjacent.self, Untagged.self, Untagged.self,
        ])
        var form = Form.any
        if case .internal = tagging.tagging { form = .object }
        let (first, second) = (part(depth: depth - 1, form), part(depth: depth - 1, form))
        let names: any CaseNames.Type = random.pick([DerivedNames.self, KeyNames.self])
        let style: any Style.Type = random.below(3) > 0 ? Plain.self : self.style()
        return choice(style, tagging, names, fallback(), first, second)
    }

    private mutating func fallback() -> any RandomFallback.Type {
        func other<A: Part>(_ type: A.Type) -> any RandomFallback.Type { ToOther<A>.self }
        switch random.below(10) {
        case 0...3: return Nowhere.self
        case 4: return ToNone.self
        case 5: return ToOther<String>.self
        case 6: return ToOther<JSONValue>.self
        case 7: return random.pick([ToOther<JSONRaw>.self, ToOther<[String: JSONValue]>.self])
        default: return other(part(depth: random.below(2), .object))
        }
    }

    private func choice<S: Style, T: Tagging, N: CaseNames, X: RandomFallback, A: Part, B: Part>(
        _: S.Type, _: T.Type, _: N.Type, _: X.Type, _: A.Type, _: B.Type
    ) -> any ObjectPart.Type { Union<S, T, N, X, A, B>.self }

    // MARK: Models

    private mutating func style() -> any Style.Type {
        if random.below(2) == 0 { return Plain.self }
        return random.pick([
            Rejecting.self, Noting.self, Ignoring.self, SnakeCase.self, Lenient.self, Strict.self,
            DefaultsOnMismatch.self, Calling.self, Refusing.self, RemovingEmpty.self,
        ])
    }

    private mutating func model(depth: Int) -> any ObjectPart.Type {
        func tree<S: Style, F: RandomField>(_: S.Type, _: F.Type) -> any ObjectPart.Type { Tree<S, F>.self }
        func two<S: Style, F: RandomField, G: RandomField>(_: S.Type, _: F.Type, _: G.Type) -> any ObjectPart.Type {
            Two<S, F, G>.self
        }
        func three<S: Style, F: RandomField, G: RandomField, H: RandomField>(
            _: S.Type, _: F.Type, _: G.Type, _: H.Type
        ) -> any ObjectPart.Type { Three<S, F, G, H>.self }
        var keys = keys()
        func key() -> any Name.Type { keys.removeLast() }
        let style = style()
        switch random.below(6) {
        case 0: return tree(style, field(depth, key()))
        case 1, 2, 3: return two(style, field(depth, key()), field(depth, key()))
        default: return three(style, field(depth, key()), field(depth, key()), field(depth, key()))
        }
    }

    private mutating func referenced(depth: Int) -> any Part.Type {
        func base<S: Style, F: RandomField>(_: S.Type, _: F.Type) -> any Part.Type { Base<S, F>.self }
        func derivation<S: Style, R: Style, F: RandomField, G: RandomField>(
            _: S.Type, _: R.Type, _: F.Type, _: G.Type
        ) -> any Part.Type { Derivation<S, R, F, G>.self }
        let keys = keys()
        if random.below(2) == 0 { return base(style(), field(depth, keys[0])) }
        return derivation(style(), style(), field(depth, keys[0]), field(depth, keys[1]))
    }

    /// Keys of which few are the same.
    private mutating func keys() -> [any Name.Type] {
        let names: [any Name.Type] = [
            KeyA.self, KeyB.self, KeyType.self, KeyT.self, KeyFirst.self, PathX.self, PathY.self, PathList.self,
            Derived.self,
        ]
        return names.shuffled(using: &random)
    }

    private mutating func field(_ depth: Int, _ key: any Name.Type) -> any RandomField.Type {
        func flattened<A: ObjectPart>(_ type: A.Type) -> any RandomField.Type {
            random.below(2) == 0 ? Flattened<A>.self : MaybeFlattened<A>.self
        }
        switch random.below(10) {
        case 0, 1:
            let inner: any ObjectPart.Type =
                depth == 1
                ? random.pick([Leaf.self, Size.self, Point.self])
                : random.below(3) == 0 ? model(depth: depth - 1) : choice(depth: depth - 1)
            return flattened(inner)
        default: return keyed(key, part(depth: depth - 1))
        }
    }

    private mutating func keyed<K: Name, A: Part>(_: K.Type, _ type: A.Type) -> any RandomField.Type {
        let hasDefault = Standard.prepare(type)
        switch random.below(hasDefault ? 22 : 20) {
        case 0, 1: return Required<K, A>.self
        case 2, 3: return Maybe<K, A>.self
        case 4: return TwoKeys<K, A>.self
        case 5: return TolerantBox<K, A>.self
        case 6, 7: return LossyList<K, A>.self
        case 8: return LossyMap<K, A>.self
        case 9: return InString<K, A>.self
        case 10:
            // A string of other types can be JSON in a string, or not.
            return type is any JSONModel.Type && type.roundTrips ? MaybeInString<K, A>.self : Maybe<K, A>.self
        case 11: return MaybeBox<K, A>.self
        case 12: return LossyBoxes<K, A>.self
        case 13: return LossyList<K, A>.self
        case 14: return Present<K, A>.self
        case 15: return Collected<K, A>.self
        case 16: return Unwritten<K, A>.self
        case 17, 18: return Others<A>.self
        case 19: return Required<K, JSONLazy<A>>.self
        case 20: return Defaulted<K, A>.self
        default: return Tolerant<K, A>.self
        }
    }
}

/// Makes random declarations. The same seed makes the same ones.
struct Generator: RandomNumberGenerator {
    private var state: UInt64
    private var names: [Name] = []
    private(set) var declarations: [Declaration] = []

    init(seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func one<T>(of values: [T]) -> T { values.randomElement(using: &self)! }

    mutating func declare(_ count: Int) {
        while declarations.count < count { declarations.append(declaration("M\(declarations.count)", depth: 0)) }
    }

    private mutating func declaration(_ name: String, depth: Int) -> Declaration {
        let roll = Int.random(in: 0..<100, using: &self)
        let kind: Declaration.Kind =
            switch roll {
            case ..<45: .structure
            case ..<58: .finalClass
            case ..<72: .openClass
            case ..<80: .raw
            default: .union
            }
        let type = Declaration(name, kind)
        if depth == 0 { type.access = one(of: [.internal, .internal, .fileprivate, .package, .public]) }
        switch kind {
        case .raw: fillRaw(type)
        case .union: fillUnion(type)
        default: fill(type, depth: depth)
        }
        return type
    }

    // MARK: Structs and classes

    private mutating func fill(_ type: Declaration, depth: Int) {
        let parents = declarations.filter {
            $0.kind == .openClass && !$0.isGeneric && !$0.all.contains { $0.place == .extra }
        }
        if type.kind != .structure, depth == 0, chance(40), let parent = parents.randomElement(using: &self) {
            type.superclass = parent
            type.access = min(type.access, parent.access)
            type.rejectsUnknown = parent.rejectsUnknown
        }
        type.isGeneric = type.superclass == nil && depth == 0 && chance(20)
        if depth == 0, !type.isGeneric, chance(25) {
            type.nested = [declaration(one(of: ["Inner", "Kind", "Item"]), depth: 1)]
        }
        setOptions(of: type, depth: depth)
        if type.kind != .openClass, type.superclass == nil, type.isGeneric == false, chance(8) {
            type.options.append(".partial")
        }
        if chance(15) { type.options.append(".codable") }
        type.hooks = type.kind != .openClass && type.superclass == nil && chance(12)
        var names = names(with: type.superclass?.all.map(\.name) ?? [], ownKeys: type.superclass?.keys ?? [])
        if type.hooks { type.properties.append(counter()) }
        let count = Int.random(in: 1...8, using: &self)
        for index in 0..<count {
            guard let name = names.popLast() else { break }
            // The macro cannot see whether a superclass has initializers, unless the class itself needs one.
            type.properties.append(
                property(name, of: type, isPlain: index == 0 && type.superclass != nil))
        }
        if type.kind != .openClass, chance(12), let name = names.popLast(), !type.keys.contains("info"),
            !type.keys.contains("list"),
            !type.all.contains(where: { $0.place == .undecoded })
        {
            let form = Form.dictionary(.scalar(one(of: ["Int", "String", "JSONValue"])))
            var extra = Property(name: name.text, form: form, place: .extra)
            if chance(50) { extra.value = { _ in "[:]" } }
            extra.attributes = ["@JSONExtra"]
            type.properties.append(extra)
        }
    }

    private func counter() -> Property {
        var counter = Property(name: "checks", form: .scalar("Int"), place: .ignored, value: constant("0"))
        counter.attributes = ["@JSONIgnore"]
        return counter
    }

    private mutating func setOptions(of type: Declaration, depth: Int) {
        if chance(35) { type.strategy = one(of: KeyStrategy.allCases) }
        if type.superclass == nil, chance(15) { type.rejectsUnknown = true }
        if chance(10) { type.defaultsOnMismatch = true }
    }

    /// The names of the properties of a type in random order, without those that a superclass has.
    private mutating func names(with taken: [String], ownKeys: [String]) -> [Name] {
        var all = Name.common
        if chance(40) { all += (0..<8).map { _ in one(of: Name.taken) } }
        var seen = Set(taken.map { $0.lowercased() })
        return all.shuffled(using: &self).filter { name in
            seen.insert(name.text.lowercased()).inserted
                && !KeyStrategy.allCases.contains { ownKeys.contains($0.key(of: name)) }
        }
    }

    private mutating func property(_ name: Name, of type: Declaration, isPlain: Bool) -> Property {
        var property = Property(name: name.text, form: form(in: type, depth: 0))
        property.isLet = chance(40)
        if !isPlain { addPlace(to: &property, type) }
        if property.place != .computed, property.place != .flattened, !isPlain { addValue(to: &property, type) }
        if [.planned, .unencoded, .undecoded].contains(property.place) {
            addPaths(to: &property, name, of: type)
            if property.place != .undecoded { addCoding(to: &property) }
        }
        addModifiers(to: &property, type)
        property.attributes.shuffle(using: &self)
        if !isPlain, property.place != .flattened, chance(8),
            type.properties.filter({ $0.condition != nil }).count < 2
        {
            property.condition = one(of: [
                ("canImport(Foundation)", true), ("os(Windows)", false), ("!os(Windows)", true),
                ("DEBUG || !DEBUG", true),
                ("compiler(<6)", false), ("os(Windows) || arch(wasm32)", false),
            ])
        }
        return property
    }

    private mutating func addPlace(to property: inout Property, _ type: Declaration) {
        switch Int.random(in: 0..<100, using: &self) {
        case ..<5: property.place = .ignored
        case ..<8: property.place = .unencoded
        case ..<11: property.place = .undecoded
        case ..<14: property.place = .computed
        case ..<17: property.place = .fixed
        case ..<23 where !type.isGeneric: property = flattened(property, in: type)
        default: break
        }
        switch property.place {
        case .ignored: property.attributes = ["@JSONIgnore"]
        case .unencoded: property.attributes = ["@JSONIgnore(.encoding)"]
        case .undecoded: property.attributes = ["@JSONIgnore(.decoding)"]
        default: break
        }
    }

    /// A flattened model has keys that no other type has.
    private mutating func flattened(_ property: Property, in type: Declaration) -> Property {
        let inner = Declaration("M\(declarations.count)Flat\(type.properties.count)", .structure)
        inner.access = type.access
        for index in 0..<Int.random(in: 1...3, using: &self) {
            let name = Name("flat\(type.name)\(type.properties.count)Member\(index)")
            var member = Property(name: name.text, form: form(in: inner, depth: 1))
            member.paths = [[.key(name.text)]]
            member.isLet = chance(50)
            if chance(30) { addValue(to: &member, inner) }
            if member.form.access == .fileprivate { member.modifiers = "fileprivate " }
            inner.properties.append(member)
        }
        declarations.append(inner)
        var result = property
        result.place = .flattened
        result.form = chance(40) ? .optional(.declared(inner, [])) : .declared(inner, [])
        result.attributes = ["@JSONFlatten"]
        return result
    }

    private mutating func addPaths(to property: inout Property, _ name: Name, of type: Declaration) {
        property.paths = [[.key(type.strategy.key(of: name))]]
        guard chance(30) else { return }
        property.hasKey = true
        let hasExtra = type.all.contains { $0.place == .extra }
        property.paths = (0..<(chance(30) ? 3 : 1)).map { index in
            let key = "\(name.text)-\(type.name)\(index)"
            switch Int.random(in: 0..<6, using: &self) {
            case 0 where !hasExtra: return [.key("info"), .key(key)]
            case 1 where !hasExtra: return [.key("info"), .key("deep"), .key(key)]
            // Each property has a list of its own: an index of a list may not be that of another property.
            case 2 where !hasExtra: return [.key("list " + key), .index(Int.random(in: 0..<3, using: &self))]
            case 3: return [.key("a.b" + key)]
            default: return [.key(key)]
            }
        }
        let texts = property.paths.map { path in
            path.reduce("") { text, step in
                switch step {
                case .index(let index): text + "[\(index)]"
                case .key(let key) where key.hasPrefix("a."): #"["\#(key)"]"#
                case .key(let key): text + (text.isEmpty ? "" : ".") + key
                }
            }
        }
        property.attributes.append(
            "@JSONKey(\(texts.enumerated().map { ($0 == 1 ? "or: " : "") + "#\"\($1)\"#" }.joined(separator: ", ")))"
        )
    }

    private mutating func addValue(to property: inout Property, _ type: Declaration) {
        let isNeeded = [.ignored, .undecoded, .fixed].contains(property.place)
        if property.place == .fixed { property.isLet = true }
        guard isNeeded || chance(35), let value = value(of: property.form) else {
            if isNeeded { (property.place, property.attributes) = (.planned, []) }
            return
        }
        property.value = value
        if property.place == .planned || property.place == .unencoded {
            property.valueInAttribute = property.isLet || chance(15)
            property.hasDefaultOnMismatch = chance(20)
            let cases = one(of: [".mismatch", "[.missing, .null, .mismatch]", ".all"])
            if property.valueInAttribute {
                let text = value(.model)
                let on = property.hasDefaultOnMismatch ? ", on: \(cases == ".mismatch" ? ".all" : cases)" : ""
                property.attributes.append("@JSONDefault(\(text)\(on))")
            } else if property.hasDefaultOnMismatch {
                property.attributes.append("@JSONDefault(on: \(cases))")
            }
        } else if property.place == .undecoded {
            property.isLet = chance(50)
        }
        if case .scalar(let name) = property.form, ["Int", "String", "Bool", "Double"].contains(name),
            !property.valueInAttribute
        {
            property.isInferred = chance(50)
            // An expression that cannot be an argument.
            if name == "Int", chance(30) { property.value = { $0 == .model ? "if 1 < 2 { 4 } else { 5 }" : "4" } }
        }
    }

    private mutating func addCoding(to property: inout Property) {
        let form = property.form.wrapped
        switch form {
        case .array(let element) where chance(20):
            property.coding = ("LossyArray<\(element.text(.twin))>", "@JSONLossy")
        case .set(let element) where chance(20):
            property.coding = ("LossySet<\(element.text(.twin))>", "@JSONLossy")
        case .dictionary(let element) where chance(20):
            property.coding = ("LossyDictionary<\(element.text(.twin))>", "@JSONLossy")
        case .scalar("Int") where chance(20):
            property.coding =
                chance(50) ? ("Doubled", "@JSONTransform(Doubling())") : ("LenientInt", "@JSONCoercion(.lenient)")
        case _ where chance(5): property.coding = ("Embedded<\(property.form.text(.twin))>", "@JSONEmbedded")
        default: return
        }
        property.attributes.append(property.coding!.attribute)
    }

    private mutating func addModifiers(to property: inout Property, _ type: Declaration) {
        let access = property.form.access
        if access < type.access || type.access == .fileprivate, access == .fileprivate {
            property.modifiers = "fileprivate "
        } else if property.place == .planned, chance(12) {
            property.modifiers = "\(one(of: ["private", "fileprivate", min(access, type.access).text])) "
        }
        if property.place == .computed { return }
        if property.modifiers.isEmpty, !property.isLet, type.access > .fileprivate, chance(15) {
            property.modifiers = "private(set) "
        }
        if property.modifiers.isEmpty, type.kind == .openClass, chance(15) { property.modifiers = "final " }
        if !property.isLet, !property.isInferred, property.place != .flattened, chance(10) {
            property.suffix = one(of: [" { didSet {} }", " { willSet { _ = newValue } }"])
        } else if property.place == .planned, !property.isLet, !property.valueInAttribute,
            type.kind == .structure || type.kind == .finalClass,
            !type.isGeneric, property.value != nil, chance(8)
        {
            property.attributes.append("@Wrapper")
        }
    }

    // MARK: Types and values

    private mutating func form(in type: Declaration, depth: Int) -> Form {
        if type.isGeneric, chance(30) { return .parameter }
        switch Int.random(in: 0..<(depth < 2 ? 100 : 50), using: &self) {
        case ..<40:
            return .scalar(
                one(of: ["Int", "Int", "String", "String", "Bool", "Double", "UInt8", "Int64", "Float"]))
        case ..<50: return .scalar(one(of: ["Int16", "UInt", "UUID"]))
        case ..<66: return .optional(form(in: type, depth: depth + 1).wrapped)
        case ..<74: return .array(form(in: type, depth: depth + 1))
        case ..<78: return .set(.scalar(one(of: ["Int", "String"])))
        case ..<84: return .dictionary(form(in: type, depth: depth + 1))
        default: return declared(in: type)
        }
    }

    private mutating func declared(in type: Declaration) -> Form {
        if let nested = type.nested.first, chance(60) { return .declared(nested, []) }
        if type.superclass == nil, !type.isGeneric, type.nested.isEmpty, type.name.hasPrefix("M"),
            type.kind != .union, chance(10)
        {
            return chance(50) ? .array(.declared(type, [])) : .dictionary(.declared(type, []))
        }
        guard let other = declarations.randomElement(using: &self),
            type.kind != .union || other.access >= type.access
        else {
            return .scalar("String")
        }
        return .declared(other, other.isGeneric ? [argument()] : [])
    }

    mutating func argument() -> Form {
        let simple = declarations.filter { !$0.isGeneric && $0.access == .public }
        if chance(30), let type = simple.randomElement(using: &self) { return .declared(type, []) }
        return one(of: [.scalar("Int"), .scalar("String"), .array(.scalar("Bool")), .dictionary(.scalar("Int"))])
    }

    /// The text of a value, or nil if a value of the type is not written by hand.
    private mutating func value(of form: Form) -> ((Side) -> String)? {
        switch form {
        case .scalar("String"): constant(one(of: ["\"\"", "\"d\"", "\"a\" + \"b\""]))
        case .scalar("Bool"): constant(one(of: ["true", "false"]))
        case .scalar("Double"): constant(one(of: ["1.5", "-2.0"]))
        case .scalar("UUID"): nil
        case .scalar("Int"): constant(one(of: ["3", "-1"]))
        case .scalar(let name): constant("\(name)(7)")
        case .optional(let form): chance(50) ? constant("nil") : value(of: form)
        case .array(.scalar("Int")): constant(one(of: ["[1, 2]", "[Int]()"]))
        case .array(let form): { "[\(form.text($0))]()" }
        case .set(let form): { "Set<\(form.text($0))>()" }
        case .dictionary(let form): { "[String: \(form.text($0))]()" }
        case .declared(let type, _) where type.kind == .raw:
            { [name = type.rawValues[0].name] in "\($0.name(of: type)).\(Name(name).code)" }
        case .declared, .parameter: nil
        }
    }

    private func constant(_ text: String) -> (Side) -> String { { _ in text } }

    // MARK: Enums

    private mutating func fillRaw(_ type: Declaration) {
        let names = caseNames()
        let isText = chance(65)
        type.options = isText ? ["String"] : ["Int"]
        for (index, name) in names.enumerated() {
            type.rawValues.append((name.text, isText ? .string(name.text) : .number("\(index * 3)")))
        }
        if isText, chance(30) { type.fallback = one(of: names).text }
    }

    private mutating func caseNames() -> [Name] {
        var seen: Set<String> = []
        let all = chance(40) ? Name.common + Name.taken : Name.common
        return (0..<Int.random(in: 1...5, using: &self)).map { _ in one(of: all) }
            .filter { !["Self", "Type", "cases"].contains($0.text) && seen.insert($0.text).inserted }
            + (seen.isEmpty ? [Name("only")] : [])
    }

    private mutating func fillUnion(_ type: Declaration) {
        setOptions(of: type, depth: 0)
        type.defaultsOnMismatch = false
        type.rejectsUnknown = false
        type.tagging = one(of: [.external, .internal("#type"), .internal("t.a"), .adjacent("#t", "#c"), .untagged])
        for name in caseNames() {
            var item = Case(name: name.text, names: [type.strategy.key(of: name)])
            if chance(25) {
                item.hasKey = true
                item.names = ["\(name.words[0]) 1", "\(name.words[0])[2]"]
            }
            let isObject = if case .internal = type.tagging { true } else { false }
            switch Int.random(in: 0..<10, using: &self) {
            case ..<3: break
            case ..<6 where !isObject: item.form = form(in: type, depth: 1)
            case ..<6:
                let models = declarations.filter {
                    [.structure, .finalClass].contains($0.kind) && !$0.isGeneric && $0.access >= type.access
                        && !$0.rejectsUnknown
                        && !$0.all.contains { $0.place == .extra }
                }
                item.form = models.randomElement(using: &self).map { .declared($0, []) }
            default:
                for label in names(with: [], ownKeys: []).prefix(Int.random(in: 1...3, using: &self)) {
                    var property = Property(name: label.text, form: form(in: type, depth: 1))
                    property.paths = [[.key(type.strategy.key(of: label))]]
                    if chance(25) { property.value = value(of: property.form) }
                    item.labels.append(property)
                }
            }
            type.cases.append(item)
        }
        if type.tagging != .untagged, chance(30) {
            type.fallback = "unknown"
            type.cases.append(Case(name: "unknown", names: [type.strategy.key(of: Name("unknown"))]))
        }
    }
}

extension Access {
    var text: String { "\(self)" }
}

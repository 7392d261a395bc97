import Sluice
import TestSupport

/// One case: a type, options, a document and the calls to make. A seed determines all of it.
struct FuzzCase {
    let seed: UInt64
    let subject: any FuzzSubject
    let options: FuzzOptions
    let document: FuzzDocument
    /// The document or a mutation of it, which the probe is made on.
    let text: [UInt8]
    let isMutated: Bool
    let probe: FuzzProbe
    /// The types of which the plans were refused, before that of the case.
    let refusedPlans: [String]
    private let random: SeededRandom

    /// Each fourth case is one of a type that is composed at random.
    init(seed: UInt64) {
        if seed % 4 == 3 {
            // A type takes longer to make than a case.
            let (subject, refused) = RandomTypes.subject(seed: seed / 64)
            self.init(seed: seed, pool: [subject], refusedPlans: refused)
        } else {
            self.init(seed: seed, pool: FuzzPool.subjects)
        }
    }

    init(seed: UInt64, pool: [any FuzzSubject], refusedPlans: [String] = []) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        self.refusedPlans = refusedPlans
        let subject = random.pick(pool)
        let options = FuzzOptions(&random)
        let faultRate = random.below(10) < 8 ? 0 : random.pick([6, 15, 40])
        let sampler = Sampler(
            SeededRandom(seed: random.next()), options.context, faultRate: faultRate,
            depth: random.pick([2, 4, 6, 8, 12]), budget: random.pick([10, 40, 150]))

        let action = random.below(10)
        let node: JSONNode
        var path = ""
        var base: [UInt8] = []
        switch action {
        case 0, 1:
            // Elements, at the root or in an object.
            let elements = (0..<random.below(5)).map { _ in subject.sample(sampler) }
            path = random.pick(["[*]", "[*]", "rows[*]"])
            node = path == "[*]" ? .array(elements) : .object([.init(key: "rows", value: .array(elements))])
        case 2:
            path = "data.items[1]"
            var members = [JSONNode.Member(key: "other", value: sampler.anything())]
            members.set("data.items[0]", to: sampler.anything())
            members.set(path, to: subject.sample(sampler))
            node = .object(members.shuffled(using: &random))
        case 3, 4:
            let plain = Sampler(
                SeededRandom(seed: random.next()), options.context, faultRate: 0, depth: 4, budget: 30)
            base = NodeWriter.document(subject.sample(plain), &random)
            node = Self.patch(subject.sample(sampler), &random)
        default:
            node = subject.sample(sampler)
        }

        let written = NodeWriter.document(node, &random)
        var text = written
        isMutated = random.below(6) == 0
        if isMutated { DocumentMutation.mutate(&text, &random) }
        self.subject = subject
        self.options = options
        self.text = text
        document = FuzzDocument(
            node: node, text: written,
            isValid: sampler.faults == 0 && options.acceptsValidDocuments,
            hasDuplicates: sampler.hasDuplicates)
        let nulls = random.pick([JSONMergeOptions.Nulls.skip, .clear])
        let nested = random.pick([JSONMergeOptions.Nested.replace, .merge])
        let call: FuzzProbe.Action =
            switch action {
            case 0, 1: .forEach(path: path)
            case 2: .decode(path: path)
            case 3, 4: .merge(base: base, nulls, nested)
            case 5: .decodePartially
            case 6: .decodeValue
            case 7: .encode
            default: .decode(path: "")
            }
        probe = FuzzProbe(action: call, options: options, cuts: FuzzProbe.cuts(&random))
        self.random = random
    }

    /// Some of the members of an object, and nulls for others.
    private static func patch(_ node: JSONNode, _ random: inout SeededRandom) -> JSONNode {
        guard case .object(let members) = node, random.below(4) > 0 else { return node }
        let kept = members.filter { _ in random.below(3) > 0 }
        return .object(
            kept.map { random.below(5) == 0 ? .init(key: $0.key, value: .null) : $0 }.shuffled(using: &random))
    }

    /// Whether the document is the model's own, so that it must be decoded.
    var isValid: Bool { document.isValid && !isMutated }
    /// Whether the document is one of the model itself, not of several or of a part.
    private var isWhole: Bool {
        switch probe.action {
        case .decode(let path): path.isEmpty
        case .decodePartially, .decodeValue, .encode: true
        case .forEach, .merge: false
        }
    }

    /// What the oracles find.
    func findings() -> [Finding] {
        var findings = subject.findings(for: probe, in: text)
        findings += typeFindings(text)
        if isMutated { return findings }
        if isValid, findings.isEmpty { findings += subject.refusals(of: probe, in: text) }
        if permutes { findings += orderFindings(document.node) }
        var random = random
        return findings + subject.findings(forSyntaxOf: text, probe, &random)
    }

    /// What the oracles of the type's schema and of its partial type find.
    private func typeFindings(_ text: [UInt8]) -> [Finding] {
        guard isWhole, !document.hasDuplicates, options.acceptsValidDocuments else { return [] }
        return subject.findings(forSchemaOf: text, options) + subject.findings(forPartOf: text, options)
    }

    /// Whether the order of the document's members may be changed.
    private var permutes: Bool { isWhole && !document.hasDuplicates && options.limits == JSONLimits() }

    private func orderFindings(_ node: JSONNode) -> [Finding] {
        var random = random
        return subject.findings(forOrderOf: node, options, &random)
    }

    // MARK: Reports

    /// A report of a finding, in the smallest document that shows it.
    func reduced(_ finding: Finding) -> String {
        func inText(_ text: [UInt8]) -> Finding? {
            (subject.findings(for: probe, in: text) + typeFindings(text)).first { $0.kind == finding.kind }
        }
        func inOrder(_ node: JSONNode) -> Finding? {
            var random = random
            for _ in 0..<6 {
                let found = subject.findings(forOrderOf: node, options, &random)
                if let same = found.first(where: { $0.kind == finding.kind }) { return same }
            }
            return nil
        }
        // What is slow takes too long to reduce.
        if finding.kind == "time" { return description(finding) }
        if inText(text) != nil {
            let small = DocumentReduction.reduce(text) { inText($0) != nil }
            return description(inText(small) ?? finding, text: small)
        }
        if permutes, inOrder(document.node) != nil {
            let small = DocumentReduction.reduce(document.node) { inOrder($0) != nil }
            return description(inOrder(small) ?? finding, text: [])
        }
        return description(finding)
    }

    /// Everything that is needed to understand a finding.
    func description(_ finding: Finding, text: [UInt8]? = nil) -> String {
        let shown = String(decoding: text ?? self.text, as: UTF8.self)
        return """
            SLUICE_FUZZ_CASE=\(seed): \(finding.kind), \(subject.name)
            \(probe)
            \(finding.detail.prefix(3_000))
            document: \(shown.debugDescription)
            """
    }
}

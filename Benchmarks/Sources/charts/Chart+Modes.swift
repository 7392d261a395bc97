// The charts of the modes of `floor`.

private let scanner = Chart.Series(name: "Sluice, scanner", color: .sluice)
private let yajl = Chart.Series(name: "Sluice, libyajl", color: .sluiceYajl)
private let bareYajl = Chart.Series(name: "bare libyajl", color: .bareYajl)

extension Chart {
    /// Groups the rows of both sources by a label.
    private static func bySource(
        _ results: Results, _ label: (Measurement) -> String?, others: [(Measurement) -> Double?] = [],
        _ value: (Measurement) -> Double?
    ) -> [Group] {
        var labels: [String] = []
        for measurement in results.measurements {
            if let text = label(measurement), !labels.contains(text) { labels.append(text) }
        }
        return labels.map { text in
            let rows = results.measurements.filter { label($0) == text }
            let values = ["scanner", "yajl"].map { source in rows.first { $0.source == source }.flatMap(value) }
            return Group(label: text, values: values + others.map { other in rows.first.flatMap(other) })
        }
    }

    private static func corpus(_ measurement: Measurement) -> String? {
        measurement.corpus?.replacing("_", with: " ")
    }

    /// The documents of the first chart. The others have features that take more time.
    private static let commonDocuments = [
        "twitter", "twitter_escaped", "canada", "citm_catalog", "records", "records_stream",
    ]

    static func decoding(_ results: Results) -> Chart {
        decoding(results, "decode", "Decoding to models") { commonDocuments.contains($0) }
    }

    static func features(_ results: Results) -> Chart {
        decoding(
            results, "features", "Decoding to models with unions, members around elements and Codable properties"
        ) {
            !commonDocuments.contains($0)
        }
    }

    private static func decoding(
        _ results: Results, _ name: String, _ title: String, _ isPart: (String) -> Bool
    ) -> Chart {
        Chart(
            name: name, title: title, unit: "MB/s, more is better",
            series: [scanner, yajl, bareYajl, Series(name: "JSONDecoder", color: .foundation)],
            groups: bySource(
                results, { $0.corpus.map(isPart) == true ? corpus($0) : nil }, others: [\.bareYajl, \.foundation],
                \.sluice),
            conditions: results.conditions)
    }

    static func shares(_ results: Results) -> Chart {
        Chart(
            name: "shares", title: "Models with one feature",
            unit: "Speed per byte, as a share of that of a plain model",
            series: [scanner, yajl, Series(name: "encoding", color: .bareYajl)],
            groups: bySource(results, \.feature, others: [\.encodeOfPlain], \.ofPlain), decimals: 2,
            conditions: results.conditions)
    }

    static func validation(_ results: Results) -> Chart {
        Chart(
            name: "validate", title: "Validating", unit: "MB/s, more is better",
            series: [scanner, yajl, bareYajl, Series(name: "JSONSerialization", color: .foundation)],
            groups: bySource(results, corpus, others: [\.bareYajl, \.foundation], \.validation),
            conditions: results.conditions)
    }

    static func encoding(_ results: Results) -> Chart {
        Chart(
            name: "encode", title: "Encoding models", unit: "MB/s, more is better",
            series: [Series(name: "Sluice", color: .sluice), Series(name: "JSONEncoder", color: .foundation)],
            groups: results.measurements.map {
                Group(label: corpus($0) ?? "", values: [$0.encoding, $0.foundationEncoding])
            }, conditions: results.conditions)
    }

    static func streams(_ results: Results) -> Chart {
        multiples(
            results, "streams", "Ways to read the elements of a file", unit: "Speed, as a share of that of forEach",
            \.way,
            \.overForEach)
    }

    static func workers(_ results: Results) -> Chart {
        multiples(
            results, "workers", "One input on all cores", unit: "Speed, in multiples of that of one thread", \.way,
            \.allCoresOverOne)
    }

    static func orders(_ results: Results) -> Chart {
        multiples(
            results, "order", "Keys in other orders than that of the model",
            unit: "Speed, as a share of that in declared order", \.order, \.overDeclared)
    }

    /// A chart of ratios of both sources.
    private static func multiples(
        _ results: Results, _ name: String, _ title: String, unit: String, _ label: (Measurement) -> String?,
        _ value: (Measurement) -> Double?
    ) -> Chart {
        Chart(
            name: name, title: title, unit: unit, series: [scanner, yajl], groups: bySource(results, label, value),
            decimals: 2, conditions: results.conditions)
    }

    static func smallCalls(_ results: Results) -> Chart {
        var labels: [String] = []
        for measurement in results.measurements {
            if let text = measurement.document, !labels.contains(text) { labels.append(text) }
        }
        return Chart(
            name: "small", title: "A call that decodes a short document",
            unit: "Nanoseconds per call, less is better",
            series: [scanner, yajl, Series(name: "JSONDecoder", color: .foundation)],
            groups: labels.map { label in
                let rows = results.measurements.filter { $0.document == label }
                let size = rows.first?.bytes.map { ", \($0) bytes" } ?? ""
                return Group(
                    label: label + size,
                    values: ["scanner", "yajl", "Foundation"].map { way in
                        rows.first { $0.way == way }?.nanoseconds
                    })
            }, conditions: results.conditions)
    }

    static func firstCalls(_ results: Results) -> Chart {
        let groups = [0, results.measurements.compactMap(\.furtherConformances).max() ?? 0].flatMap { count in
            let rows = results.measurements.filter { $0.furtherConformances == count }
            let suffix = count == 0 ? "" : ", large program"
            func values(_ value: (Measurement) -> Double?) -> [Double?] {
                ["sluice", "foundation"].map { way in rows.first { $0.way == way }.flatMap(value) }
            }
            return [
                Group(label: "first call" + suffix, values: values(\.firstCall)),
                Group(label: "further model" + suffix, values: values(\.firstCallOfModel)),
            ]
        }
        return Chart(
            name: "cold", title: "The first use of a type", unit: "Microseconds, less is better",
            series: [Series(name: "Sluice", color: .sluice), Series(name: "JSONDecoder", color: .foundation)],
            groups: groups, conditions: results.conditions)
    }

    static func compilation(_ results: Results) -> Chart {
        func group(_ label: String, _ mode: String, _ value: (Measurement) -> Double?) -> Group {
            Group(
                label: "\(label), \(mode)",
                values: ["Plans", "Codables"].map { type in
                    results.measurements.first { $0.mode == mode && $0.type == type }.flatMap(value)
                })
        }
        let modes = ["debug", "release"]
        return Chart(
            name: "cost", title: "The compilation of 200 models of ten properties",
            unit: "Seconds of the processor for all models, and KB of machine code for each, less is better",
            series: [Series(name: "@JSONModel", color: .sluice), Series(name: "Codable", color: .foundation)],
            groups: modes.map { group("seconds", $0, \.seconds) }
                + modes.map { mode in group("KB of a model", mode) { $0.code.map { Double($0) / 1e3 } } },
            decimals: 1, conditions: results.conditions)
    }

    static func memory(_ results: Results) -> Chart {
        let sizes = Set(results.measurements.compactMap(\.bytes)).sorted()
        let groups = sizes.map { size in
            let rows = results.measurements.filter { $0.bytes == size }
            let label = size < 1_000_000_000 ? "\(size / 1_000_000) MB" : "\(size / 1_000_000_000) GB"
            return Group(
                label: label,
                values: ["sluice", "foundation"].map { decoder in
                    rows.first { $0.decoder == decoder }?.peak.map { Double($0) / 1e6 }
                })
        }
        return Chart(
            name: "memory", title: "Peak memory by the size of a file", unit: "MB, less is better",
            series: [
                Series(name: "Sluice, forEach", color: .sluice), Series(name: "JSONDecoder", color: .foundation),
            ], groups: groups, form: .lines(positions: sizes.map(Double.init)), conditions: results.conditions)
    }
}

import Foundation

/// The output of results, as a table or as one JSON object per line.
struct Output {
    let json: Bool

    func header(rounds: Int) {
        guard !json else { return }
        print("MB/s, medians of \(rounds) interleaved rounds; goals in parentheses")
        print("")
        print("corpus          source      MB  bare yajl  Sluice  Foundation   share of yajl   times Foundation")
        print(String(repeating: "-", count: 95))
    }

    func result(_ result: Result) {
        print(json ? object(result) : row(result))
        fflush(nil)
    }

    func writingHeader(rounds: Int) {
        guard !json else { return }
        print("MB/s of encoding, medians of \(rounds) interleaved rounds; goal in parentheses")
        print("")
        print("corpus              MB          Sluice  Foundation  times Foundation  of the speed of a copy")
        print(String(repeating: "-", count: 86))
    }

    func writing(_ writing: Writing, sluice: Double, foundation: Double, copy: Double) {
        let (multiple, share) = (sluice / foundation, sluice / copy)
        if json {
            print(
                #"{"corpus":"\#(writing.name)","bytes":\#(writing.bytes),"encode_mbps":\#(fixed(sluice, 2)),"#
                    + #""foundation_encode_mbps":\#(fixed(foundation, 2)),"encode_over_foundation":\#(fixed(multiple, 3)),"#
                    + #""encode_over_copy":\#(fixed(share, 3))}"#
            )
        } else {
            print(
                padded(writing.name, 16) + cell(fixed(Double(writing.bytes) / 1e6, 2), 6)
                    + cell("\(fixed(sluice, 0)) (\(fixed(writing.goal, 0)))", 16)
                    + (sluice >= writing.goal ? " " : "!")
                    + cell(fixed(foundation, 0), 11)
                    + cell(fixed(multiple, 1), 18)
                    + cell(fixed(share, 2), 24))
        }
        fflush(nil)
    }

    func codableHeader(rounds: Int) {
        guard !json else { return }
        print("Codable types without a plan, medians of \(rounds) interleaved rounds; goal in parentheses")
        print("")
        print("                         MB       Sluice   Foundation   times Foundation")
        print(String(repeating: "-", count: 72))
    }

    /// Prints a row with speeds, or with times for documents of a few bytes.
    func codable(_ row: CodableRow, sluice: Double, foundation: Double) {
        let multiple = foundation / sluice
        if json {
            print(
                #"{"row":"\#(row.name)","bytes":\#(row.bytes),"ns_per_call":\#(fixed(sluice * 1e9, 0)),"#
                    + #""foundation_ns_per_call":\#(fixed(foundation * 1e9, 0)),"over_foundation":\#(fixed(multiple, 3))}"#
            )
        } else {
            func text(_ time: Double) -> String {
                row.calls > 1 ? "\(fixed(time * 1e9, 0)) ns" : "\(fixed(Double(row.bytes) / 1e6 / time, 0)) MB/s"
            }
            print(
                padded(row.name, 18) + cell(fixed(Double(row.bytes) / 1e6, 2), 9) + cell(text(sluice), 13)
                    + cell(text(foundation), 13) + cell("\(fixed(multiple, 2)) (\(fixed(row.goal, 1)))", 19)
                    + (multiple >= row.goal ? "" : "!"))
        }
        fflush(nil)
    }

    func featuresHeader(rounds: Int) {
        guard !json else { return }
        print(
            "MB/s of models with a feature, medians of \(rounds) interleaved rounds; the goal is a share of the plain model"
        )
        print("")
        print(
            "                        goal   source       decode  of plain  × Foundation   encode  of plain  × Foundation"
        )
        print(String(repeating: "-", count: 107))
    }

    /// Prints a line for each source. Encoding has no source.
    func feature(_ row: Features, _ sources: [Source], _ speeds: Features.Speeds) {
        for (index, source) in sources.enumerated() {
            let (speed, share) = (speeds.decode[index], speeds.decode[index] / speeds.plain.decode[index])
            let encodingShare = speeds.encode / speeds.plain.encode
            let multiples = speeds.foundation.map { (speed / $0.decode, speeds.encode / $0.encode) }
            if json {
                let foundation = multiples.map {
                    #","over_foundation":\#(fixed($0.0, 3)),"encode_over_foundation":\#(fixed($0.1, 3))"#
                }
                print(
                    #"{"feature":"\#(row.name)","source":"\#(source)","mbps":\#(fixed(speed, 1)),"of_plain":\#(fixed(share, 3)),"#
                        + #""encode_mbps":\#(fixed(speeds.encode, 1)),"encode_of_plain":\#(fixed(encodingShare, 3))"#
                        + (foundation ?? "") + "}")
                continue
            }
            func cells(_ speed: Double, _ share: Double, _ multiple: Double?) -> String {
                cell(fixed(speed, 0), 7) + cell(fixed(share, 2), 9) + (share < row.goal ? "!" : " ")
                    + cell(multiple.map { fixed($0, 1) } ?? "", 13)
            }
            print(
                padded(row.name, 24) + cell(fixed(row.goal, 1), 4) + "   " + padded(source.rawValue, 10)
                    + cells(speed, share, multiples?.0)
                    + (index == 0 ? "  " + cells(speeds.encode, encodingShare, multiples?.1) : ""))
        }
        fflush(nil)
    }

    func liveHeader() {
        guard !json else { return }
        print(
            "Snapshots with their values after each piece, in ms of the processor; the last snapshot dropped, or held"
        )
        print("")
        print(
            "                                  source        goal   dropped      held  no snapshot   per piece, ns")
        print(String(repeating: "-", count: 101))
    }

    func live(_ row: Live, _ source: Source, dropped: Double, held: Double, pushed: Double) {
        if json {
            print(
                #"{"live":"\#(row.name)","source":"\#(source)","pieces":\#(row.count),"dropped_ms":\#(fixed(dropped * 1e3, 3)),"#
                    + #""held_ms":\#(fixed(held * 1e3, 3)),"pushed_ms":\#(fixed(pushed * 1e3, 3))}"#)
        } else {
            func ms(_ time: Double) -> String { fixed(time * 1e3, 2) }
            let each = [dropped, held, pushed].map { fixed($0 * 1e9 / Double(row.count), 0) }
            print(
                padded(row.name, 34) + padded(source.rawValue, 8) + cell(row.goal.map { ms($0) } ?? "", 10)
                    + cell(ms(dropped), 10) + cell(ms(held), 10) + cell(ms(pushed), 13)
                    + "   " + each.joined(separator: " / ")
                    + (row.goal.map { max(dropped, held) > $0 ? " !" : "" } ?? ""))
        }
        fflush(nil)
    }

    func liveScalingHeader(_ sizes: [Int]) {
        guard !json else { return }
        print("")
        print("The same by the size of the document, in ms, and the slope of the logarithms (1.05)")
        print("")
        print(
            padded("", 34)
                + sizes.map { cell($0 < 1_000_000 ? "\($0 / 1_000) KB" : "\($0 / 1_000_000) MB", 10) }.joined()
                + "   slope")
        print(String(repeating: "-", count: 112))
    }

    func liveScaling(
        _ row: LiveScaling, _ source: String, _ times: (times: [(bytes: Int, seconds: Double)], slope: Double)
    ) {
        if json {
            let values = times.times.map { "[\($0.bytes),\(fixed($0.seconds * 1e3, 4))]" }.joined(separator: ",")
            print(
                #"{"live":"\#(row.text), \#(row.name)","source":"\#(source)","ms":[\#(values)],"slope":\#(fixed(times.slope, 3))}"#
            )
        } else {
            let cells = times.times.map { cell(fixed($0.seconds * 1e3, 2), 10) }.joined()
            print(
                padded("\(row.text), \(row.name)", 24) + padded(source, 10) + padded(cells, 70)
                    + cell(fixed(times.slope, 3), 8) + (times.slope > 1.05 ? " !" : ""))
        }
        fflush(nil)
    }

    func smallCall(_ document: SmallCalls, _ way: String, time: Double, foundation: Double) {
        let multiple = foundation / time
        if json {
            print(
                #"{"document":"\#(document.name)","bytes":\#(document.bytes),"way":"\#(way)","#
                    + #""ns_per_call":\#(fixed(time, 1)),"over_foundation":\#(fixed(multiple, 3))}"#)
        } else {
            print(
                padded(document.name, 10) + cell("\(document.bytes) bytes", 10) + "  " + padded(way, 12)
                    + cell(fixed(time, 0), 6) + " ns per call" + cell(fixed(multiple, 1), 8) + " times Foundation")
        }
        fflush(nil)
    }

    func threads(_ workload: Threads, _ source: Source, multiple: Double) {
        if json {
            print(
                #"{"workload":"\#(workload.name)","source":"\#(source)","two_threads_over_one":\#(fixed(multiple, 3))}"#
            )
        } else {
            let goal =
                workload.goal > 0 ? " (\(fixed(workload.goal, 1)))" + (multiple < workload.goal ? "!" : "") : ""
            print(
                padded(workload.name, 24) + padded(source.rawValue, 8) + cell(fixed(multiple, 2), 6)
                    + " times one thread" + goal)
        }
        fflush(nil)
    }

    func workers(_ way: Workers, _ source: Source, multiple: Double) {
        if json {
            print(
                #"{"way":"\#(way.name)","source":"\#(source)","all_cores_over_one":\#(fixed(multiple, 3))}"#)
        } else {
            print(
                padded(way.name, 28) + padded(source.rawValue, 8) + cell(fixed(multiple, 2), 6)
                    + " times one thread (\(fixed(way.goal, 2)))" + (multiple < way.goal ? "!" : ""))
        }
        fflush(nil)
    }

    func coldHeader(rounds: Int) {
        guard !json else { return }
        print("First calls in µs, medians of \(rounds) processes; goals in parentheses")
        print("")
        print("              conformances   of the process   of a further model")
        print(String(repeating: "-", count: 65))
    }

    func cold(_ way: Cold.Way, conformances: Int, _ times: Cold.Times) {
        if json {
            print(
                #"{"way":"\#(way)","further_conformances":\#(conformances),"first_call_us":\#(fixed(times.process, 1)),"#
                    + #""first_call_of_model_us":\#(fixed(times.model, 1))}"#)
        } else {
            func text(_ time: Double, _ goal: Double) -> String {
                way == .sluice ? "\(fixed(time, 0)) (\(fixed(goal, 0)))" : fixed(time, 0)
            }
            print(
                padded("\(way)", 14) + cell("\(conformances)", 12)
                    + cell(text(times.process, Cold.goal.process), 17)
                    + cell(text(times.model, Cold.goal.model), 21))
        }
        fflush(nil)
    }

    func order(_ name: String, _ source: Source, share: Double, goal: Double) {
        if json {
            print(#"{"order":"\#(name)","source":"\#(source)","over_declared":\#(fixed(share, 3))}"#)
        } else {
            print(
                padded(name, 30) + padded(source.rawValue, 8) + cell(fixed(share, 2), 6)
                    + " of the speed in declared order (\(fixed(goal, 2)))" + (share < goal ? "!" : ""))
        }
        fflush(nil)
    }

    func valuesHeader(rounds: Int) {
        guard !json else { return }
        print("Values without a model, medians of \(rounds) interleaved rounds; goal in parentheses")
        print("")
        print("                        Sluice     compared with     times")
        print(String(repeating: "-", count: 72))
    }

    func values(_ row: Values, time: Double, base: Double) {
        let multiple = base / time
        if json {
            print(
                #"{"row":"\#(row.name)","bytes":\#(row.bytes),"mbps":\#(fixed(Double(row.bytes) / 1e6 / time, 1)),"#
                    + #""compared_with":"\#(row.comparison)","times":\#(fixed(multiple, 3))}"#)
        } else {
            print(
                padded(row.name, 18) + cell("\(fixed(Double(row.bytes) / 1e6 / time, 0)) MB/s", 12) + "     "
                    + padded(row.comparison, 20) + cell("\(fixed(multiple, 2)) (\(fixed(row.goal, 1)))", 14)
                    + (multiple >= row.goal ? "" : "!"))
        }
        fflush(nil)
    }

    func validationHeader(rounds: Int) {
        guard !json else { return }
        print("MB/s of validation, medians of \(rounds) interleaved rounds")
        print("")
        print("corpus          source      MB  bare yajl  Sluice  JSONSerialization")
        print(String(repeating: "-", count: 68))
    }

    func validation(_ document: Validation, _ source: Source, _ speed: Double, bare: Double, foundation: Double) {
        if json {
            print(
                #"{"corpus":"\#(document.name)","source":"\#(source)","bytes":\#(document.bytes),"#
                    + #""floor_mbps":\#(fixed(bare, 2)),"validate_mbps":\#(fixed(speed, 2)),"#
                    + #""foundation_mbps":\#(fixed(foundation, 2))}"#)
        } else {
            print(
                padded(document.name, 16) + padded(source.rawValue, 8)
                    + cell(fixed(Double(document.bytes) / 1e6, 2), 6) + cell(fixed(bare, 0), 11)
                    + cell(fixed(speed, 0), 8) + cell(fixed(foundation, 0), 19))
        }
        fflush(nil)
    }

    func stream(_ way: Streams.Way, _ source: Source, share: Double) {
        if json {
            print(#"{"way":"\#(way.name)","source":"\#(source)","over_for_each":\#(fixed(share, 3))}"#)
        } else {
            let goal = way.goal > 0 ? " (\(fixed(way.goal, 1)))" + (share < way.goal ? "!" : "") : ""
            print(
                padded(way.name, 18) + padded(source.rawValue, 8) + cell(fixed(share, 2), 6)
                    + " of the speed of forEach" + goal)
        }
        fflush(nil)
    }

    func instructionsHeader() {
        guard !json else { return }
        print("Per call                          instructions in millions    allocations")
        print("")
    }

    func instructions(_ name: String, _ counts: Counts) {
        if json {
            print(
                #"{"row":"\#(name)","instructions_per_call":\#(fixed(counts.instructions, 0)),"#
                    + #""allocations_per_call":\#(fixed(counts.allocations, 2))}"#)
        } else {
            let millions = fixed(counts.instructions / 1e6, counts.instructions < 1e6 ? 6 : 3)
            print(padded(name, 34) + cell(millions, 24) + cell(fixed(counts.allocations, 1), 15))
        }
        fflush(nil)
    }

    func note(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    private func object(_ result: Result) -> String {
        let members = [
            #""corpus":"\#(result.corpus.name)""#,
            #""source":"\#(result.way.source.rawValue)""#,
            #""bytes":\#(result.corpus.bytes)"#,
            #""floor_mbps":\#(fixed(result.floor, 2))"#,
            #""sluice_mbps":\#(fixed(result.sluice, 2))"#,
            #""foundation_mbps":\#(fixed(result.foundation, 2))"#,
            #""sluice_over_floor":\#(fixed(result.share, 4))"#,
            #""sluice_over_foundation":\#(fixed(result.multiple, 3))"#,
        ]
        return "{" + members.joined(separator: ",") + "}"
    }

    private func row(_ result: Result) -> String {
        let goal = result.way.goal
        let cells = [
            cell(fixed(Double(result.corpus.bytes) / 1e6, 2), 6),
            cell(fixed(result.floor, 0), 9),
            cell(fixed(result.sluice, 0), 6),
            cell(fixed(result.foundation, 0), 10),
            cell("\(fixed(result.share, 2)) (\(fixed(goal.share, 2)))", 14)
                + (result.share >= goal.share ? " " : "!"),
            cell("\(fixed(result.multiple, 1)) (\(fixed(goal.multiple, 1)))", 16)
                + (result.multiple >= goal.multiple ? " " : "!"),
        ]
        return padded(result.corpus.name, 16) + padded(result.way.source.rawValue, 8)
            + cells.joined(separator: "  ")
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func cell(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private func fixed(_ value: Double, _ places: Int) -> String {
        String(format: "%.\(places)f", value)
    }
}

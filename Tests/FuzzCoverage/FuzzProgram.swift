import Foundation
import FuzzSupport

/// The program of `Scripts/fuzz.sh guided`: calls an entry of `FuzzSupport` with the bytes that libFuzzer makes.
///
/// The environment variable `SLUICE_FUZZ_ENTRY` names the entry, or else the name of the program, such as `decoding_fuzzer`. The arguments
/// are those of libFuzzer.
@main enum FuzzProgram {
    fileprivate static let entry: FuzzEntry = {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent
        let name =
            ProcessInfo.processInfo.environment["SLUICE_FUZZ_ENTRY"] ?? program.replacing("_fuzzer", with: "")
        guard let entry = FuzzEntry(rawValue: name) else {
            fatalError("SLUICE_FUZZ_ENTRY must be one of \(FuzzEntry.allCases.map(\.rawValue))")
        }
        return entry
    }()

    static func main() {
        _ = entry
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, test))
    }

    /// Ends the process if the oracles find a fault. libFuzzer then keeps the bytes.
    private static let test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { bytes, count in
        let faults = entry.faults(in: Array(UnsafeBufferPointer(start: bytes, count: count)))
        if faults.isEmpty { return 0 }
        FileHandle.standardError.write(Data((faults.joined(separator: "\n\n") + "\n").utf8))
        abort()
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The mutation of libFuzzer, which knows no JSON.
@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int

/// Half of the mutations are those of random documents.
@_cdecl("LLVMFuzzerCustomMutator")
func mutateCase(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt) -> Int {
    let known = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard seed % 2 == 0, let changed = FuzzProgram.entry.mutated(known, seed: UInt64(seed)),
        changed.count <= capacity
    else { return mutate(bytes, count, capacity) }
    bytes.update(from: changed, count: changed.count)
    return changed.count
}

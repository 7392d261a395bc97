import SluiceCore
import Testing

/// A property may begin in the padding of the property before, so a value is copied and moved without its padding.
@Suite struct ValueCopyTests {
    private struct Padded {
        let number: Int64
        let flag: Bool
    }

    private struct PaddedObject {
        let object: [Int]
        let flag: Bool
    }

    @Test func `a copy keeps the bytes after the value`() {
        check(Padded(number: 1, flag: true)) { ValueCopy.copy(Padded.self, from: $0, to: $1) }
        check(PaddedObject(object: [1], flag: true)) { ValueCopy.copy(PaddedObject.self, from: $0, to: $1) }
    }

    @Test func `a move keeps the bytes after the value`() {
        check(Padded(number: 1, flag: true)) { ValueCopy.move(Padded.self, from: $0, to: $1) }
        let object = PaddedObject(object: [1], flag: true)
        check(object) { source, target in
            // The value stays initialized for its owner.
            let copy = UnsafeMutablePointer<PaddedObject>.allocate(capacity: 1)
            copy.initialize(to: source.load(as: PaddedObject.self))
            ValueCopy.move(PaddedObject.self, from: copy, to: target)
            copy.deallocate()
        }
    }

    private func check<Value>(
        _ value: Value, _ transfer: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
    ) {
        let (size, stride) = (MemoryLayout<Value>.size, MemoryLayout<Value>.stride)
        #expect(size < stride)
        var value = value
        withUnsafeTemporaryAllocation(byteCount: stride, alignment: MemoryLayout<Value>.alignment) { target in
            target.initializeMemory(as: UInt8.self, repeating: 0xA5)
            withUnsafeMutablePointer(to: &value) { transfer(UnsafeMutableRawPointer($0), target.baseAddress!) }
            #expect(target[size...].allSatisfy { $0 == 0xA5 })
            target.baseAddress!.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
        }
    }
}

import GeneratedRecords
import Sluice

/// The number of products, and a checksum of all their properties in any order.
struct Totals: Equatable {
    var products = 0
    var checksum: UInt64 = 0

    mutating func add(_ product: Product) {
        products += 1
        // FNV-1a.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ byte: UInt8) { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for number in [UInt64(bitPattern: Int64(product.id)), product.price.bitPattern] {
            withUnsafeBytes(of: number.littleEndian) { bytes in bytes.forEach(mix) }
        }
        for text in [product.name, product.city, product.note ?? ""] {
            text.utf8.forEach(mix)
            mix(0xFF)
        }
        if product.note != nil { mix(1) }
        checksum &+= digest
    }

    /// Returns the totals of generated records.
    static func generated(_ records: RecordGenerator) throws -> Totals {
        var totals = Totals()
        var feed = JSONModelDecoder().feed(of: Product.self)
        try records.write { piece in
            for product in try feed.push(piece) { totals.add(product) }
        }
        for product in try feed.finish() { totals.add(product) }
        return totals
    }
}

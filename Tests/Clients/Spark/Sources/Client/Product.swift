import Sluice

/// An element of a file.
struct Product: JSONModel {
    let id: Int
    let name: String
    let price: Double
    let active: Bool
    let city: String

    static let plan = ModelPlan<Product> {
        JSONField(\.id, key: "id")
        JSONField(\.name, key: "name")
        JSONField(\.price, key: "price")
        JSONField(\.active, key: "active")
        JSONField(\.city, key: "address.city")
    }

    /// The price as an integer, whose sum does not depend on the order of the products.
    var cents: Int { Int((price * 100).rounded()) }

    /// A hash of all properties, which is the same in every process.
    var digest: UInt64 {
        // FNV-1a.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ byte: UInt8) { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for number in [UInt64(id), price.bitPattern, active ? 1 : 0] {
            withUnsafeBytes(of: number.littleEndian) { bytes in bytes.forEach(mix) }
        }
        for text in [name, city] {
            text.utf8.forEach(mix)
            mix(0xFF)
        }
        return digest
    }
}

/// The aggregates of products. The aggregates of ranges are added to those of their file.
struct Totals: Encodable {
    /// The number of all products.
    var products = 0
    /// The sum of the digests of all products.
    var checksum: UInt64 = 0
    /// The number of active products.
    var active = 0
    /// The sum of the prices of active products.
    var cents = 0

    mutating func add(_ product: Product) {
        products += 1
        checksum &+= product.digest
        guard product.active else { return }
        active += 1
        cents += product.cents
    }
}

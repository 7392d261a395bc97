import Sluice
import TestSupport

// More fields than a word has bits. Of each eight, five are required integers, then follow a
// string with a default, an optional instance and a required one.

struct Wide: SampledModel {
    let f0, f1, f2, f3, f4: Int
    let f5: String
    let f6: Tracked?
    let f7: Tracked
    let f8, f9, f10, f11, f12: Int
    let f13: String
    let f14: Tracked?
    let f15: Tracked
    let f16, f17, f18, f19, f20: Int
    let f21: String
    let f22: Tracked?
    let f23: Tracked
    let f24, f25, f26, f27, f28: Int
    let f29: String
    let f30: Tracked?
    let f31: Tracked
    let f32, f33, f34, f35, f36: Int
    let f37: String
    let f38: Tracked?
    let f39: Tracked
    let f40, f41, f42, f43, f44: Int
    let f45: String
    let f46: Tracked?
    let f47: Tracked
    let f48, f49, f50, f51, f52: Int
    let f53: String
    let f54: Tracked?
    let f55: Tracked
    let f56, f57, f58, f59, f60: Int
    let f61: String
    let f62: Tracked?
    let f63: Tracked
    let f64, f65, f66, f67, f68: Int
    let f69: String
    let f70: Tracked?
    let f71: Tracked
    let tail: [Leaf]

    static let plan = ModelPlan<Wide>(
        [
            eight(0, [\.f0, \.f1, \.f2, \.f3, \.f4], \.f5, \.f6, \.f7),
            eight(8, [\.f8, \.f9, \.f10, \.f11, \.f12], \.f13, \.f14, \.f15),
            eight(16, [\.f16, \.f17, \.f18, \.f19, \.f20], \.f21, \.f22, \.f23),
            eight(24, [\.f24, \.f25, \.f26, \.f27, \.f28], \.f29, \.f30, \.f31),
            eight(32, [\.f32, \.f33, \.f34, \.f35, \.f36], \.f37, \.f38, \.f39),
            eight(40, [\.f40, \.f41, \.f42, \.f43, \.f44], \.f45, \.f46, \.f47),
            eight(48, [\.f48, \.f49, \.f50, \.f51, \.f52], \.f53, \.f54, \.f55),
            eight(56, [\.f56, \.f57, \.f58, \.f59, \.f60], \.f61, \.f62, \.f63),
            eight(64, [\.f64, \.f65, \.f66, \.f67, \.f68], \.f69, \.f70, \.f71),
            [JSONField(\.tail, key: "tail", default: [])],
        ].flatMap { $0 })

    /// The fields of eight numbers.
    private static func eight(
        _ first: Int, _ required: [KeyPath<Wide, Int>], _ text: KeyPath<Wide, String>,
        _ optional: KeyPath<Wide, Tracked?>, _ mark: KeyPath<Wide, Tracked>
    ) -> [JSONField<Wide>] {
        zip(first..., required).map { JSONField($1, key: "f\($0)") } + [
            JSONField(text, key: "f\(first + 5)", default: "none"), JSONField(optional, key: "f\(first + 6)"),
            JSONField(mark, key: "f\(first + 7)"),
        ]
    }

    static func sampleMembers(_ object: ObjectSampler) {
        for index in 0..<72 {
            switch index % 8 {
            case 5: object.optional("f\(index)", as: String.self)
            case 6: object.optional("f\(index)", as: Tracked.self)
            case 7: object.required("f\(index)", as: Tracked.self)
            default: object.required("f\(index)", as: Int.self)
            }
        }
        object.optional("tail", as: [Leaf].self)
    }
}

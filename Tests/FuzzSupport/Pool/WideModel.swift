import Sluice
import TestSupport

// Generated once, and kept: more fields than a word has bits. Of each eight, five are required integers, then follow a
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

    static let plan = ModelPlan<Wide>([
        JSONField(\.f0, key: "f0"),
        JSONField(\.f1, key: "f1"),
        JSONField(\.f2, key: "f2"),
        JSONField(\.f3, key: "f3"),
        JSONField(\.f4, key: "f4"),
        JSONField(\.f5, key: "f5", default: "none"),
        JSONField(\.f6, key: "f6"),
        JSONField(\.f7, key: "f7"),
        JSONField(\.f8, key: "f8"),
        JSONField(\.f9, key: "f9"),
        JSONField(\.f10, key: "f10"),
        JSONField(\.f11, key: "f11"),
        JSONField(\.f12, key: "f12"),
        JSONField(\.f13, key: "f13", default: "none"),
        JSONField(\.f14, key: "f14"),
        JSONField(\.f15, key: "f15"),
        JSONField(\.f16, key: "f16"),
        JSONField(\.f17, key: "f17"),
        JSONField(\.f18, key: "f18"),
        JSONField(\.f19, key: "f19"),
        JSONField(\.f20, key: "f20"),
        JSONField(\.f21, key: "f21", default: "none"),
        JSONField(\.f22, key: "f22"),
        JSONField(\.f23, key: "f23"),
        JSONField(\.f24, key: "f24"),
        JSONField(\.f25, key: "f25"),
        JSONField(\.f26, key: "f26"),
        JSONField(\.f27, key: "f27"),
        JSONField(\.f28, key: "f28"),
        JSONField(\.f29, key: "f29", default: "none"),
        JSONField(\.f30, key: "f30"),
        JSONField(\.f31, key: "f31"),
        JSONField(\.f32, key: "f32"),
        JSONField(\.f33, key: "f33"),
        JSONField(\.f34, key: "f34"),
        JSONField(\.f35, key: "f35"),
        JSONField(\.f36, key: "f36"),
        JSONField(\.f37, key: "f37", default: "none"),
        JSONField(\.f38, key: "f38"),
        JSONField(\.f39, key: "f39"),
        JSONField(\.f40, key: "f40"),
        JSONField(\.f41, key: "f41"),
        JSONField(\.f42, key: "f42"),
        JSONField(\.f43, key: "f43"),
        JSONField(\.f44, key: "f44"),
        JSONField(\.f45, key: "f45", default: "none"),
        JSONField(\.f46, key: "f46"),
        JSONField(\.f47, key: "f47"),
        JSONField(\.f48, key: "f48"),
        JSONField(\.f49, key: "f49"),
        JSONField(\.f50, key: "f50"),
        JSONField(\.f51, key: "f51"),
        JSONField(\.f52, key: "f52"),
        JSONField(\.f53, key: "f53", default: "none"),
        JSONField(\.f54, key: "f54"),
        JSONField(\.f55, key: "f55"),
        JSONField(\.f56, key: "f56"),
        JSONField(\.f57, key: "f57"),
        JSONField(\.f58, key: "f58"),
        JSONField(\.f59, key: "f59"),
        JSONField(\.f60, key: "f60"),
        JSONField(\.f61, key: "f61", default: "none"),
        JSONField(\.f62, key: "f62"),
        JSONField(\.f63, key: "f63"),
        JSONField(\.f64, key: "f64"),
        JSONField(\.f65, key: "f65"),
        JSONField(\.f66, key: "f66"),
        JSONField(\.f67, key: "f67"),
        JSONField(\.f68, key: "f68"),
        JSONField(\.f69, key: "f69", default: "none"),
        JSONField(\.f70, key: "f70"),
        JSONField(\.f71, key: "f71"),
        JSONField(\.tail, key: "tail", default: []),
    ])

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

import Sluice

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
        Field(\.f0, key: "f0"),
        Field(\.f1, key: "f1"),
        Field(\.f2, key: "f2"),
        Field(\.f3, key: "f3"),
        Field(\.f4, key: "f4"),
        Field(\.f5, key: "f5", default: "none"),
        Field(\.f6, key: "f6"),
        Field(\.f7, key: "f7"),
        Field(\.f8, key: "f8"),
        Field(\.f9, key: "f9"),
        Field(\.f10, key: "f10"),
        Field(\.f11, key: "f11"),
        Field(\.f12, key: "f12"),
        Field(\.f13, key: "f13", default: "none"),
        Field(\.f14, key: "f14"),
        Field(\.f15, key: "f15"),
        Field(\.f16, key: "f16"),
        Field(\.f17, key: "f17"),
        Field(\.f18, key: "f18"),
        Field(\.f19, key: "f19"),
        Field(\.f20, key: "f20"),
        Field(\.f21, key: "f21", default: "none"),
        Field(\.f22, key: "f22"),
        Field(\.f23, key: "f23"),
        Field(\.f24, key: "f24"),
        Field(\.f25, key: "f25"),
        Field(\.f26, key: "f26"),
        Field(\.f27, key: "f27"),
        Field(\.f28, key: "f28"),
        Field(\.f29, key: "f29", default: "none"),
        Field(\.f30, key: "f30"),
        Field(\.f31, key: "f31"),
        Field(\.f32, key: "f32"),
        Field(\.f33, key: "f33"),
        Field(\.f34, key: "f34"),
        Field(\.f35, key: "f35"),
        Field(\.f36, key: "f36"),
        Field(\.f37, key: "f37", default: "none"),
        Field(\.f38, key: "f38"),
        Field(\.f39, key: "f39"),
        Field(\.f40, key: "f40"),
        Field(\.f41, key: "f41"),
        Field(\.f42, key: "f42"),
        Field(\.f43, key: "f43"),
        Field(\.f44, key: "f44"),
        Field(\.f45, key: "f45", default: "none"),
        Field(\.f46, key: "f46"),
        Field(\.f47, key: "f47"),
        Field(\.f48, key: "f48"),
        Field(\.f49, key: "f49"),
        Field(\.f50, key: "f50"),
        Field(\.f51, key: "f51"),
        Field(\.f52, key: "f52"),
        Field(\.f53, key: "f53", default: "none"),
        Field(\.f54, key: "f54"),
        Field(\.f55, key: "f55"),
        Field(\.f56, key: "f56"),
        Field(\.f57, key: "f57"),
        Field(\.f58, key: "f58"),
        Field(\.f59, key: "f59"),
        Field(\.f60, key: "f60"),
        Field(\.f61, key: "f61", default: "none"),
        Field(\.f62, key: "f62"),
        Field(\.f63, key: "f63"),
        Field(\.f64, key: "f64"),
        Field(\.f65, key: "f65"),
        Field(\.f66, key: "f66"),
        Field(\.f67, key: "f67"),
        Field(\.f68, key: "f68"),
        Field(\.f69, key: "f69", default: "none"),
        Field(\.f70, key: "f70"),
        Field(\.f71, key: "f71"),
        Field(\.tail, key: "tail", default: []),
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

import SluiceCore

/// A model of 200 fields, more than three words of presence bits.
///
/// Of each ten fields, the first seven are required integers, `f7` has a default, `f8` is optional, and `f9` is a required
/// string.
public struct Wide: JSONModel, Equatable {
    public let f0, f1, f2, f3, f4, f5, f6, f7: Int
    public let f8: Int?
    public let f9: String
    public let f10, f11, f12, f13, f14, f15, f16, f17: Int
    public let f18: Int?
    public let f19: String
    public let f20, f21, f22, f23, f24, f25, f26, f27: Int
    public let f28: Int?
    public let f29: String
    public let f30, f31, f32, f33, f34, f35, f36, f37: Int
    public let f38: Int?
    public let f39: String
    public let f40, f41, f42, f43, f44, f45, f46, f47: Int
    public let f48: Int?
    public let f49: String
    public let f50, f51, f52, f53, f54, f55, f56, f57: Int
    public let f58: Int?
    public let f59: String
    public let f60, f61, f62, f63, f64, f65, f66, f67: Int
    public let f68: Int?
    public let f69: String
    public let f70, f71, f72, f73, f74, f75, f76, f77: Int
    public let f78: Int?
    public let f79: String
    public let f80, f81, f82, f83, f84, f85, f86, f87: Int
    public let f88: Int?
    public let f89: String
    public let f90, f91, f92, f93, f94, f95, f96, f97: Int
    public let f98: Int?
    public let f99: String
    public let f100, f101, f102, f103, f104, f105, f106, f107: Int
    public let f108: Int?
    public let f109: String
    public let f110, f111, f112, f113, f114, f115, f116, f117: Int
    public let f118: Int?
    public let f119: String
    public let f120, f121, f122, f123, f124, f125, f126, f127: Int
    public let f128: Int?
    public let f129: String
    public let f130, f131, f132, f133, f134, f135, f136, f137: Int
    public let f138: Int?
    public let f139: String
    public let f140, f141, f142, f143, f144, f145, f146, f147: Int
    public let f148: Int?
    public let f149: String
    public let f150, f151, f152, f153, f154, f155, f156, f157: Int
    public let f158: Int?
    public let f159: String
    public let f160, f161, f162, f163, f164, f165, f166, f167: Int
    public let f168: Int?
    public let f169: String
    public let f170, f171, f172, f173, f174, f175, f176, f177: Int
    public let f178: Int?
    public let f179: String
    public let f180, f181, f182, f183, f184, f185, f186, f187: Int
    public let f188: Int?
    public let f189: String
    public let f190, f191, f192, f193, f194, f195, f196, f197: Int
    public let f198: Int?
    public let f199: String

    public static let plan = ModelPlan<Wide>(
        [
            ten(0, [\.f0, \.f1, \.f2, \.f3, \.f4, \.f5, \.f6], \.f7, \.f8, \.f9),
            ten(10, [\.f10, \.f11, \.f12, \.f13, \.f14, \.f15, \.f16], \.f17, \.f18, \.f19),
            ten(20, [\.f20, \.f21, \.f22, \.f23, \.f24, \.f25, \.f26], \.f27, \.f28, \.f29),
            ten(30, [\.f30, \.f31, \.f32, \.f33, \.f34, \.f35, \.f36], \.f37, \.f38, \.f39),
            ten(40, [\.f40, \.f41, \.f42, \.f43, \.f44, \.f45, \.f46], \.f47, \.f48, \.f49),
            ten(50, [\.f50, \.f51, \.f52, \.f53, \.f54, \.f55, \.f56], \.f57, \.f58, \.f59),
            ten(60, [\.f60, \.f61, \.f62, \.f63, \.f64, \.f65, \.f66], \.f67, \.f68, \.f69),
            ten(70, [\.f70, \.f71, \.f72, \.f73, \.f74, \.f75, \.f76], \.f77, \.f78, \.f79),
            ten(80, [\.f80, \.f81, \.f82, \.f83, \.f84, \.f85, \.f86], \.f87, \.f88, \.f89),
            ten(90, [\.f90, \.f91, \.f92, \.f93, \.f94, \.f95, \.f96], \.f97, \.f98, \.f99),
            ten(100, [\.f100, \.f101, \.f102, \.f103, \.f104, \.f105, \.f106], \.f107, \.f108, \.f109),
            ten(110, [\.f110, \.f111, \.f112, \.f113, \.f114, \.f115, \.f116], \.f117, \.f118, \.f119),
            ten(120, [\.f120, \.f121, \.f122, \.f123, \.f124, \.f125, \.f126], \.f127, \.f128, \.f129),
            ten(130, [\.f130, \.f131, \.f132, \.f133, \.f134, \.f135, \.f136], \.f137, \.f138, \.f139),
            ten(140, [\.f140, \.f141, \.f142, \.f143, \.f144, \.f145, \.f146], \.f147, \.f148, \.f149),
            ten(150, [\.f150, \.f151, \.f152, \.f153, \.f154, \.f155, \.f156], \.f157, \.f158, \.f159),
            ten(160, [\.f160, \.f161, \.f162, \.f163, \.f164, \.f165, \.f166], \.f167, \.f168, \.f169),
            ten(170, [\.f170, \.f171, \.f172, \.f173, \.f174, \.f175, \.f176], \.f177, \.f178, \.f179),
            ten(180, [\.f180, \.f181, \.f182, \.f183, \.f184, \.f185, \.f186], \.f187, \.f188, \.f189),
            ten(190, [\.f190, \.f191, \.f192, \.f193, \.f194, \.f195, \.f196], \.f197, \.f198, \.f199),
        ].flatMap { $0 })

    /// The fields of ten numbers.
    private static func ten(
        _ first: Int, _ required: [KeyPath<Wide, Int>], _ defaulted: KeyPath<Wide, Int>,
        _ optional: KeyPath<Wide, Int?>, _ text: KeyPath<Wide, String>
    ) -> [JSONField<Wide>] {
        zip(first..., required).map { JSONField($1, key: "f\($0)") } + [
            JSONField(defaulted, key: "f\(first + 7)", default: -1), JSONField(optional, key: "f\(first + 8)"),
            JSONField(text, key: "f\(first + 9)"),
        ]
    }

    /// The members of an object with the fields of some numbers.
    public static func members(_ isIncluded: (Int) -> Bool = { _ in true }) -> [String] {
        (0..<200).filter(isIncluded).map { "\"f\($0)\":" + ($0 % 10 == 9 ? "\"string \($0)\"" : "\($0)") }
    }
}

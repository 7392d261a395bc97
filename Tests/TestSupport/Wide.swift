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

    public static let plan = ModelPlan<Wide>([
        JSONField(\.f0, key: "f0"),
        JSONField(\.f1, key: "f1"),
        JSONField(\.f2, key: "f2"),
        JSONField(\.f3, key: "f3"),
        JSONField(\.f4, key: "f4"),
        JSONField(\.f5, key: "f5"),
        JSONField(\.f6, key: "f6"),
        JSONField(\.f7, key: "f7", default: -1),
        JSONField(\.f8, key: "f8"),
        JSONField(\.f9, key: "f9"),
        JSONField(\.f10, key: "f10"),
        JSONField(\.f11, key: "f11"),
        JSONField(\.f12, key: "f12"),
        JSONField(\.f13, key: "f13"),
        JSONField(\.f14, key: "f14"),
        JSONField(\.f15, key: "f15"),
        JSONField(\.f16, key: "f16"),
        JSONField(\.f17, key: "f17", default: -1),
        JSONField(\.f18, key: "f18"),
        JSONField(\.f19, key: "f19"),
        JSONField(\.f20, key: "f20"),
        JSONField(\.f21, key: "f21"),
        JSONField(\.f22, key: "f22"),
        JSONField(\.f23, key: "f23"),
        JSONField(\.f24, key: "f24"),
        JSONField(\.f25, key: "f25"),
        JSONField(\.f26, key: "f26"),
        JSONField(\.f27, key: "f27", default: -1),
        JSONField(\.f28, key: "f28"),
        JSONField(\.f29, key: "f29"),
        JSONField(\.f30, key: "f30"),
        JSONField(\.f31, key: "f31"),
        JSONField(\.f32, key: "f32"),
        JSONField(\.f33, key: "f33"),
        JSONField(\.f34, key: "f34"),
        JSONField(\.f35, key: "f35"),
        JSONField(\.f36, key: "f36"),
        JSONField(\.f37, key: "f37", default: -1),
        JSONField(\.f38, key: "f38"),
        JSONField(\.f39, key: "f39"),
        JSONField(\.f40, key: "f40"),
        JSONField(\.f41, key: "f41"),
        JSONField(\.f42, key: "f42"),
        JSONField(\.f43, key: "f43"),
        JSONField(\.f44, key: "f44"),
        JSONField(\.f45, key: "f45"),
        JSONField(\.f46, key: "f46"),
        JSONField(\.f47, key: "f47", default: -1),
        JSONField(\.f48, key: "f48"),
        JSONField(\.f49, key: "f49"),
        JSONField(\.f50, key: "f50"),
        JSONField(\.f51, key: "f51"),
        JSONField(\.f52, key: "f52"),
        JSONField(\.f53, key: "f53"),
        JSONField(\.f54, key: "f54"),
        JSONField(\.f55, key: "f55"),
        JSONField(\.f56, key: "f56"),
        JSONField(\.f57, key: "f57", default: -1),
        JSONField(\.f58, key: "f58"),
        JSONField(\.f59, key: "f59"),
        JSONField(\.f60, key: "f60"),
        JSONField(\.f61, key: "f61"),
        JSONField(\.f62, key: "f62"),
        JSONField(\.f63, key: "f63"),
        JSONField(\.f64, key: "f64"),
        JSONField(\.f65, key: "f65"),
        JSONField(\.f66, key: "f66"),
        JSONField(\.f67, key: "f67", default: -1),
        JSONField(\.f68, key: "f68"),
        JSONField(\.f69, key: "f69"),
        JSONField(\.f70, key: "f70"),
        JSONField(\.f71, key: "f71"),
        JSONField(\.f72, key: "f72"),
        JSONField(\.f73, key: "f73"),
        JSONField(\.f74, key: "f74"),
        JSONField(\.f75, key: "f75"),
        JSONField(\.f76, key: "f76"),
        JSONField(\.f77, key: "f77", default: -1),
        JSONField(\.f78, key: "f78"),
        JSONField(\.f79, key: "f79"),
        JSONField(\.f80, key: "f80"),
        JSONField(\.f81, key: "f81"),
        JSONField(\.f82, key: "f82"),
        JSONField(\.f83, key: "f83"),
        JSONField(\.f84, key: "f84"),
        JSONField(\.f85, key: "f85"),
        JSONField(\.f86, key: "f86"),
        JSONField(\.f87, key: "f87", default: -1),
        JSONField(\.f88, key: "f88"),
        JSONField(\.f89, key: "f89"),
        JSONField(\.f90, key: "f90"),
        JSONField(\.f91, key: "f91"),
        JSONField(\.f92, key: "f92"),
        JSONField(\.f93, key: "f93"),
        JSONField(\.f94, key: "f94"),
        JSONField(\.f95, key: "f95"),
        JSONField(\.f96, key: "f96"),
        JSONField(\.f97, key: "f97", default: -1),
        JSONField(\.f98, key: "f98"),
        JSONField(\.f99, key: "f99"),
        JSONField(\.f100, key: "f100"),
        JSONField(\.f101, key: "f101"),
        JSONField(\.f102, key: "f102"),
        JSONField(\.f103, key: "f103"),
        JSONField(\.f104, key: "f104"),
        JSONField(\.f105, key: "f105"),
        JSONField(\.f106, key: "f106"),
        JSONField(\.f107, key: "f107", default: -1),
        JSONField(\.f108, key: "f108"),
        JSONField(\.f109, key: "f109"),
        JSONField(\.f110, key: "f110"),
        JSONField(\.f111, key: "f111"),
        JSONField(\.f112, key: "f112"),
        JSONField(\.f113, key: "f113"),
        JSONField(\.f114, key: "f114"),
        JSONField(\.f115, key: "f115"),
        JSONField(\.f116, key: "f116"),
        JSONField(\.f117, key: "f117", default: -1),
        JSONField(\.f118, key: "f118"),
        JSONField(\.f119, key: "f119"),
        JSONField(\.f120, key: "f120"),
        JSONField(\.f121, key: "f121"),
        JSONField(\.f122, key: "f122"),
        JSONField(\.f123, key: "f123"),
        JSONField(\.f124, key: "f124"),
        JSONField(\.f125, key: "f125"),
        JSONField(\.f126, key: "f126"),
        JSONField(\.f127, key: "f127", default: -1),
        JSONField(\.f128, key: "f128"),
        JSONField(\.f129, key: "f129"),
        JSONField(\.f130, key: "f130"),
        JSONField(\.f131, key: "f131"),
        JSONField(\.f132, key: "f132"),
        JSONField(\.f133, key: "f133"),
        JSONField(\.f134, key: "f134"),
        JSONField(\.f135, key: "f135"),
        JSONField(\.f136, key: "f136"),
        JSONField(\.f137, key: "f137", default: -1),
        JSONField(\.f138, key: "f138"),
        JSONField(\.f139, key: "f139"),
        JSONField(\.f140, key: "f140"),
        JSONField(\.f141, key: "f141"),
        JSONField(\.f142, key: "f142"),
        JSONField(\.f143, key: "f143"),
        JSONField(\.f144, key: "f144"),
        JSONField(\.f145, key: "f145"),
        JSONField(\.f146, key: "f146"),
        JSONField(\.f147, key: "f147", default: -1),
        JSONField(\.f148, key: "f148"),
        JSONField(\.f149, key: "f149"),
        JSONField(\.f150, key: "f150"),
        JSONField(\.f151, key: "f151"),
        JSONField(\.f152, key: "f152"),
        JSONField(\.f153, key: "f153"),
        JSONField(\.f154, key: "f154"),
        JSONField(\.f155, key: "f155"),
        JSONField(\.f156, key: "f156"),
        JSONField(\.f157, key: "f157", default: -1),
        JSONField(\.f158, key: "f158"),
        JSONField(\.f159, key: "f159"),
        JSONField(\.f160, key: "f160"),
        JSONField(\.f161, key: "f161"),
        JSONField(\.f162, key: "f162"),
        JSONField(\.f163, key: "f163"),
        JSONField(\.f164, key: "f164"),
        JSONField(\.f165, key: "f165"),
        JSONField(\.f166, key: "f166"),
        JSONField(\.f167, key: "f167", default: -1),
        JSONField(\.f168, key: "f168"),
        JSONField(\.f169, key: "f169"),
        JSONField(\.f170, key: "f170"),
        JSONField(\.f171, key: "f171"),
        JSONField(\.f172, key: "f172"),
        JSONField(\.f173, key: "f173"),
        JSONField(\.f174, key: "f174"),
        JSONField(\.f175, key: "f175"),
        JSONField(\.f176, key: "f176"),
        JSONField(\.f177, key: "f177", default: -1),
        JSONField(\.f178, key: "f178"),
        JSONField(\.f179, key: "f179"),
        JSONField(\.f180, key: "f180"),
        JSONField(\.f181, key: "f181"),
        JSONField(\.f182, key: "f182"),
        JSONField(\.f183, key: "f183"),
        JSONField(\.f184, key: "f184"),
        JSONField(\.f185, key: "f185"),
        JSONField(\.f186, key: "f186"),
        JSONField(\.f187, key: "f187", default: -1),
        JSONField(\.f188, key: "f188"),
        JSONField(\.f189, key: "f189"),
        JSONField(\.f190, key: "f190"),
        JSONField(\.f191, key: "f191"),
        JSONField(\.f192, key: "f192"),
        JSONField(\.f193, key: "f193"),
        JSONField(\.f194, key: "f194"),
        JSONField(\.f195, key: "f195"),
        JSONField(\.f196, key: "f196"),
        JSONField(\.f197, key: "f197", default: -1),
        JSONField(\.f198, key: "f198"),
        JSONField(\.f199, key: "f199"),
    ])

    /// The members of an object with the fields of some numbers.
    public static func members(_ isIncluded: (Int) -> Bool = { _ in true }) -> [String] {
        (0..<200).filter(isIncluded).map { "\"f\($0)\":" + ($0 % 10 == 9 ? "\"string \($0)\"" : "\($0)") }
    }
}

import SluiceCore

// Generated once, and kept: a model of 200 fields, more than three words of bits. Of each ten, `f0` to `f6` are
// required, `f7` has a default, `f8` is optional and `f9` is a required string.
struct Wide: JSONModel, Equatable {
    let f0, f1, f2, f3, f4, f5, f6, f7: Int
    let f8: Int?
    let f9: String
    let f10, f11, f12, f13, f14, f15, f16, f17: Int
    let f18: Int?
    let f19: String
    let f20, f21, f22, f23, f24, f25, f26, f27: Int
    let f28: Int?
    let f29: String
    let f30, f31, f32, f33, f34, f35, f36, f37: Int
    let f38: Int?
    let f39: String
    let f40, f41, f42, f43, f44, f45, f46, f47: Int
    let f48: Int?
    let f49: String
    let f50, f51, f52, f53, f54, f55, f56, f57: Int
    let f58: Int?
    let f59: String
    let f60, f61, f62, f63, f64, f65, f66, f67: Int
    let f68: Int?
    let f69: String
    let f70, f71, f72, f73, f74, f75, f76, f77: Int
    let f78: Int?
    let f79: String
    let f80, f81, f82, f83, f84, f85, f86, f87: Int
    let f88: Int?
    let f89: String
    let f90, f91, f92, f93, f94, f95, f96, f97: Int
    let f98: Int?
    let f99: String
    let f100, f101, f102, f103, f104, f105, f106, f107: Int
    let f108: Int?
    let f109: String
    let f110, f111, f112, f113, f114, f115, f116, f117: Int
    let f118: Int?
    let f119: String
    let f120, f121, f122, f123, f124, f125, f126, f127: Int
    let f128: Int?
    let f129: String
    let f130, f131, f132, f133, f134, f135, f136, f137: Int
    let f138: Int?
    let f139: String
    let f140, f141, f142, f143, f144, f145, f146, f147: Int
    let f148: Int?
    let f149: String
    let f150, f151, f152, f153, f154, f155, f156, f157: Int
    let f158: Int?
    let f159: String
    let f160, f161, f162, f163, f164, f165, f166, f167: Int
    let f168: Int?
    let f169: String
    let f170, f171, f172, f173, f174, f175, f176, f177: Int
    let f178: Int?
    let f179: String
    let f180, f181, f182, f183, f184, f185, f186, f187: Int
    let f188: Int?
    let f189: String
    let f190, f191, f192, f193, f194, f195, f196, f197: Int
    let f198: Int?
    let f199: String

    static let plan = ModelPlan<Wide>([
        Field(\.f0, key: "f0"),
        Field(\.f1, key: "f1"),
        Field(\.f2, key: "f2"),
        Field(\.f3, key: "f3"),
        Field(\.f4, key: "f4"),
        Field(\.f5, key: "f5"),
        Field(\.f6, key: "f6"),
        Field(\.f7, key: "f7", default: -1),
        Field(\.f8, key: "f8"),
        Field(\.f9, key: "f9"),
        Field(\.f10, key: "f10"),
        Field(\.f11, key: "f11"),
        Field(\.f12, key: "f12"),
        Field(\.f13, key: "f13"),
        Field(\.f14, key: "f14"),
        Field(\.f15, key: "f15"),
        Field(\.f16, key: "f16"),
        Field(\.f17, key: "f17", default: -1),
        Field(\.f18, key: "f18"),
        Field(\.f19, key: "f19"),
        Field(\.f20, key: "f20"),
        Field(\.f21, key: "f21"),
        Field(\.f22, key: "f22"),
        Field(\.f23, key: "f23"),
        Field(\.f24, key: "f24"),
        Field(\.f25, key: "f25"),
        Field(\.f26, key: "f26"),
        Field(\.f27, key: "f27", default: -1),
        Field(\.f28, key: "f28"),
        Field(\.f29, key: "f29"),
        Field(\.f30, key: "f30"),
        Field(\.f31, key: "f31"),
        Field(\.f32, key: "f32"),
        Field(\.f33, key: "f33"),
        Field(\.f34, key: "f34"),
        Field(\.f35, key: "f35"),
        Field(\.f36, key: "f36"),
        Field(\.f37, key: "f37", default: -1),
        Field(\.f38, key: "f38"),
        Field(\.f39, key: "f39"),
        Field(\.f40, key: "f40"),
        Field(\.f41, key: "f41"),
        Field(\.f42, key: "f42"),
        Field(\.f43, key: "f43"),
        Field(\.f44, key: "f44"),
        Field(\.f45, key: "f45"),
        Field(\.f46, key: "f46"),
        Field(\.f47, key: "f47", default: -1),
        Field(\.f48, key: "f48"),
        Field(\.f49, key: "f49"),
        Field(\.f50, key: "f50"),
        Field(\.f51, key: "f51"),
        Field(\.f52, key: "f52"),
        Field(\.f53, key: "f53"),
        Field(\.f54, key: "f54"),
        Field(\.f55, key: "f55"),
        Field(\.f56, key: "f56"),
        Field(\.f57, key: "f57", default: -1),
        Field(\.f58, key: "f58"),
        Field(\.f59, key: "f59"),
        Field(\.f60, key: "f60"),
        Field(\.f61, key: "f61"),
        Field(\.f62, key: "f62"),
        Field(\.f63, key: "f63"),
        Field(\.f64, key: "f64"),
        Field(\.f65, key: "f65"),
        Field(\.f66, key: "f66"),
        Field(\.f67, key: "f67", default: -1),
        Field(\.f68, key: "f68"),
        Field(\.f69, key: "f69"),
        Field(\.f70, key: "f70"),
        Field(\.f71, key: "f71"),
        Field(\.f72, key: "f72"),
        Field(\.f73, key: "f73"),
        Field(\.f74, key: "f74"),
        Field(\.f75, key: "f75"),
        Field(\.f76, key: "f76"),
        Field(\.f77, key: "f77", default: -1),
        Field(\.f78, key: "f78"),
        Field(\.f79, key: "f79"),
        Field(\.f80, key: "f80"),
        Field(\.f81, key: "f81"),
        Field(\.f82, key: "f82"),
        Field(\.f83, key: "f83"),
        Field(\.f84, key: "f84"),
        Field(\.f85, key: "f85"),
        Field(\.f86, key: "f86"),
        Field(\.f87, key: "f87", default: -1),
        Field(\.f88, key: "f88"),
        Field(\.f89, key: "f89"),
        Field(\.f90, key: "f90"),
        Field(\.f91, key: "f91"),
        Field(\.f92, key: "f92"),
        Field(\.f93, key: "f93"),
        Field(\.f94, key: "f94"),
        Field(\.f95, key: "f95"),
        Field(\.f96, key: "f96"),
        Field(\.f97, key: "f97", default: -1),
        Field(\.f98, key: "f98"),
        Field(\.f99, key: "f99"),
        Field(\.f100, key: "f100"),
        Field(\.f101, key: "f101"),
        Field(\.f102, key: "f102"),
        Field(\.f103, key: "f103"),
        Field(\.f104, key: "f104"),
        Field(\.f105, key: "f105"),
        Field(\.f106, key: "f106"),
        Field(\.f107, key: "f107", default: -1),
        Field(\.f108, key: "f108"),
        Field(\.f109, key: "f109"),
        Field(\.f110, key: "f110"),
        Field(\.f111, key: "f111"),
        Field(\.f112, key: "f112"),
        Field(\.f113, key: "f113"),
        Field(\.f114, key: "f114"),
        Field(\.f115, key: "f115"),
        Field(\.f116, key: "f116"),
        Field(\.f117, key: "f117", default: -1),
        Field(\.f118, key: "f118"),
        Field(\.f119, key: "f119"),
        Field(\.f120, key: "f120"),
        Field(\.f121, key: "f121"),
        Field(\.f122, key: "f122"),
        Field(\.f123, key: "f123"),
        Field(\.f124, key: "f124"),
        Field(\.f125, key: "f125"),
        Field(\.f126, key: "f126"),
        Field(\.f127, key: "f127", default: -1),
        Field(\.f128, key: "f128"),
        Field(\.f129, key: "f129"),
        Field(\.f130, key: "f130"),
        Field(\.f131, key: "f131"),
        Field(\.f132, key: "f132"),
        Field(\.f133, key: "f133"),
        Field(\.f134, key: "f134"),
        Field(\.f135, key: "f135"),
        Field(\.f136, key: "f136"),
        Field(\.f137, key: "f137", default: -1),
        Field(\.f138, key: "f138"),
        Field(\.f139, key: "f139"),
        Field(\.f140, key: "f140"),
        Field(\.f141, key: "f141"),
        Field(\.f142, key: "f142"),
        Field(\.f143, key: "f143"),
        Field(\.f144, key: "f144"),
        Field(\.f145, key: "f145"),
        Field(\.f146, key: "f146"),
        Field(\.f147, key: "f147", default: -1),
        Field(\.f148, key: "f148"),
        Field(\.f149, key: "f149"),
        Field(\.f150, key: "f150"),
        Field(\.f151, key: "f151"),
        Field(\.f152, key: "f152"),
        Field(\.f153, key: "f153"),
        Field(\.f154, key: "f154"),
        Field(\.f155, key: "f155"),
        Field(\.f156, key: "f156"),
        Field(\.f157, key: "f157", default: -1),
        Field(\.f158, key: "f158"),
        Field(\.f159, key: "f159"),
        Field(\.f160, key: "f160"),
        Field(\.f161, key: "f161"),
        Field(\.f162, key: "f162"),
        Field(\.f163, key: "f163"),
        Field(\.f164, key: "f164"),
        Field(\.f165, key: "f165"),
        Field(\.f166, key: "f166"),
        Field(\.f167, key: "f167", default: -1),
        Field(\.f168, key: "f168"),
        Field(\.f169, key: "f169"),
        Field(\.f170, key: "f170"),
        Field(\.f171, key: "f171"),
        Field(\.f172, key: "f172"),
        Field(\.f173, key: "f173"),
        Field(\.f174, key: "f174"),
        Field(\.f175, key: "f175"),
        Field(\.f176, key: "f176"),
        Field(\.f177, key: "f177", default: -1),
        Field(\.f178, key: "f178"),
        Field(\.f179, key: "f179"),
        Field(\.f180, key: "f180"),
        Field(\.f181, key: "f181"),
        Field(\.f182, key: "f182"),
        Field(\.f183, key: "f183"),
        Field(\.f184, key: "f184"),
        Field(\.f185, key: "f185"),
        Field(\.f186, key: "f186"),
        Field(\.f187, key: "f187", default: -1),
        Field(\.f188, key: "f188"),
        Field(\.f189, key: "f189"),
        Field(\.f190, key: "f190"),
        Field(\.f191, key: "f191"),
        Field(\.f192, key: "f192"),
        Field(\.f193, key: "f193"),
        Field(\.f194, key: "f194"),
        Field(\.f195, key: "f195"),
        Field(\.f196, key: "f196"),
        Field(\.f197, key: "f197", default: -1),
        Field(\.f198, key: "f198"),
        Field(\.f199, key: "f199"),
    ])
}

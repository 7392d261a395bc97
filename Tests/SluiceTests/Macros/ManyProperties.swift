#if Macros
import Sluice
import TestSupport

/// The properties of the model `Wide`, whose plan is written by hand.
@JSONModel
struct Many {
    let f0, f1, f2, f3, f4, f5, f6: Int
    var f7 = -1
    let f8: Int?
    let f9: String
    let f10, f11, f12, f13, f14, f15, f16: Int
    var f17 = -1
    let f18: Int?
    let f19: String
    let f20, f21, f22, f23, f24, f25, f26: Int
    var f27 = -1
    let f28: Int?
    let f29: String
    let f30, f31, f32, f33, f34, f35, f36: Int
    var f37 = -1
    let f38: Int?
    let f39: String
    let f40, f41, f42, f43, f44, f45, f46: Int
    var f47 = -1
    let f48: Int?
    let f49: String
    let f50, f51, f52, f53, f54, f55, f56: Int
    var f57 = -1
    let f58: Int?
    let f59: String
    let f60, f61, f62, f63, f64, f65, f66: Int
    var f67 = -1
    let f68: Int?
    let f69: String
    let f70, f71, f72, f73, f74, f75, f76: Int
    var f77 = -1
    let f78: Int?
    let f79: String
    let f80, f81, f82, f83, f84, f85, f86: Int
    var f87 = -1
    let f88: Int?
    let f89: String
    let f90, f91, f92, f93, f94, f95, f96: Int
    var f97 = -1
    let f98: Int?
    let f99: String
    let f100, f101, f102, f103, f104, f105, f106: Int
    var f107 = -1
    let f108: Int?
    let f109: String
    let f110, f111, f112, f113, f114, f115, f116: Int
    var f117 = -1
    let f118: Int?
    let f119: String
    let f120, f121, f122, f123, f124, f125, f126: Int
    var f127 = -1
    let f128: Int?
    let f129: String
    let f130, f131, f132, f133, f134, f135, f136: Int
    var f137 = -1
    let f138: Int?
    let f139: String
    let f140, f141, f142, f143, f144, f145, f146: Int
    var f147 = -1
    let f148: Int?
    let f149: String
    let f150, f151, f152, f153, f154, f155, f156: Int
    var f157 = -1
    let f158: Int?
    let f159: String
    let f160, f161, f162, f163, f164, f165, f166: Int
    var f167 = -1
    let f168: Int?
    let f169: String
    let f170, f171, f172, f173, f174, f175, f176: Int
    var f177 = -1
    let f178: Int?
    let f179: String
    let f180, f181, f182, f183, f184, f185, f186: Int
    var f187 = -1
    let f188: Int?
    let f189: String
    let f190, f191, f192, f193, f194, f195, f196: Int
    var f197 = -1
    let f198: Int?
    let f199: String
}
#endif

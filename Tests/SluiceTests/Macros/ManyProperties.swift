#if Macros
import Sluice

// 200 properties, in fives of four kinds: more than three words of bits.

@JSONModel
struct Many {
    let i0, i1, i2, i3, i4: Int
    let s5, s6, s7, s8, s9: String
    let d10, d11, d12, d13, d14: Double?
    var b15 = false, b16 = false, b17 = false, b18 = false, b19 = false
    let i20, i21, i22, i23, i24: Int
    let s25, s26, s27, s28, s29: String
    let d30, d31, d32, d33, d34: Double?
    var b35 = false, b36 = false, b37 = false, b38 = false, b39 = false
    let i40, i41, i42, i43, i44: Int
    let s45, s46, s47, s48, s49: String
    let d50, d51, d52, d53, d54: Double?
    var b55 = false, b56 = false, b57 = false, b58 = false, b59 = false
    let i60, i61, i62, i63, i64: Int
    let s65, s66, s67, s68, s69: String
    let d70, d71, d72, d73, d74: Double?
    var b75 = false, b76 = false, b77 = false, b78 = false, b79 = false
    let i80, i81, i82, i83, i84: Int
    let s85, s86, s87, s88, s89: String
    let d90, d91, d92, d93, d94: Double?
    var b95 = false, b96 = false, b97 = false, b98 = false, b99 = false
    let i100, i101, i102, i103, i104: Int
    let s105, s106, s107, s108, s109: String
    let d110, d111, d112, d113, d114: Double?
    var b115 = false, b116 = false, b117 = false, b118 = false, b119 = false
    let i120, i121, i122, i123, i124: Int
    let s125, s126, s127, s128, s129: String
    let d130, d131, d132, d133, d134: Double?
    var b135 = false, b136 = false, b137 = false, b138 = false, b139 = false
    let i140, i141, i142, i143, i144: Int
    let s145, s146, s147, s148, s149: String
    let d150, d151, d152, d153, d154: Double?
    var b155 = false, b156 = false, b157 = false, b158 = false, b159 = false
    let i160, i161, i162, i163, i164: Int
    let s165, s166, s167, s168, s169: String
    let d170, d171, d172, d173, d174: Double?
    var b175 = false, b176 = false, b177 = false, b178 = false, b179 = false
    let i180, i181, i182, i183, i184: Int
    let s185, s186, s187, s188, s189: String
    let d190, d191, d192, d193, d194: Double?
    var b195 = false, b196 = false, b197 = false, b198 = false, b199 = false
}

struct ManyByHand: JSONModel {
    let i0, i1, i2, i3, i4: Int
    let s5, s6, s7, s8, s9: String
    let d10, d11, d12, d13, d14: Double?
    let b15, b16, b17, b18, b19: Bool
    let i20, i21, i22, i23, i24: Int
    let s25, s26, s27, s28, s29: String
    let d30, d31, d32, d33, d34: Double?
    let b35, b36, b37, b38, b39: Bool
    let i40, i41, i42, i43, i44: Int
    let s45, s46, s47, s48, s49: String
    let d50, d51, d52, d53, d54: Double?
    let b55, b56, b57, b58, b59: Bool
    let i60, i61, i62, i63, i64: Int
    let s65, s66, s67, s68, s69: String
    let d70, d71, d72, d73, d74: Double?
    let b75, b76, b77, b78, b79: Bool
    let i80, i81, i82, i83, i84: Int
    let s85, s86, s87, s88, s89: String
    let d90, d91, d92, d93, d94: Double?
    let b95, b96, b97, b98, b99: Bool
    let i100, i101, i102, i103, i104: Int
    let s105, s106, s107, s108, s109: String
    let d110, d111, d112, d113, d114: Double?
    let b115, b116, b117, b118, b119: Bool
    let i120, i121, i122, i123, i124: Int
    let s125, s126, s127, s128, s129: String
    let d130, d131, d132, d133, d134: Double?
    let b135, b136, b137, b138, b139: Bool
    let i140, i141, i142, i143, i144: Int
    let s145, s146, s147, s148, s149: String
    let d150, d151, d152, d153, d154: Double?
    let b155, b156, b157, b158, b159: Bool
    let i160, i161, i162, i163, i164: Int
    let s165, s166, s167, s168, s169: String
    let d170, d171, d172, d173, d174: Double?
    let b175, b176, b177, b178, b179: Bool
    let i180, i181, i182, i183, i184: Int
    let s185, s186, s187, s188, s189: String
    let d190, d191, d192, d193, d194: Double?
    let b195, b196, b197, b198, b199: Bool

    static let plan: ModelPlan<ManyByHand> = {
        var fields: [JSONField<ManyByHand>] = []
        fields += [.init(\.i0, key: "i0"), .init(\.i1, key: "i1"), .init(\.i2, key: "i2")]
        fields += [.init(\.i3, key: "i3"), .init(\.i4, key: "i4")]
        fields += [.init(\.s5, key: "s5"), .init(\.s6, key: "s6"), .init(\.s7, key: "s7")]
        fields += [.init(\.s8, key: "s8"), .init(\.s9, key: "s9")]
        fields += [.init(\.d10, key: "d10"), .init(\.d11, key: "d11"), .init(\.d12, key: "d12")]
        fields += [.init(\.d13, key: "d13"), .init(\.d14, key: "d14")]
        fields += [
            .init(\.b15, key: "b15", default: false), .init(\.b16, key: "b16", default: false),
            .init(\.b17, key: "b17", default: false),
        ]
        fields += [.init(\.b18, key: "b18", default: false), .init(\.b19, key: "b19", default: false)]
        fields += [.init(\.i20, key: "i20"), .init(\.i21, key: "i21"), .init(\.i22, key: "i22")]
        fields += [.init(\.i23, key: "i23"), .init(\.i24, key: "i24")]
        fields += [.init(\.s25, key: "s25"), .init(\.s26, key: "s26"), .init(\.s27, key: "s27")]
        fields += [.init(\.s28, key: "s28"), .init(\.s29, key: "s29")]
        fields += [.init(\.d30, key: "d30"), .init(\.d31, key: "d31"), .init(\.d32, key: "d32")]
        fields += [.init(\.d33, key: "d33"), .init(\.d34, key: "d34")]
        fields += [
            .init(\.b35, key: "b35", default: false), .init(\.b36, key: "b36", default: false),
            .init(\.b37, key: "b37", default: false),
        ]
        fields += [.init(\.b38, key: "b38", default: false), .init(\.b39, key: "b39", default: false)]
        fields += [.init(\.i40, key: "i40"), .init(\.i41, key: "i41"), .init(\.i42, key: "i42")]
        fields += [.init(\.i43, key: "i43"), .init(\.i44, key: "i44")]
        fields += [.init(\.s45, key: "s45"), .init(\.s46, key: "s46"), .init(\.s47, key: "s47")]
        fields += [.init(\.s48, key: "s48"), .init(\.s49, key: "s49")]
        fields += [.init(\.d50, key: "d50"), .init(\.d51, key: "d51"), .init(\.d52, key: "d52")]
        fields += [.init(\.d53, key: "d53"), .init(\.d54, key: "d54")]
        fields += [
            .init(\.b55, key: "b55", default: false), .init(\.b56, key: "b56", default: false),
            .init(\.b57, key: "b57", default: false),
        ]
        fields += [.init(\.b58, key: "b58", default: false), .init(\.b59, key: "b59", default: false)]
        fields += [.init(\.i60, key: "i60"), .init(\.i61, key: "i61"), .init(\.i62, key: "i62")]
        fields += [.init(\.i63, key: "i63"), .init(\.i64, key: "i64")]
        fields += [.init(\.s65, key: "s65"), .init(\.s66, key: "s66"), .init(\.s67, key: "s67")]
        fields += [.init(\.s68, key: "s68"), .init(\.s69, key: "s69")]
        fields += [.init(\.d70, key: "d70"), .init(\.d71, key: "d71"), .init(\.d72, key: "d72")]
        fields += [.init(\.d73, key: "d73"), .init(\.d74, key: "d74")]
        fields += [
            .init(\.b75, key: "b75", default: false), .init(\.b76, key: "b76", default: false),
            .init(\.b77, key: "b77", default: false),
        ]
        fields += [.init(\.b78, key: "b78", default: false), .init(\.b79, key: "b79", default: false)]
        fields += [.init(\.i80, key: "i80"), .init(\.i81, key: "i81"), .init(\.i82, key: "i82")]
        fields += [.init(\.i83, key: "i83"), .init(\.i84, key: "i84")]
        fields += [.init(\.s85, key: "s85"), .init(\.s86, key: "s86"), .init(\.s87, key: "s87")]
        fields += [.init(\.s88, key: "s88"), .init(\.s89, key: "s89")]
        fields += [.init(\.d90, key: "d90"), .init(\.d91, key: "d91"), .init(\.d92, key: "d92")]
        fields += [.init(\.d93, key: "d93"), .init(\.d94, key: "d94")]
        fields += [
            .init(\.b95, key: "b95", default: false), .init(\.b96, key: "b96", default: false),
            .init(\.b97, key: "b97", default: false),
        ]
        fields += [.init(\.b98, key: "b98", default: false), .init(\.b99, key: "b99", default: false)]
        fields += [.init(\.i100, key: "i100"), .init(\.i101, key: "i101"), .init(\.i102, key: "i102")]
        fields += [.init(\.i103, key: "i103"), .init(\.i104, key: "i104")]
        fields += [.init(\.s105, key: "s105"), .init(\.s106, key: "s106"), .init(\.s107, key: "s107")]
        fields += [.init(\.s108, key: "s108"), .init(\.s109, key: "s109")]
        fields += [.init(\.d110, key: "d110"), .init(\.d111, key: "d111"), .init(\.d112, key: "d112")]
        fields += [.init(\.d113, key: "d113"), .init(\.d114, key: "d114")]
        fields += [
            .init(\.b115, key: "b115", default: false), .init(\.b116, key: "b116", default: false),
            .init(\.b117, key: "b117", default: false),
        ]
        fields += [.init(\.b118, key: "b118", default: false), .init(\.b119, key: "b119", default: false)]
        fields += [.init(\.i120, key: "i120"), .init(\.i121, key: "i121"), .init(\.i122, key: "i122")]
        fields += [.init(\.i123, key: "i123"), .init(\.i124, key: "i124")]
        fields += [.init(\.s125, key: "s125"), .init(\.s126, key: "s126"), .init(\.s127, key: "s127")]
        fields += [.init(\.s128, key: "s128"), .init(\.s129, key: "s129")]
        fields += [.init(\.d130, key: "d130"), .init(\.d131, key: "d131"), .init(\.d132, key: "d132")]
        fields += [.init(\.d133, key: "d133"), .init(\.d134, key: "d134")]
        fields += [
            .init(\.b135, key: "b135", default: false), .init(\.b136, key: "b136", default: false),
            .init(\.b137, key: "b137", default: false),
        ]
        fields += [.init(\.b138, key: "b138", default: false), .init(\.b139, key: "b139", default: false)]
        fields += [.init(\.i140, key: "i140"), .init(\.i141, key: "i141"), .init(\.i142, key: "i142")]
        fields += [.init(\.i143, key: "i143"), .init(\.i144, key: "i144")]
        fields += [.init(\.s145, key: "s145"), .init(\.s146, key: "s146"), .init(\.s147, key: "s147")]
        fields += [.init(\.s148, key: "s148"), .init(\.s149, key: "s149")]
        fields += [.init(\.d150, key: "d150"), .init(\.d151, key: "d151"), .init(\.d152, key: "d152")]
        fields += [.init(\.d153, key: "d153"), .init(\.d154, key: "d154")]
        fields += [
            .init(\.b155, key: "b155", default: false), .init(\.b156, key: "b156", default: false),
            .init(\.b157, key: "b157", default: false),
        ]
        fields += [.init(\.b158, key: "b158", default: false), .init(\.b159, key: "b159", default: false)]
        fields += [.init(\.i160, key: "i160"), .init(\.i161, key: "i161"), .init(\.i162, key: "i162")]
        fields += [.init(\.i163, key: "i163"), .init(\.i164, key: "i164")]
        fields += [.init(\.s165, key: "s165"), .init(\.s166, key: "s166"), .init(\.s167, key: "s167")]
        fields += [.init(\.s168, key: "s168"), .init(\.s169, key: "s169")]
        fields += [.init(\.d170, key: "d170"), .init(\.d171, key: "d171"), .init(\.d172, key: "d172")]
        fields += [.init(\.d173, key: "d173"), .init(\.d174, key: "d174")]
        fields += [
            .init(\.b175, key: "b175", default: false), .init(\.b176, key: "b176", default: false),
            .init(\.b177, key: "b177", default: false),
        ]
        fields += [.init(\.b178, key: "b178", default: false), .init(\.b179, key: "b179", default: false)]
        fields += [.init(\.i180, key: "i180"), .init(\.i181, key: "i181"), .init(\.i182, key: "i182")]
        fields += [.init(\.i183, key: "i183"), .init(\.i184, key: "i184")]
        fields += [.init(\.s185, key: "s185"), .init(\.s186, key: "s186"), .init(\.s187, key: "s187")]
        fields += [.init(\.s188, key: "s188"), .init(\.s189, key: "s189")]
        fields += [.init(\.d190, key: "d190"), .init(\.d191, key: "d191"), .init(\.d192, key: "d192")]
        fields += [.init(\.d193, key: "d193"), .init(\.d194, key: "d194")]
        fields += [
            .init(\.b195, key: "b195", default: false), .init(\.b196, key: "b196", default: false),
            .init(\.b197, key: "b197", default: false),
        ]
        fields += [.init(\.b198, key: "b198", default: false), .init(\.b199, key: "b199", default: false)]
        return ModelPlan(fields)
    }()
}
#endif

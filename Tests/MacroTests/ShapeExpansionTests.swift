#if Macros
import TestSupport
import Testing

@Suite("Expansions by access, availability and size")
struct ShapeExpansionTests {
    @Test func access() {
        expectExpansion(
            """
            @JSONModel
            public struct A {
                public private(set) var x: Int
            }

            @JSONModel
            package struct B {
                nonisolated let x: Int
            }

            @JSONModel
            private struct C {
                private let x: Int
            }

            @JSONModel
            internal struct D {
                @available(*, deprecated) @MainActor var x: Int
            }

            public extension A {
                @JSONModel
                struct E {
                    let x: Int
                }
            }
            """,
            #"""
            public struct A {
                public private(set) var x: Int

                public nonisolated static let plan: Sluice::ModelPlan<A> = {
                    var fields: [Sluice::JSONField<A>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<A>(fields)
                }()
            }
            package struct B {
                nonisolated let x: Int

                package nonisolated static let plan: Sluice::ModelPlan<B> = {
                    var fields: [Sluice::JSONField<B>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<B>(fields)
                }()
            }
            private struct C {
                private let x: Int

                nonisolated static let plan: Sluice::ModelPlan<C> = {
                    var fields: [Sluice::JSONField<C>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<C>(fields)
                }()
            }
            internal struct D {
                @available(*, deprecated) @MainActor var x: Int

                nonisolated static let plan: Sluice::ModelPlan<D> = {
                    var fields: [Sluice::JSONField<D>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<D>(fields)
                }()
            }

            public extension A {
                struct E {
                    let x: Int

                    public nonisolated static var plan: Sluice::ModelPlan<E> {
                        Sluice::ModelPlan<E>.shared {
                            var fields: [Sluice::JSONField<E>] = []
                            fields.append(.init(\.x, name: "x"))
                            return Sluice::ModelPlan<E>(fields)
                        }
                    }
                }
            }

            extension A: Sluice::JSONModel, Sluice::JSONConvertible {
            }

            extension B: Sluice::JSONModel, Sluice::JSONConvertible {
            }

            extension C: Sluice::JSONModel, Sluice::JSONConvertible {
            }

            extension D: Sluice::JSONModel, Sluice::JSONConvertible {
            }

            extension A.E: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func nothing() {
        expectExpansion(
            """
            @JSONModel
            struct Empty {
            }
            """,
            """
            struct Empty {

                nonisolated static let plan: Sluice::ModelPlan<Empty> = {
                    let fields: [Sluice::JSONField<Empty>] = []
                    return Sluice::ModelPlan<Empty>(fields)
                }()
            }

            extension Empty: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """)
    }

    @Test func availability() {
        expectExpansion(
            """
            @available(macOS 16, *)
            enum Outer {
                @available(*, deprecated)
                @JSONModel
                struct Inner {
                    let x: Int
                }
            }
            """,
            #"""
            @available(macOS 16, *)
            enum Outer {
                @available(*, deprecated)
                struct Inner {
                    let x: Int

                    nonisolated static let plan: Sluice::ModelPlan<Inner> = {
                        var fields: [Sluice::JSONField<Inner>] = []
                        fields.append(.init(\.x, name: "x"))
                        return Sluice::ModelPlan<Inner>(fields)
                    }()
                }
            }

            @available(*, deprecated)
            @available(macOS 16, *)
            extension Outer.Inner: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func manyFields() {
        expectExpansion(
            """
            @JSONModel
            struct Wide {
                var a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16: Int
            }
            """,
            #"""
            struct Wide {
                var a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16: Int

                nonisolated static let plan: Sluice::ModelPlan<Wide> = {
                    var fields: [Sluice::JSONField<Wide>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<Wide>]) {
                        fields.append(.init(\.a0, name: "a0"))
                        fields.append(.init(\.a1, name: "a1"))
                        fields.append(.init(\.a2, name: "a2"))
                        fields.append(.init(\.a3, name: "a3"))
                        fields.append(.init(\.a4, name: "a4"))
                        fields.append(.init(\.a5, name: "a5"))
                        fields.append(.init(\.a6, name: "a6"))
                        fields.append(.init(\.a7, name: "a7"))
                    }
                    add1(to: &fields)
                    @inline(never) func add2(to fields: inout [Sluice::JSONField<Wide>]) {
                        fields.append(.init(\.a8, name: "a8"))
                        fields.append(.init(\.a9, name: "a9"))
                        fields.append(.init(\.a10, name: "a10"))
                        fields.append(.init(\.a11, name: "a11"))
                        fields.append(.init(\.a12, name: "a12"))
                        fields.append(.init(\.a13, name: "a13"))
                        fields.append(.init(\.a14, name: "a14"))
                        fields.append(.init(\.a15, name: "a15"))
                    }
                    add2(to: &fields)
                    @inline(never) func add3(to fields: inout [Sluice::JSONField<Wide>]) {
                        fields.append(.init(\.a16, name: "a16"))
                    }
                    add3(to: &fields)
                    return Sluice::ModelPlan<Wide>(fields)
                }()
            }

            extension Wide: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }
}
#endif

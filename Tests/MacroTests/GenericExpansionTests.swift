#if Macros
import Testing

@Suite("Expansions in generic contexts")
struct GenericExpansionTests {
    @Test func `a generic struct gets a shared plan`() {
        expectExpansion(
            """
            @JSONModel
            public struct Box<Value: JSONConvertible> {
                var value: Value
            }
            """,
            #"""
            public struct Box<Value: JSONConvertible> {
                var value: Value

                public nonisolated static var plan: Sluice::ModelPlan<Box> {
                    Sluice::ModelPlan<Box>.shared {
                        var fields: [Sluice::JSONField<Box>] = []
                        @inline(never) func add1(to fields: inout [Sluice::JSONField<Box>]) {
                            #sourceLocation(file: "test.swift", line: 3)
                            fields.append(.init(\.value, name: "value"))
                            #sourceLocation()
                        }
                        add1(to: &fields)
                        return Sluice::ModelPlan<Box>(fields)
                    }
                }
            }

            extension Box: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `a struct in a generic type gets a shared plan`() {
        expectExpansion(
            """
            struct Outer<T> {
                enum Middle {
                    @JSONModel
                    struct Inner {
                        var x: Int
                    }
                }
            }
            """,
            #"""
            struct Outer<T> {
                enum Middle {
                    struct Inner {
                        var x: Int

                        nonisolated static var plan: Sluice::ModelPlan<Inner> {
                            Sluice::ModelPlan<Inner>.shared {
                                var fields: [Sluice::JSONField<Inner>] = []
                                fields.append(.init(\.x, name: "x"))
                                return Sluice::ModelPlan<Inner>(fields)
                            }
                        }
                    }
                }
            }

            extension Outer.Middle.Inner: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `a struct in an extension gets a shared plan`() {
        expectExpansion(
            """
            extension Outer {
                @JSONModel
                struct Inner {
                    var x: Int
                }
            }
            """,
            #"""
            extension Outer {
                struct Inner {
                    var x: Int

                    nonisolated static var plan: Sluice::ModelPlan<Inner> {
                        Sluice::ModelPlan<Inner>.shared {
                            var fields: [Sluice::JSONField<Inner>] = []
                            fields.append(.init(\.x, name: "x"))
                            return Sluice::ModelPlan<Inner>(fields)
                        }
                    }
                }
            }

            extension Outer.Inner: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `a generic class gets a shared plan`() {
        expectExpansion(
            """
            @JSONModel
            final class Box<Value: JSONConvertible> {
                let value: Value
            }
            """,
            #"""
            final class Box<Value: JSONConvertible> {
                let value: Value

                nonisolated static var plan: Sluice::ModelPlan<Box> {
                    Sluice::ModelPlan<Box>.shared {
                        var fields: [Sluice::JSONField<JSONStorage>] = []
                        @inline(never) func add1(to fields: inout [Sluice::JSONField<JSONStorage>]) {
                            #sourceLocation(file: "test.swift", line: 3)
                            fields.append(.init(\.value, name: "value"))
                            #sourceLocation()
                        }
                        add1(to: &fields)
                        return Sluice::ModelPlan<Box>(
                            storage: JSONStorage.self, fields,
                            make: { Box(jsonStorage: $0) },
                            read: { Box.jsonStorage(of: $0) })
                    }
                }

                private nonisolated struct JSONStorage {
                    var value: Value
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.value = storage.value
                }

                private static func jsonStorage(of model: Box) -> JSONStorage {
                    JSONStorage(value: model.value)
                }
            }

            extension Box: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }
}
#endif

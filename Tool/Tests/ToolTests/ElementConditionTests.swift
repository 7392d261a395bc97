import Sluice
import Testing
import ToolSupport

@Suite struct ElementConditionTests {
    private let element = #"{"id":42,"name":"42","type":"push","o":{"n":null,"a=b":true},"t":["x"],"price":1.50}"#

    @Test(arguments: [
        "id=42", "name=42", #"name="42""#, "type=push", #"type="push""#, "o.n=null", #"o["a=b"]=true"#, "none=null",
        "type.x=null", "t[0]=x", #"t=["x"]"#, "t[1]=null", "price=1.50", #"o={"n":null,"a=b":true}"#,
    ])
    func `equal members are accepted`(argument: String) throws { #expect(try accepts(argument)) }

    @Test(arguments: [
        #"id="42""#, "id=4", "type=pull", "type=", "type=null", "none=", "o=null", "price=1.5", "t=x", "o.n=nul",
    ])
    func `other members are not`(argument: String) throws { #expect(try !accepts(argument)) }

    private func accepts(_ argument: String) throws -> Bool {
        let condition = try #require(ElementCondition(argument))
        let element = try JSONModelDecoder().decode(JSONRaw.self, from: element)
        return try condition.accepts(element, with: JSONModelDecoder())
    }

    @Test func `the root and texts with signs are compared`() throws {
        let condition = try #require(ElementCondition("$=a=b"))
        #expect(try condition.accepts(JSONRaw(encoding: "a=b"), with: JSONModelDecoder()))
    }

    @Test(arguments: ["", "id", "=1", "id>1", "id>=1", "id!=1", "id==1", "t[*]=x", "o.*=1", "a..b=1"])
    func `other conditions are refused`(argument: String) { #expect(ElementCondition(argument) == nil) }

    @Test func `a member that is too deep is an error`() throws {
        let deep = String(repeating: "[", count: 5) + String(repeating: "]", count: 5)
        let element = try JSONModelDecoder().decode(JSONRaw.self, from: "{\"a\":\(deep)}")
        var decoder = JSONModelDecoder()
        decoder.limits.depth = 4
        let condition = try #require(ElementCondition("a=null"))
        #expect(throws: JSONModelError.self) { try condition.accepts(element, with: decoder) }
    }
}

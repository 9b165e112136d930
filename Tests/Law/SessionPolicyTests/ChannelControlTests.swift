import LawWorld
import SessionModel
import Testing

@Suite("The section of outputs, and polarity, width and trim")
struct ChannelControlTests {
  @Test("They are obeyed, and a port that is declared anew keeps them")
  func obeyed() throws {
    var world = try World.stage()
    let (one, two) = (ChannelNumber(1)!, ChannelNumber(2)!)
    for setting: SectionSetting in [
      .dim(true), .dimLevel(-12), .mono(true), .swap(true), .balance(.set(0.5)),
    ] {
      try world.handle(.port(.output, "headphones", .section(setting)))
    }
    try world.handle(.port(.output, "headphones", .inverted([two, one, two])))
    try world.handle(.port(.input, "mic", .trim(.set(6))))
    func expect() throws {
      let port = try #require(world.state.outputs["headphones"])
      #expect(port.section.isDimmed && port.section.dimLevel == -12)
      #expect(port.section.isMono && port.section.isSwapped && port.section.balance.target == 0.5)
      #expect(port.inverted == [one, two])
      #expect(world.state.inputs["mic"]?.trim.target == 6)
    }
    try expect()
    for (direction, id) in [(Direction.output, "headphones"), (.input, "mic")] as [(Direction, PortID)] {
      let port = try #require(world.state[direction][id])
      try world.handle(
        .declarePort(direction, Port(id: id, name: "Again", type: port.type, globs: port.globs, channels: 2)))
    }
    try expect()
  }

  @Test("Channels that do not exist, and stereo controls of what is not stereo, are refused in plain words")
  func refused() throws {
    var world = try World.stage()
    try world.handle(.createSession("show", SessionConfiguration(category: .multiRoute)))
    try world.handle(.createStream("show", "mono", channels: 1, placed: false))
    func refusal(_ event: Event) -> String? {
      do {
        try world.handle(event)
        return nil
      } catch {
        let refusal = error as? SessionError
        return refusal?.code == .badParam ? refusal?.sentence : "another error"
      }
    }
    let second = [ChannelNumber(2)!]
    #expect(
      refusal(.stream("show", "mono", .inverted(second)))
        == "show.mono has 1 channel, so there is no channel 2")
    #expect(
      refusal(.stream("show", "mono", .width(.set(0)))) == "show.mono has 1 channel; width is for 2 channels")
    #expect(refusal(.port(.input, "mic", .width(.set(0)))) == "mic has 1 channel; width is for 2 channels")
    #expect(refusal(.port(.input, "mic", .inverted(second))) == "mic has 1 channel, so there is no channel 2")
    #expect(refusal(.port(.input, "mic", .width(.set(1)))) == nil)
  }

  @Test("Mono, width and trim count in the sum that the total maximum bounds")
  func total() throws {
    var world = try World.stage()
    try world.handle(.createSession("show", SessionConfiguration(category: .multiRoute)))
    try world.handle(.createStream("show", "band", channels: 2, placed: false))
    try world.handle(.destination("show", "band", "headphones", .on(true)))
    try world.handle(.port(.output, "headphones", .maximumTotal(3)))
    for event: Event in [
      .port(.output, "headphones", .section(.mono(true))), .stream("show", "band", .width(.set(2))),
    ] {
      #expect(throws: SessionError.self) { try world.handle(event) }
    }
    try world.handle(.stream("show", "band", .gain(.set(-6))))
    try world.handle(.port(.output, "headphones", .section(.mono(true))))
    try world.handle(.stream("show", "band", .width(.set(2))))
    #expect(throws: SessionError.self) { try world.handle(.stream("show", "band", .gain(.set(0)))) }
    try world.handle(.stream("show", "band", .sources([.input("mic", channels: nil)])))
    #expect(throws: SessionError.self) { try world.handle(.port(.input, "mic", .trim(.set(6)))) }
    try world.handle(.port(.input, "mic", .trim(.set(-18))))
  }
}

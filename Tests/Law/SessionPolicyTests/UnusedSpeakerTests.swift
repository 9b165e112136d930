import LawWorld
import SessionModel
import Testing

@Suite struct UnusedSpeakerTests {
  @Test("why says that a built-in speaker is used only while no other output is connected")
  func sentence() throws {
    var world = World()
    try world.start()
    for (port, type) in [("foyer", PortType.builtInSpeaker), ("usb", .usbAudio)] {
      try world.declare(PortID(port)!, type, channels: 2)
    }
    try world.handle(.createSession("show", SessionConfiguration(category: .multiRoute)))
    try world.handle(.createStream("show", "band", channels: 2, placed: false))
    for port in ["foyer", "usb"] { try world.handle(.destination("show", "band", PortID(port)!, .on(true))) }
    try world.handle(.connected("show", true))
    func present(_ port: String, _ isThere: Bool) throws -> String {
      try world.handle(
        .portsPresent([
          PortPresence(.output, PortID(port)!, members: isThere ? ["\(port):1", "\(port):2"] : [nil, nil])
        ]))
      if world.state.sessions["show"]?.isActive != true { try world.handle(.activate("show")) }
      return world.state.why(world.state.sessions["show"]!, world.state.activity)
    }
    #expect(try present("foyer", true) == "heard at foyer; waits for usb")
    #expect(
      try present("usb", true)
        == "heard at usb; not at foyer: a built-in speaker is used only when no other output is connected")
    #expect(try present("usb", false) == "heard at foyer; waits for usb")
  }
}

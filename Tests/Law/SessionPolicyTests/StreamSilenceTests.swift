import LawWorld
import SessionModel
import Testing

@Suite("A session is heard only where a stream that sounds arrives")
struct StreamSilenceTests {
  private static let outputs: [PortID] = ["usb", "phones", "hall"]
  private static let streams: [StreamID] = ["mix", "click", "voice"]

  /// A session with three streams and three outputs that are there.
  private func world() throws -> World {
    var world = World()
    try world.start()
    for (port, type) in zip(Self.outputs, [PortType.usbAudio, .headphones, .lineOut]) {
      try world.declare(port, type, channels: 2)
      try world.handle(.portsPresent([PortPresence(.output, port, members: ["\(port):1", "\(port):2"])]))
    }
    try world.handle(.createSession("daw", SessionConfiguration(category: .multiRoute)))
    for stream in Self.streams { try world.handle(.createStream("daw", stream, channels: 2, placed: false)) }
    try world.handle(.connected("daw", true))
    return world
  }

  private func why(_ world: World) -> String {
    world.state.why(world.state.sessions["daw"]!, world.state.activity)
  }

  @Test("An output that only a silent stream reaches is told with the reason")
  func sentence() throws {
    var world = try world()
    try world.handle(.destination("daw", "mix", "usb", .on(true)))
    try world.handle(.destination("daw", "click", "phones", .on(true)))
    try world.handle(.activate("daw"))
    #expect(why(world) == "heard at usb, phones")
    try world.handle(.streamSilence("daw", "click", .quiet))
    #expect(why(world) == "heard at usb; silent at phones (click: connected, and silent)")
    try world.handle(.streamSilence("daw", "click", .unconnected))
    #expect(why(world) == "heard at usb; silent at phones (click: no program is connected)")
    #expect(
      world.state.causesText(world.state.sessions["daw"]!, world.state.activity).contains(
        "stream click: no program is connected"))
    // Nothing is known of programs that are gone.
    try world.handle(.connected("daw", false))
    #expect(world.state.sessions["daw"]?.streams["click"]?.silence == nil)
  }

  @Test("The outputs of the sentence are those at which samples arrive, in random routes with random silence")
  func samples() throws {
    var chance = SystemRandomNumberGenerator()
    for round in 0..<200 {
      var world = try world()
      var expected: Set<PortID> = []
      var sent = false
      for stream in Self.streams {
        let silence = [nil, StreamSilence.quiet, .unconnected].randomElement(using: &chance)!
        let isMuted = Bool.random(using: &chance)
        for output in Self.outputs where Bool.random(using: &chance) {
          try world.handle(.destination("daw", stream, output, .on(true)))
          sent = sent || !isMuted
          if silence == nil, !isMuted { expected.insert(output) }
        }
        try world.handle(.stream("daw", stream, .muted(isMuted)))
        try world.handle(.streamSilence("daw", stream, silence))
      }
      guard sent else { continue }
      try world.handle(.activate("daw"))
      let said = why(world)
      let list = said.hasPrefix("heard at ") ? said.dropFirst(9).prefix { $0 != ";" } : ""
      #expect(
        Set(list.split(separator: ", ").map(String.init)) == Set(expected.map(\.name)), "\(round): \(said)")
    }
  }
}

import LawWorld
import SessionModel
import Testing

@Suite("The meters that outputs ask for")
struct MetersTests {
  private func refusal(_ event: Event, _ world: inout World) -> String? {
    do {
      try world.handle(event)
      return nil
    } catch { return (error as? SessionError)?.sentence }
  }

  @Test("They are kept once each, and a port that is declared anew keeps them")
  func kept() throws {
    var world = try World.stage()
    try world.handle(.port(.output, "headphones", .meters([.correlation, .ppm, .loudness, .ppm])))
    #expect(world.state.outputs["headphones"]?.meters == [.correlation, .ppm, .loudness])
    let port = try #require(world.state.outputs["headphones"])
    try world.handle(
      .declarePort(.output, Port(id: port.id, name: "Again", type: port.type, globs: port.globs, channels: 2))
    )
    #expect(world.state.outputs["headphones"]?.meters == [.correlation, .ppm, .loudness])
    try world.handle(.port(.output, "headphones", .meters([])))
    #expect(world.state.outputs["headphones"]?.meters == [])
  }

  @Test("A meter that cannot measure the channels is refused in plain words")
  func widths() throws {
    var world = try World.stage()
    for (channels, meter, sentence) in [
      (1, OutputMeter.correlation, "wide has 1 channel; correlation is for 2 channels"),
      (4, .loudness, "wide has 4 channels; loudness is for 1, 2, 5 or 6 channels"), (4, .truePeak, nil),
      (64, .truePeak, nil), (65, .truePeak, "wide has 65 channels; truePeak is for at most 64 channels"),
      (2, .correlation, nil), (1, .loudness, nil),
    ] as [(Int, OutputMeter, String?)] {
      try world.handle(
        .declarePort(
          .output,
          Port(id: "wide", name: "Wide", type: .usbAudio, globs: [PortGlob("Wide:*")!], channels: channels)))
      #expect(refusal(.port(.output, "wide", .meters([.ppm, meter])), &world) == sentence)
      try world.handle(.port(.output, "wide", .meters([])))
    }
  }

  @Test("A reset counts")
  func reset() throws {
    var world = try World.stage()
    try world.handle(.port(.output, "headphones", .resetMeters))
    try world.handle(.port(.output, "headphones", .resetMeters))
    #expect(world.state.outputs["headphones"]?.meterResets == 2)
  }
}

import SessionModel
import Testing

@testable import Router

@Suite struct DiscoveryTests {
  private func members(_ globs: [String], _ direction: Direction, of system: [SystemPort]) throws -> [String?]
  {
    let port = Show.port("it", .usbAudio, globs, channels: 2)
    let state = try Show.state([.declarePort(direction, port)])
    return Discovery.presences(state, system).first?.members ?? []
  }

  @Test("A glob takes all its ports in the order of channels, numbers as numbers")
  func order() throws {
    let names = try members(["USB:playback_*"], .output, of: Show.device("USB", playback: 12).shuffled())
    #expect(names == (1...12).map { "USB:playback_\($0)" })
  }

  @Test("A name without wildcard keeps its channel while it is away")
  func absentChannel() throws {
    let names = try members(
      ["Left:playback_1", "Right:playback_1"], .output, of: Show.device("Right", playback: 1))
    #expect(names == [nil, "Right:playback_1"])
  }

  @Test("Sound goes into outputs and comes from inputs, whatever the glob says")
  func directions() throws {
    let system = Show.device("USB", playback: 1, capture: 1)
    #expect(try members(["USB:*"], .output, of: system) == ["USB:playback_1"])
    #expect(try members(["USB:*"], .input, of: system) == ["USB:capture_1"])
  }

  @Test("Monitor ports are never taken, unless they are written out")
  func monitors() throws {
    let system = [
      SystemPort(name: "Sink:monitor_FL", isInput: false), SystemPort(name: "Sink:capture_1", isInput: false),
    ]
    #expect(try members(["Sink:*"], .input, of: system) == ["Sink:capture_1"])
    #expect(try members(["Sink:monitor_*"], .input, of: system) == ["Sink:monitor_FL"])
  }

  @Test("A JACK port that one entry has is not offered to later ones")
  func claimed() throws {
    let state = try Show.state([
      .declarePort(.output, Show.port("main", .usbAudio, ["USB:playback_1", "USB:playback_2"], channels: 2)),
      .declarePort(.output, Show.port("rest", .usbAudio, ["USB:*"], channels: 2)),
    ])
    let presences = Discovery.presences(state, Show.device("USB", playback: 4))
    #expect(
      presences.map(\.members) == [
        ["USB:playback_1", "USB:playback_2"], ["USB:playback_3", "USB:playback_4"],
      ])
  }

  @Test("What has not changed is not told again")
  func unchanged() throws {
    #expect(Discovery.presences(try Show.standard(), Show.devices).isEmpty)
    #expect(Discovery.presences(try Show.standard(), []).count == 3)
  }

  @Test(
    "A device that nobody names is found, with a type guessed from its name",
    arguments: [
      ("Scarlett USB", PortType.usbAudio, "scarlett-usb"), ("HDA HDMI", .hdmi, "hda-hdmi"),
      ("My Headphones", .headphones, "my-headphones"), ("system", .lineOut, "system"),
    ])
  func found(client: String, type: PortType, id: String) throws {
    let found = Discovery.found(RouterState(), Show.device(client, playback: 2) + Show.program("Band", 2))
    #expect(found.count == 1)
    #expect(found.first?.0 == .output)
    #expect(found.first?.1.type == type)
    #expect(found.first?.1.id.name == id)
    #expect(found.first?.1.isNamedByPreset == false)
    #expect(found.first?.1.typeReason.isEmpty == false)
  }

  @Test("Two devices whose names make the same id get different ones, and known devices are not found again")
  func ids() throws {
    let system = Show.device("USB 1", playback: 1) + Show.device("usb-1", playback: 1)
    var state = RouterState()
    for (direction, port) in Discovery.found(state, system) {
      var fresh = port
      fresh.members = port.globs.map(\.text)
      state[direction][port.id] = fresh
    }
    #expect(Set(state.outputs.keys.map(\.name)) == ["usb-1", "usb-1-2"])
    #expect(Discovery.found(state, system).isEmpty)
  }
}

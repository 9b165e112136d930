import Presets
import SessionModel
import SessionPolicy
import Testing

@Suite("Keys of presets for routes and hardware preferences")
struct RouteKeyTests {
  private static let text = """
    {
      multiroute: 1,
      ports: {
        usb: { type: "usbAudio", outputs: ["USB:out"], inputs: ["USB:in"], plugged: false },
        mic: { type: "builtInMic", inputs: ["Mic:in"] },
        spk: { type: "builtInSpeaker", outputs: ["Speaker:out"] },
        ear: { type: "builtInReceiver", outputs: ["Ear:out"] },
      },
      sessions: {
        guest: {
          category: "playAndRecord", activate: "start", override: "speaker", input: "mic", rate: 44100, period: 0.01,
          io: { output: "running", input: "stopped" },
        },
      },
    }
    """

  @Test("Every key of routes and preferences sets the same as its address; a plug belongs to both directions")
  func keys() throws {
    let (preset, problems) = Show.read(Self.text)
    #expect(problems == [])
    let events = try #require(preset).events(for: Show.emptyState)
    let state = try Show.state(Show.emptyState, after: events)
    let guest = try #require(state.sessions["guest"])
    #expect(state.outputs["usb"]?.isPlugged == false && state.inputs["usb"]?.isPlugged == false)
    #expect(guest.portOverride == .speaker && guest.preferredInput == "mic")
    #expect(guest.preferredHardware.rate == 44_100 && guest.preferredHardware.period == 0.01)
    #expect(guest.outputIO == .running && guest.inputIO == .stopped)
    #expect(try #require(preset).events(for: state) == [], "a setting that is in force gave an event")
    // The devices of a preset appear after it was read.
    let ports = [(Direction.output, "spk" as PortID), (.output, "ear"), (.input, "mic")]
    let present = Event.portsPresent(ports.map { PortPresence($0, $1, members: ["\($1):1"]) })
    #expect(
      try Show.state(state, after: [present]).sessions["guest"]?.route.text == "in:mic out:spk")
  }
}

import LawWorld
import SessionModel
import Testing

/// What `why` says of the volumes in the desktop's mixer.
@Suite struct DesktopMixerTests {
  /// A session with the stream `band` at two outputs.
  private static func world() throws -> World {
    var world = World()
    try world.start()
    for (port, type) in [("usb", PortType.usbAudio), ("phones", .headphones)] {
      try world.declare(PortID(port)!, type, channels: 2)
    }
    try world.present(["usb", "phones"])
    try world.handle(.createSession("show", SessionConfiguration(category: .multiRoute)))
    try world.handle(.createStream("show", "band", channels: 2, placed: false))
    for port in ["usb", "phones"] { try world.handle(.destination("show", "band", PortID(port)!, .on(true))) }
    try world.handle(.connected("show", true))
    try world.handle(.activate("show"))
    return world
  }

  private static func why(_ world: World) -> String {
    world.state.why(world.state.sessions["show"]!, world.state.activity)
  }

  @Test("Volumes and mutes of outputs are named, and a muted output is not one where the session is heard")
  func outputs() throws {
    var world = try Self.world()
    #expect(Self.why(world) == "heard at usb, phones")
    func set(_ port: PortID, _ percent: Int, isMuted: Bool = false) throws -> String {
      try world.handle(.desktopVolume(.output, port, DesktopVolume(percent: percent, isMuted: isMuted)))
      return Self.why(world)
    }
    #expect(try set("usb", 100) == "heard at usb, phones")
    #expect(
      try set("usb", 30) == "heard at usb, phones; usb is turned down to 30 % in the desktop's mixer")
    #expect(
      try set("usb", 150) == "heard at usb, phones; usb is turned up to 150 % in the desktop's mixer")
    #expect(
      try set("usb", 30, isMuted: true) == "heard at phones; usb is muted in the desktop's mixer")
    #expect(
      try set("phones", 0)
        == "silent: the desktop's mixer lets nothing through; usb is muted in the desktop's mixer; phones is turned down to 0 % in the desktop's mixer"
    )
    try world.handle(.desktopVolume(.output, "usb", nil))
    #expect(try set("phones", 100) == "heard at usb, phones")
  }

  @Test("Volumes and mutes of programs are named, and a session whose programs are all muted is silent")
  func programs() throws {
    var world = try Self.world()
    func set(_ browser: DesktopVolume, _ player: DesktopVolume) throws -> String {
      let programs = [ProgramVolume("Browser", browser), ProgramVolume("Player", player)]
      try world.handle(.programVolumes("show", "band", programs))
      return Self.why(world)
    }
    let (full, muted) = (
      DesktopVolume(percent: 100, isMuted: false), DesktopVolume(percent: 50, isMuted: true)
    )
    #expect(try set(full, full) == "heard at usb, phones")
    #expect(try set(muted, full) == "heard at usb, phones; Browser is muted in the desktop's mixer")
    #expect(
      try set(muted, muted)
        == "silent: the desktop's mixer lets nothing through; Browser is muted in the desktop's mixer; Player is muted in the desktop's mixer"
    )
    // An input that feeds the stream too is heard in spite of the programs.
    try world.plug("mic", .builtInMic, channels: 1, .input)
    let input = StreamSource.input("mic", channels: nil)
    try world.handle(.stream("show", "band", .sources([input])))
    #expect(Self.why(world).hasPrefix("heard at usb, phones; "))
    try world.handle(.desktopVolume(.input, "mic", muted))
    #expect(Self.why(world).hasPrefix("silent: the desktop's mixer lets nothing through; mic is muted"))
    #expect(world.state.captureHindrance(ofInput: "mic") == "is muted in the desktop's mixer")
  }

  @Test("A capture says what the desktop's mixer does to its inputs, and which of its sessions are silenced")
  func captures() throws {
    var world = try Self.world()
    try world.plug("mic", .builtInMic, channels: 1, .input)
    try world.handle(
      .createSession("phone", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)))
    for event in [
      Event.session("phone", .captureChannels(1)), .session("phone", .captureRoute(false)),
      .captureInput("phone", "mic", .on(true)), .captureSession("phone", "show", .on(true)),
      .activate("phone"),
    ] { try world.handle(event) }
    func why() -> String { world.state.whyOfCapture(world.state.sessions["phone"]!, world.state.activity) }
    #expect(why() == "contains show, input mic; goes nowhere")
    try world.handle(.desktopVolume(.input, "mic", DesktopVolume(percent: 30, isMuted: false)))
    #expect(
      why()
        == "contains show, input mic; input mic is turned down to 30 % in the desktop's mixer; goes nowhere")
    try world.handle(.desktopVolume(.input, "mic", DesktopVolume(percent: 30, isMuted: true)))
    #expect(why() == "contains show; input mic is muted in the desktop's mixer; goes nowhere")
    let muted = [ProgramVolume("Browser", DesktopVolume(percent: 100, isMuted: true))]
    try world.handle(.programVolumes("show", "band", muted))
    #expect(
      why()
        == "silent: show is silenced in the desktop's mixer, input mic is muted in the desktop's mixer; goes nowhere"
    )
    try world.handle(.programVolumes("show", "band", []))
    let quiet = ProgramVolume("Recorder", DesktopVolume(percent: 50, isMuted: false))
    try world.handle(.recorderVolumes("phone", muted + [quiet]))
    #expect(
      why()
        == "contains show; input mic is muted in the desktop's mixer; goes nowhere; Browser is muted in the desktop's mixer; Recorder is turned down to 50 % in the desktop's mixer"
    )
    try world.handle(.recorderVolumes("phone", muted))
    #expect(
      why() == "silent: the desktop's mixer lets nothing through; Browser is muted in the desktop's mixer")
  }

  @Test("Volumes go with the ports and with the server")
  func forgotten() throws {
    var world = try Self.world()
    let muted = DesktopVolume(percent: 100, isMuted: true)
    for port: PortID in ["usb", "phones"] { try world.handle(.desktopVolume(.output, port, muted)) }
    try world.handle(.programVolumes("show", "band", [ProgramVolume("Browser", muted)]))
    let members = world.state.outputs["usb"]?.members ?? []
    try world.handle(.portsPresent([PortPresence(.output, "usb", members: members.map { _ in nil })]))
    #expect(world.state.outputs["usb"]?.desktopVolume == nil)
    #expect(world.state.outputs["phones"]?.desktopVolume == muted)
    try world.handle(.recorderVolumes("show", [ProgramVolume("Browser", muted)]))
    try world.handle(.server(ServerState()))
    #expect(world.state.sessions["show"]?.recorderVolumes == [])
    #expect(world.state.sessions["show"]?.streams["band"]?.programVolumes == [])
  }
}

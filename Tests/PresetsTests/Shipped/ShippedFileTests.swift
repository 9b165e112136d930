import Presets
import SessionModel
import SessionPolicy
import Testing

@Suite("What is shipped is right and in step with the program")
struct ShippedFileTests {
  @Test("Every shipped preset is right, without a warning", arguments: Repository.presets(in: "presets"))
  func presets(_ name: String) throws {
    let library = PresetLibrary(folders: [Repository.file("presets")])
    let (preset, problems) = try library.read(name, with: Repository.reader)
    #expect(problems.map(\.description) == [])
    #expect(preset?.id.name == name)
    #expect(preset?.title != name, "a shipped preset has a title")
  }

  @Test("The schema is the one that the keys give")
  func schema() throws {
    try compare(PresetSchema.text, with: "presets/schema/preset.json")
  }

  @Test("The reference in the documentation is the one that the keys give")
  func reference() throws {
    let file = "docs/presets.md"
    let (begin, end) = ("<!-- keys: generated -->\n", "<!-- /keys -->")
    let text = try Repository.text(file)
    let first = try #require(text.firstRange(of: begin)?.upperBound)
    let last = try #require(text.firstRange(of: end)?.lowerBound)
    try compare(text[..<first] + PresetReference.text + text[last...], with: file)
  }

  private func compare(_ generated: String, with file: String) throws {
    if Repository.regenerates { return try Repository.write(generated, to: file) }
    #expect(
      try Repository.text(file) == generated,
      "run MULTIROUTE_REGENERATE=1 swift test --filter ShippedFileTests")
  }

  @Test("In the shipped preset an announcement ducks all but the click, and a call spares the protected show")
  func announcementsAndCalls() throws {
    let library = PresetLibrary(folders: [Repository.file("presets")])
    let preset = try #require(try library.read("usb-and-headphones", with: Repository.reader).preset)
    var state = RouterState()
    state.server.isRunning = true
    func happen(_ event: Event) throws { _ = try Policy.reduce(&state, event, at: 0) }
    func session(_ id: SessionID) -> Session { state.sessions[id]! }
    for event in preset.events(for: state) { try happen(event) }
    let ports = state.outputs.values.map {
      PortPresence(.output, $0.id, members: (1...$0.channels).map { "\($0)" })
    }
    try happen(.portsPresent(ports))
    for id in state.sessions.keys { try happen(.connected(id, true)) }
    #expect(session("show").isActive && session("foyer").isActive && !session("announce").isActive)
    #expect(session("foyer").route.outputs == ["speaker"])
    try happen(.activate("announce"))
    #expect(session("show").duck(in: "usb")?.target == -14 && session("foyer").deepestDuck?.target == -14)
    #expect(session("show").duck(in: "usb")?.seconds == 0.2)
    #expect(session("show").streams["click"]?.isDuckExempt == true)
    try happen(.deactivate("announce", notifyingOthers: true))
    #expect(session("show").deepestDuck == nil && session("foyer").duck(in: "speaker")?.seconds == 0.8)
    try happen(.beginInterruption("phone"))
    #expect(session("show").isActive && !session("foyer").isActive)
    try happen(.endInterruption("phone"))
    #expect(session("foyer").isActive)
  }

  @Test(
    "The shipped preset sends music to the USB interface, the click to the headphones, and starts by itself")
  func usbAndHeadphones() throws {
    let library = PresetLibrary(folders: [Repository.file("presets")])
    let preset = try #require(try library.read("usb-and-headphones", with: Repository.reader).preset)
    var state = RouterState()
    state.server.isRunning = true
    for event in preset.events(for: state) { _ = try Policy.reduce(&state, event, at: 0) }
    #expect(state.outputs.keys == ["usb", "headphones", "speaker"])
    #expect(state.inputs.keys == ["usb", "mic"])
    #expect(state.outputs["usb"]?.channels == 4)
    let show = try #require(state.sessions["show"])
    #expect(show.isActive)
    #expect(show.category == .multiRoute)
    #expect(show.options == .mixWithOthers)
    #expect(StreamRoute.text(of: show.streams["band"]!.destinations, order: state.outputs.keys) == "usb:1-2")
    #expect(
      StreamRoute.text(of: show.streams["click"]!.destinations, order: state.outputs.keys) == "headphones")
    #expect(show.streams["click"]?.never == ["usb"])
    let announce = try #require(state.sessions["announce"])
    #expect(!announce.isActive)
    #expect(announce.activation == .manual)
    #expect(announce.preferredOutput == "speaker")
    let foyer = try #require(state.sessions["foyer"])
    #expect(foyer.activation == .connected && foyer.resumption == .recommended)
    #expect(foyer.streams["music"]?.never == ["usb", "headphones"])
    #expect(preset.events(for: state) == [], "what is in force gives no event")
  }
}

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
    #expect(preset.events(for: state) == [], "what is in force gives no event")
  }
}

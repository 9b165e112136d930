import OSC

/// What the demonstration does, and what must be heard after each step.
struct DemoScript {
  let steps: [Step]

  /// One step.
  struct Step {
    /// Seconds from the start.
    let time: Double
    /// What a person is told.
    let title: String
    let action: Action
    /// What each output channel must contain from now on: the level of each sound in dB. What is not named must be absent.
    let heard: Heard
  }

  /// Levels in dB by device, channel (from 0) and sound; a device that is unplugged is absent.
  typealias Heard = [String: [[Sound: Double]]]

  enum Action {
    case nothing
    case send(OSCMessage)
    case unplug(DemoStage.Device)
    case replug(DemoStage.Device)
  }

  /// Seconds of the whole script.
  let length: Double

  /// The script of the shipped preset `usb-and-headphones`.
  static let usbAndHeadphones: DemoScript = {
    let headphones = DemoStage.devices[1]
    func heard(
      band: Double = 0, click: Double? = 0, voice: Double? = nil, headphones isPlugged: Bool = true
    ) -> Heard {
      var heard: Heard = [
        "usb": [[.bandLeft: band], [.bandRight: band], [:], [:]],
        "speaker": Array(repeating: voice.map { [.voice: $0] } ?? [:], count: 2),
      ]
      if isPlugged { heard["headphones"] = Array(repeating: click.map { [.click: $0] } ?? [:], count: 2) }
      return heard
    }
    return DemoScript(
      steps: [
        Step(
          time: 0,
          title: "The band plays on the USB interface, the click in the headphones, from one session.",
          action: .nothing, heard: heard()),
        Step(
          time: 3, title: "The band is turned down by 12 dB; the click stays.",
          action: .send(OSCMessage("/session/show/stream/band/gain", .float(-12))), heard: heard(band: -12)),
        Step(
          time: 6, title: "Somebody pulls the headphones. The band does not lose one sample.",
          action: .unplug(headphones), heard: heard(band: -12, headphones: false)),
        Step(
          time: 9, title: "The headphones are back, and the click fades in by itself.",
          action: .replug(headphones),
          heard: heard(band: -12)),
        Step(
          time: 12, title: "An announcement at the speaker, from a second session.",
          action: .send(OSCMessage("/session/announce/active", .int32(1))), heard: heard(band: -12, voice: 0)),
        Step(
          time: 16, title: "The announcement ends.",
          action: .send(OSCMessage("/session/announce/active", .int32(0))), heard: heard(band: -12)),
        Step(
          time: 18, title: "The band is back where the preset has it.",
          action: .send(OSCMessage("/session/show/stream/band/gain/reset")), heard: heard()),
      ], length: 20)
  }()
}

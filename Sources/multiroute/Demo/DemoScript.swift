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
    /// Levels in dB; nil is silence.
    func heard(
      band: Double = -12, click: Double = 0, voice: Double? = nil, foyer: Double? = 0,
      headphones isPlugged: Bool = true
    ) -> Heard {
      var speaker: [Sound: Double] = [:]
      (speaker[.voice], speaker[.foyer]) = (voice, foyer)
      var heard: Heard = [
        "usb": [[.bandLeft: band], [.bandRight: band], [:], [:]],
        "speaker": [speaker, speaker],
      ]
      if isPlugged { heard["headphones"] = [[.click: click], [.click: click]] }
      return heard
    }
    func turn(_ address: String, _ arguments: OSCArgument...) -> Action {
      .send(OSCMessage(address, arguments))
    }
    return DemoScript(
      steps: [
        Step(
          time: 0,
          title:
            "The band plays on the USB interface, the click in the headphones, from one session; the foyer has music of its own.",
          action: .nothing, heard: heard(band: 0)),
        Step(
          time: 2.5, title: "The band is turned down by 12 dB; the click stays.",
          action: turn("/session/show/stream/band/gain", .float(-12)), heard: heard()),
        Step(
          time: 4.5, title: "Somebody pulls the headphones. The band does not lose one sample.",
          action: .unplug(headphones), heard: heard(headphones: false)),
        Step(
          time: 6.5, title: "The headphones are back, and the click fades in by itself.",
          action: .replug(headphones), heard: heard()),
        Step(
          time: 8.5,
          title: "An announcement: it ducks the band and the foyer by 14 dB and leaves the click alone.",
          action: turn("/session/announce/active", .int32(1)), heard: heard(band: -26, voice: 0, foyer: -14)),
        Step(
          time: 12, title: "The announcement ends, and all comes back.",
          action: turn("/session/announce/active", .int32(0)), heard: heard()),
        Step(
          time: 14,
          title:
            "The phone rings and is answered: it interrupts the foyer; the show is protected and goes on.",
          action: turn("/interruption/phone/on", .int32(1)), heard: heard(foyer: nil)),
        Step(
          time: 16, title: "It hangs up, and the foyer's music resumes by itself.",
          action: turn("/interruption/phone/on", .int32(0)), heard: heard()),
        Step(
          time: 18, title: "The band is back where the preset has it.",
          action: turn("/session/show/stream/band/gain/reset"), heard: heard(band: 0)),
      ], length: 20)
  }()
}

import OSC

/// The steps of the demonstration, and what each device must receive after each step.
struct DemoScript {
  let steps: [Step]

  /// One step.
  struct Step {
    /// Seconds from the start.
    let time: Double
    /// The sentence that is printed.
    let title: String
    let action: Action
    /// Seconds in which ramps, fades, ducks and connections may still change.
    var settling = 1.0
    /// What each output channel must contain from now on: the level of each sound in dB. Any other sound must be absent.
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
    /// Seconds in which a scene has changed: the fade of the scene and of `/preset/fade`, and the router's ramp.
    let sceneChange = 1.5
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
    func send(_ address: String, _ arguments: OSCArgument...) -> Action {
      .send(OSCMessage(address, arguments))
    }
    // The scene `presets/demo/interval.json`.
    let interval: Heard = [
      "usb": [[:], [:], [:], [:]], "speaker": [[.bandLeft: -6], [.bandRight: -6]],
      "headphones": [[.click: -9], [.click: -9]],
    ]
    return DemoScript(
      steps: [
        Step(
          time: 0,
          title:
            "The band plays on the USB interface, the click in the headphones, from one session; the foyer has music of its own.",
          // The demonstration itself listens to the programs, so they are not the router's alone.
          action: send("/session/*/stream/*/exclusive", .int32(0)), heard: heard(band: 0)),
        Step(
          time: 2, title: "The band's level goes down by 12 dB; the click stays.",
          action: send("/session/show/stream/band/gain", .float(-12)), heard: heard()),
        Step(
          time: 4, title: "The headphones are unplugged. The band does not lose one sample.",
          action: .unplug(headphones), heard: heard(headphones: false)),
        Step(
          time: 6, title: "The headphones are back, and the click fades in by itself.",
          action: .replug(headphones), heard: heard()),
        Step(
          time: 8,
          title: "An announcement: it ducks the band and the foyer by 14 dB and leaves the click alone.",
          action: send("/session/announce/active", .int32(1)), heard: heard(band: -26, voice: 0, foyer: -14)),
        Step(
          time: 10.5, title: "The announcement ends, and the levels return.",
          action: send("/session/announce/active", .int32(0)), heard: heard()),
        Step(
          time: 12.25,
          title:
            "The phone rings and is answered: it interrupts the foyer; the show is protected and goes on.",
          action: send("/interruption/phone/on", .int32(1)), heard: heard(foyer: nil)),
        Step(
          time: 14, title: "The call ends, and the foyer's music resumes by itself.",
          action: send("/interruption/phone/on", .int32(0)), heard: heard()),
        Step(
          time: 15.75,
          title:
            "The interval, a second scene: the band crosses from the USB interface to the speaker within a second, the click fades down.",
          action: send("/preset/recall", .string("interval")), settling: sceneChange, heard: interval),
        Step(
          time: 18.75,
          title: "An undo brings the first scene back, with the level that the band had before.",
          action: send("/preset/undo"), settling: sceneChange, heard: heard()),
      ], length: 21.5)
  }()
}

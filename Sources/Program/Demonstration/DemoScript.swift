import OSC

/// The steps of the demonstration, and what each device must receive after each step.
package struct DemoScript {
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
    /// The sounds of players that begin anew, or go on after a pause.
    var begins: [Sound] = []
    /// What each output channel must contain from now on: the level of each sound in dB. Any other sound must be absent.
    let heard: Heard
  }

  /// Levels in dB by device, channel (from 0) and sound; a device that is unplugged is absent.
  typealias Heard = [String: [[Sound: Double]]]

  enum Action {
    /// Messages, one after the other.
    case send([OSCMessage])
    case unplug(DemoStage.Device)
    case replug(DemoStage.Device)
  }

  /// Seconds of the whole script.
  let length: Double

  /// The script of `presets/demo/doors.json`.
  package static let doors: DemoScript = {
    let headphones = DemoStage.devices[1]
    /// Seconds in which a scene has changed: the fade of the scene and of `/preset/fade`, and the router's ramp.
    let sceneChange = 1.5
    /// Levels in dB; nil is silence.
    func heard(
      band: Double = -12, click: Double = 0, voice: Double? = nil, foyer: Double? = nil,
      evening: Double? = nil, headphones isPlugged: Bool = true
    ) -> Heard {
      var speaker: [Sound: Double] = [:]
      (speaker[.voice], speaker[.foyer], speaker[.evening]) = (voice, foyer, evening)
      var heard: Heard = [
        "usb": [[.bandLeft: band], [.bandRight: band], [:], [:]],
        "speaker": [speaker, speaker],
      ]
      if isPlugged { heard["headphones"] = [[.click: click], [.click: click]] }
      return heard
    }
    func send(_ address: String, _ arguments: OSCArgument...) -> Action {
      .send([OSCMessage(address, arguments)])
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
            "Three recorders begin at the devices, and three players on one frame: the band on the USB interface and the click in the headphones, from one session; and music in the foyer.",
          action: .send([
            OSCMessage("/recorder/*/recording", [.int32(1)]),
            OSCMessage("/player/*/schedule", [.float(1)]),
          ]),
          settling: 2, begins: [.bandLeft, .foyer], heard: heard(band: 0, foyer: 0)),
        Step(
          time: 2, title: "The band's level goes down by 12 dB; the click stays.",
          action: send("/session/show/stream/band/gain", .float(-12)), heard: heard(foyer: 0)),
        Step(
          time: 4, title: "The headphones are unplugged. The band does not lose one sample.",
          action: .unplug(headphones), heard: heard(foyer: 0, headphones: false)),
        Step(
          time: 6, title: "The headphones are back, and the click fades in by itself.",
          action: .replug(headphones), heard: heard(foyer: 0)),
        Step(
          time: 7.5, title: "The foyer's queue moves on to its second piece.",
          action: send("/player/foyer/queue/next"), begins: [.evening], heard: heard(evening: 0)),
        Step(
          time: 9.75,
          title:
            "An announcement: it ducks the band and the foyer's queue by 14 dB and leaves the click alone.",
          action: send("/session/announce/active", .int32(1)),
          heard: heard(band: -26, voice: 0, evening: -14)),
        Step(
          time: 12, title: "The announcement ends, and the levels return.",
          action: send("/session/announce/active", .int32(0)), heard: heard(evening: 0)),
        Step(
          time: 13.75,
          title:
            "The phone rings and is answered: it interrupts the foyer, whose player keeps its place; the show is protected and goes on.",
          action: send("/interruption/phone/on", .int32(1)), heard: heard()),
        Step(
          time: 15.5, title: "The call ends, and the foyer's player goes on by itself.",
          action: send("/interruption/phone/on", .int32(0)), begins: [.evening],
          heard: heard(evening: 0)),
        Step(
          time: 17.25,
          title:
            "The interval, a second scene: the band crosses from the USB interface to the speaker within a second, the click fades down.",
          action: send("/preset/recall", .string("interval")), settling: sceneChange, heard: interval),
        Step(
          time: 20.25,
          title: "An undo brings the first scene back, with the level that the band had before.",
          action: send("/preset/undo"), settling: sceneChange, heard: heard(evening: 0)),
      ], length: 23)
  }()
}

import SessionModel

/// The running router: programs that are heard past it, and programs that connect themselves.
enum RouterCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    if let failure = machine.routerFailure {
      return Diagnosis(findings: [
        .fault(
          "the router does not answer: \(failure)", why: "No command reaches it, and it follows no change.",
          cure: "systemctl --user restart multiroute   # or end it and start it again")
      ])
    }
    guard let router = machine.router else { return Diagnosis(facts: ["no router runs"]) }
    return Diagnosis(
      facts: [
        "a router answers at \(router.address)" + (router.preset.map { "; its preset is \($0)" } ?? "")
      ],
      findings: strangers(router) + past(router) + unmatched(router) + selfConnecting(router))
  }

  private static let whyPast = "No fader, mute or ducking of the router reaches this sound."

  /// Programs that play at devices and belong to no session.
  private static func strangers(_ router: Machine.RouterFacts) -> [Finding] {
    router.strangers.map { program in
      .fault(
        "\(program.client) plays at \(program.sinks.joined(separator: ", ")) now and belongs to no session",
        why: whyPast,
        cure: "\"from\": [\"\(program.client):*\"]   # in a stream gives it a session; or quit it")
    }
  }

  /// Sessions whose programs are also connected past the router.
  private static func past(_ router: Machine.RouterFacts) -> [Finding] {
    router.past.map { past in
      .fault(
        "\(past.session): \(past.causes)", why: whyPast,
        cure:
          "\"exclusive\": true   # in its streams, and \"sole\": true in its capture; or disconnect these ports"
      )
    }
  }

  private static func unmatched(_ router: Machine.RouterFacts) -> [Finding] {
    router.unmatched.map { sentence in
      .hint(
        sentence, why: "What the preset names there is silent until it appears.",
        cure:
          "multiroute ports   # lists the names; start the program, plug in the device, or correct the name")
    }
  }

  /// Programs that connect themselves when they start. An exclusive stream frees them within two periods; without a connection there is nothing to free.
  private static func selfConnecting(_ router: Machine.RouterFacts) -> [Finding] {
    let why =
      "Until an exclusive stream takes its connections away, for two periods, it is heard at the wrong device."
    let known = router.clients.compactMap { client in
      cures.first { client.lowercased().hasPrefix($0.program) }.map { cure in
        Finding.hint("\(client) connects itself when it starts", why: why, cure: cure.text)
      }
    }
    guard router.isAtPipeWire else { return known }
    return known + [
      .hint(
        "PipeWire's session manager connects each program to the default device", why: why,
        cure: "multiroute presets show PRESET --wireplumber   # prints a script that keeps it from that")
    ]
  }

  /// What keeps a program from connecting itself; docs/guide/programs.md has a recipe for each.
  private static let cures: [(program: String, text: String)] = [
    ("mpv", "start it with --jack-connect=no"),
    ("baresip", "write jack_connect_ports no in its configuration"),
    ("jacktrip", "start it with -D"),
    ("vlc", "start it with --no-jack-auto-connect"),
    ("mplayer", "start it with -ao jack:noconnect"),
    ("gst", "write jackaudiosink connect=none"),
    ("fluidsynth", "start it with -o audio.jack.autoconnect=0"),
    ("music player daemon", "write auto_destination_ports \"no\" in its audio_output"),
    ("pure_data", "start it with -nojackconnect"),
    ("csound6", "start it with -odac:null -iadc:null"),
    ("supercollider", "export SC_JACK_DEFAULT_OUTPUTS= SC_JACK_DEFAULT_INPUTS=   # before sclang"),
  ]
}

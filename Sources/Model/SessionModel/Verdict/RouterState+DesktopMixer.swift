extension RouterState {
  /// Whether the desktop's mixer lets nothing through at an output.
  func isSilentOnDesktop(_ output: PortID) -> Bool {
    outputs.contains(output) { $0.desktopVolume?.isSilent == true }
  }

  /// Whether the desktop's mixer lets nothing through of everything that feeds a stream.
  func isSilentOnDesktop(_ stream: SessionStream) -> Bool {
    let inputs = stream.sources.compactMap(\.input)
    guard !inputs.isEmpty || !stream.programVolumes.isEmpty else { return false }
    return (stream.programVolumes.isEmpty || stream.programVolumes.areSilent)
      && inputs.allSatisfy { self.inputs[$0]?.desktopVolume?.isSilent == true }
  }

  /// What the desktop's mixer does to the ports of a session's route, and to the inputs and programs that feed its streams.
  func desktopEffects(on session: Session) -> [String] {
    var (found, feeding, programs) = ([String](), [PortID](), [ProgramVolume]())
    func note(_ port: Port) {
      if let effect = port.desktopVolume?.effect { found.append("\(port.id) is \(effect)") }
    }
    session.streams.forEachValue { stream in
      feeding += stream.sources.compactMap(\.input)
      programs += stream.programVolumes
    }
    if session.category.hasInput { feeding += session.route.inputs }
    for id in session.route.outputs { outputs.read(id, note) }
    if !feeding.isEmpty { inputs.forEachValue { if feeding.contains($0.id) { note($0) } } }
    return found + Self.effects(programs)
  }

  /// What the desktop's mixer does to programs, each sentence once.
  static func effects(_ programs: [ProgramVolume]) -> [String] {
    var found: [String] = []
    for program in programs {
      let sentence = program.volume.effect.map { "\(program.program) is \($0)" }
      if let sentence, !found.contains(sentence) { found.append(sentence) }
    }
    return found
  }
}

extension [ProgramVolume] {
  /// Whether there are programs, and the mixer lets nothing through of any of them.
  var areSilent: Bool { !isEmpty && allSatisfy(\.volume.isSilent) }
}

extension StreamSource {
  /// The input that the source names; nil for JACK ports.
  fileprivate var input: PortID? { if case .input(let port, _) = self { port } else { nil } }
}

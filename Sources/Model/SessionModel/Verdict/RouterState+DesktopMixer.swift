extension RouterState {
  /// Whether the desktop's mixer lets nothing through at an output.
  func isSilentOnDesktop(_ output: PortID) -> Bool { outputs[output]?.desktopVolume?.isSilent == true }

  /// Whether the desktop's mixer lets nothing through of everything that feeds a stream.
  func isSilentOnDesktop(_ stream: SessionStream) -> Bool {
    let inputs = stream.sources.compactMap(\.input)
    guard stream.programVolumes.isEmpty || stream.programVolumes.areSilent,
      inputs.allSatisfy({ self.inputs[$0]?.desktopVolume?.isSilent == true })
    else { return false }
    return !inputs.isEmpty || !stream.programVolumes.isEmpty
  }

  /// What the desktop's mixer does to the ports of a session's route, and to the inputs and programs that feed its streams.
  func desktopEffects(on session: Session) -> [String] {
    let streams = session.streams.values
    let feeding = Set(streams.flatMap(\.sources).compactMap(\.input))
    let recorded = session.category.hasInput ? session.route.inputs : []
    let ports =
      session.route.outputs.compactMap { outputs[$0] }
      + inputs.values.filter { feeding.contains($0.id) || recorded.contains($0.id) }
    return ports.compactMap { port in port.desktopVolume?.effect.map { "\(port.id) is \($0)" } }
      + Self.effects(streams.flatMap(\.programVolumes))
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

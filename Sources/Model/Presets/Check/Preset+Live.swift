public import JSON5
public import SessionModel

extension Preset {
  /// Warnings about JACK names and globs that match no port.
  /// - Parameter ports: the ports that exist.
  public func unmatched(among ports: [JackPort]) -> [Problem] {
    var problems: [Problem] = []
    func compare(_ globs: [Placed<PortGlob>], areInputs: Bool) {
      for glob in globs {
        guard let missing = UnmatchedGlob(glob.value, among: ports, areInputs: areInputs) else { continue }
        problems.append(
          glob.place.problem(
            missing.sentence, fix: "correct the name, or start the program or device", severity: .warning))
      }
    }
    for (_, port) in document.ports {
      for direction in port.directions {
        compare(port.globs[direction] ?? [], areInputs: direction == .output)
      }
      for globs in port.sources.values { compare(globs, areInputs: false) }
    }
    for (_, session) in document.sessions {
      for (_, stream) in session.streams { compare(stream.leaves["from"]?.globs ?? [], areInputs: false) }
      compare(session.capture?.leaves["to"]?.globs ?? [], areInputs: true)
    }
    return problems
  }
}

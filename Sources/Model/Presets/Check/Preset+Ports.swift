public import SessionModel

extension Preset {
  /// Whether an entry of the preset matches a JACK port: of a device, of a stream's sources or of a capture's destinations.
  public func names(_ port: JackPort, among graph: JackGraph) -> Bool {
    let globs = document.ports.values.flatMap { entry in
      (entry.globs[port.isInput ? .output : .input] ?? [])
        + (port.isInput ? [] : entry.sources.values.flatMap(\.globs))
    }
    if globs.contains(where: { $0.value.accepts(port.name, aliases: port.aliases) }) { return true }
    let leaves = document.sessions.values.flatMap { session in
      port.isInput
        ? [session.capture?.leaves["to"]].compactMap(\.self)
        : session.streams.values.compactMap { $0.leaves["from"] }
    }
    let alone = JackGraph([port])
    return leaves.contains { leaf in
      let standIns = StandIns(
        clients: Set(graph.ports.map(\.client)), globs: leaf.globs.map(\.value))
      return leaf.entries.contains {
        !alone.matches(standIns.entry($0.value), areInputs: port.isInput).isEmpty
      }
    }
  }
}

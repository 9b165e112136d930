public import JSON5
import Parameters
public import SessionModel

extension Preset {
  /// Warnings about a JACK server: names that match no port, channels and ports without a counterpart, and cables that lead past the router.
  public func problems(at graph: JackGraph) -> [Problem] {
    var check = LiveCheck(graph: graph)
    for (_, port) in document.ports {
      for direction in port.directions {
        check.compare(port.globs[direction] ?? [], areInputs: direction == .output)
      }
      for source in port.sources.values { check.compare(source.globs, areInputs: false) }
    }
    for (_, session) in document.sessions {
      for (id, stream) in session.streams {
        check.check(stream, id)
        check.findLoops(stream, document.ports)
      }
      if let capture = session.capture { check.check(capture) }
    }
    return check.problems
  }
}

/// Compares a preset with the ports and connections that exist.
private struct LiveCheck {
  let graph: JackGraph
  private(set) var problems: [Problem] = []

  init(graph: JackGraph) { self.graph = graph }

  private mutating func warn(_ place: Place, _ what: String, fix: String) {
    problems.append(place.problem(what, fix: fix, severity: .warning))
  }

  private mutating func note(_ missing: UnmatchedGlob?, at place: Place) {
    if let missing { warn(place, missing.sentence, fix: "correct the name, or start the program or device") }
  }

  mutating func compare(_ globs: [Placed<PortGlob>], areInputs: Bool) {
    for glob in globs {
      note(UnmatchedGlob(glob.value, among: graph.ports, areInputs: areInputs), at: glob.place)
    }
  }

  mutating func check(_ stream: StreamEntry, _ id: StreamID) {
    guard let from = stream.leaves["from"] else { return }
    let standIns = standIns(for: from)
    for entry in from.entries {
      note(UnmatchedGlob(standIns.entry(entry.value), among: graph.ports, areInputs: false), at: entry.place)
    }
    let plan = ChannelPlan(from.entries.map(\.value), channels: stream.width, of: .stream) {
      graph.matches(standIns.entry($0), areInputs: false)
    }
    if from.inputs.isEmpty { warn(of: plan.gaps, stream: id, at: from.place) }
    guard stream.leaves["exclusive"]?.value != .flag(true) else { return }
    for source in plan.ports {
      for sink in foreign(source) {
        warn(
          from.place, "\(source) is also connected to \(sink), past the router",
          fix: "disconnect it, or add \"exclusive\": true to the stream")
      }
    }
  }

  /// Finds monitors of devices that the stream takes and goes to.
  mutating func findLoops(_ stream: StreamEntry, _ ports: Registry<PortID, PortEntry>) {
    guard let from = stream.leaves["from"], stream.leaves["loop"]?.value != .flag(true) else { return }
    let taken = from.entries.flatMap { graph.matches($0.value, areInputs: false) }.map(\.port)
    let monitored = Set(taken.filter(PortGlob.isMonitor).map { $0.prefix { $0 != ":" } })
    guard !monitored.isEmpty else { return }
    for output in stream.destinations.keys {
      let globs = ports[output]?.globs[.output]?.map(\.value) ?? []
      let isMonitored = graph.ports.contains { port in
        port.isInput && monitored.contains(port.client[...]) && globs.contains { $0.matches(port.name) }
      }
      guard isMonitored else { continue }
      warn(
        from.place,
        "the stream takes the monitor of \(output) and goes to \(output), which would howl, so the router does not connect the monitor",
        fix: "send the stream to another output, or write \"loop\": true")
    }
  }

  mutating func check(_ capture: CaptureEntry) {
    guard let to = capture.leaves["to"] else { return }
    let standIns = standIns(for: to)
    for entry in to.entries {
      note(UnmatchedGlob(standIns.entry(entry.value), among: graph.ports, areInputs: true), at: entry.place)
    }
    let plan = ChannelPlan(to.entries.map(\.value), channels: capture.width, of: .capture) {
      graph.matches(standIns.entry($0), areInputs: true)
    }
    warn(of: plan.gaps, stream: nil, at: to.place)
    guard capture.leaves["sole"]?.value == .flag(false) else { return }
    for sink in plan.ports {
      for source in foreign(sink) {
        warn(
          to.place, "\(source) is connected to \(sink), past the router",
          fix: "disconnect it, or write \"sole\": true")
      }
    }
  }

  private func standIns(for leaf: Leaf) -> StandIns {
    StandIns(clients: Set(graph.ports.map(\.client)), globs: leaf.globs.map(\.value))
  }

  private mutating func warn(of gaps: ChannelGaps, stream: StreamID?, at place: Place) {
    for sentence in gaps.sentences(ofStream: stream?.name) {
      warn(place, sentence, fix: "change the list or \"channels\"")
    }
  }

  /// The ports of programs and devices, not of a router, that a port is connected to.
  private func foreign(_ port: String) -> [String] {
    (graph.connections[port] ?? []).filter { !graph.isOfRouter($0) }
  }
}

extension JackGraph {
  /// Whether a port belongs to a router: one with the usual name, or one whose ports are named as a router names them.
  public func isOfRouter(_ port: String) -> Bool {
    let client = port.prefix { $0 != ":" }
    let output = "\(client):to-"
    return client.hasPrefix("multiroute") || ports.contains { !$0.isInput && $0.name.hasPrefix(output) }
  }
}

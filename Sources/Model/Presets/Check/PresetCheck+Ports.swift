import JSON5
import Parameters
import SessionModel

extension PresetCheck {
  mutating func checkPorts() {
    var claims: [Claim] = []
    for (id, port) in document.ports {
      checkShape(of: port, id)
      checkMaximum(port.leaves)
      for direction in port.directions {
        for glob in port.globs[direction] ?? [] {
          checkForeign(glob)
          claim(glob, direction, for: (id, port), among: &claims)
        }
      }
      for glob in port.sources.values.flatMap(\.globs) { checkForeign(glob) }
    }
  }

  /// Warns of each way to a built-in speaker that a multiRoute session uses only when no other output is connected.
  mutating func checkSpeakers() {
    let outputs = document.ports.filter { $0.value.directions.contains(.output) }
    guard outputs.contains(where: { $0.value.type?.value != .builtInSpeaker }) else { return }
    for (_, session) in document.sessions
    where session.category?.value == .multiRoute && session.mode?.value != .dualRoute {
      for destination in session.streams.values.flatMap(\.destinations) {
        guard document.ports[destination.key]?.type?.value == .builtInSpeaker else { continue }
        report(
          destination.value.place,
          "\(destination.key.name.quoted) is a built-in speaker, which multiRoute uses only when no other output is connected",
          fix: "give a loudspeaker of its own the type \"lineOut\"", severity: .warning)
      }
    }
  }

  private mutating func checkShape(of port: PortEntry, _ id: PortID) {
    if port.directions.contains(where: { Table.reservedNames(below: "/\($0.rawValue)").contains(id.name) }) {
      report(port.place, "\(id.name.quoted) is a command's name", fix: "choose another id")
    }
    guard !port.isDamaged else { return }
    if port.type == nil { reportMissing("type", in: port.place, example: "\"usbAudio\"") }
    if let bridge = port.bridge, !port.globs.isEmpty || !port.sources.isEmpty || port.node != nil {
      report(
        bridge.place, "the bridge makes the JACK ports of this port, which names others too",
        fix: "keep either the bridge or the port names")
    }
    guard !port.globs.isEmpty || !port.sources.isEmpty || port.bridge != nil else {
      return report(
        port.place, "the port names no JACK ports",
        fix: "add \"outputs\", \"inputs\" or both, for instance \"outputs\": [\"system:playback_*\"]",
        aspect: aspectOfMissing)
    }
    let owners = port.directions.map(\.owner)
    for leaf in port.leaves where !owners.contains(where: leaf.isKey) {
      let (missing, present) = port.leading == .input ? ("outputs", "inputs") : ("inputs", "outputs")
      report(
        leaf.place, "\(leaf.key.quoted) is for \(missing), and the port has only \(present)", fix: "remove it"
      )
    }
    let globs = port.globs[port.leading] ?? []
    guard port.sources.isEmpty || port.leading == .output, let channels = port.channels,
      !globs.isEmpty, !globs.contains(where: \.value.isPattern)
    else { return }
    if channels.value != globs.count {
      report(
        channels.place,
        "\(channels.value) is not the number of JACK ports that are named, which is \(globs.count)",
        fix: "write \(globs.count), or remove the key: it is for globs")
    }
  }

  /// A pattern of JACK ports that an entry uses.
  private struct Claim {
    let glob: PortGlob
    let direction: Direction
    let port: PortID
    let node: PortGlob?
    let line: Int
  }

  /// Reports a JACK port that two entries use. Whether two globs share a port is known only when the devices
  /// are present. Certain are two cases: the same text, and a name that an earlier glob matches. Entries with
  /// two different nodes mean two cards.
  private mutating func claim(
    _ glob: Placed<PortGlob>, _ direction: Direction, for entry: (id: PortID, port: PortEntry),
    among claims: inout [Claim]
  ) {
    let (id, node) = (entry.id, entry.port.node?.value)
    let earlier = claims.first { claim in
      claim.direction == direction && claim.node == node
        && (claim.glob == glob.value || glob.value.literal.map(claim.glob.matches) == true)
    }
    if let earlier {
      let owner = earlier.port == id ? "this port" : earlier.port.name.quoted
      report(
        glob.place, "\(glob.value.text.quoted) is already used by \(owner) in line \(earlier.line)",
        fix: "name each JACK port once")
    }
    claims.append(
      Claim(glob: glob.value, direction: direction, port: id, node: node, line: glob.place.position.line))
  }
}

import SessionModel

/// Finds devices among the server's ports: those that a preset describes, and those nobody describes.
enum Discovery {
  /// The members of every known port, where they differ from what the state knows.
  static func presences(_ state: RouterState, _ system: [SystemPort]) -> [PortPresence] {
    var presences: [PortPresence] = []
    for direction in [Direction.output, .input] {
      var claimed = Set<String>()
      for port in claimants(state[direction]) {
        let members = members(of: port, direction, system, claimed: &claimed)
        if members != port.members { presences.append(PortPresence(direction, port.id, members: members)) }
      }
    }
    return presences
  }

  /// What a preset names comes first, in its order; what was found has the rest.
  private static func claimants(_ ports: Registry<PortID, Port>) -> [Port] {
    ports.values.filter(\.isNamedByPreset) + ports.values.filter { !$0.isNamedByPreset }
  }

  /// Found ports all of whose JACK ports belong to one that a preset names now.
  static func superseded(_ state: RouterState) -> [(Direction, PortID)] {
    [Direction.output, .input].flatMap { direction in
      let named = state[direction].values.filter(\.isNamedByPreset)
      return state[direction].values.filter { port in
        !port.isNamedByPreset
          && port.globs.allSatisfy { glob in named.contains { $0.globs.contains { $0.matches(glob.text) } } }
      }.map { (direction, $0.id) }
    }
  }

  /// Channel by channel; a name without wildcard keeps its channel while it is away.
  private static func members(
    of port: Port, _ direction: Direction, _ system: [SystemPort], claimed: inout Set<String>
  ) -> [String?] {
    var members: [String?] = []
    for glob in port.globs {
      let found = system.filter { candidate in
        candidate.isInput == (direction == .output) && !claimed.contains(candidate.name)
          && glob.accepts(candidate)
      }
      let names = found.map(\.name).sorted(by: PortGlob.inChannelOrder)
      claimed.formUnion(names)
      if names.isEmpty, !glob.isPattern { members.append(nil) } else { members += names }
    }
    return members
  }

  /// Physical terminal ports that no known port is made of, grouped by client.
  static func found(_ state: RouterState, _ system: [SystemPort]) -> [(Direction, Port)] {
    var found: [(Direction, Port)] = []
    for direction in [Direction.output, .input] {
      var taken = Set<String>()
      for port in claimants(state[direction]) { _ = members(of: port, direction, system, claimed: &taken) }
      var clients = Registry<String, [SystemPort]>()
      for port in system
      where port.isPhysical && port.isTerminal && port.isInput == (direction == .output)
        && !taken.contains(port.name)
      {
        clients[String(port.client), default: []].append(port)
      }
      var known = Set(state[direction].keys)
      for (client, ports) in clients {
        let (type, reason) = PortTypeGuess.type(of: client, direction)
        let globs = ports.map(\.name).sorted(by: PortGlob.inChannelOrder).compactMap(PortGlob.init)
        let id = freeID(for: client, among: known)
        known.insert(id)
        var port = Port(id: id, name: client, type: type, globs: globs, channels: globs.count)
        (port.isNamedByPreset, port.typeReason) = (false, reason)
        found.append((direction, port))
      }
    }
    return found
  }

  private static func freeID(for name: String, among known: Set<PortID>) -> PortID {
    let id = PortID(slugging: name)
    guard known.contains(id) else { return id }
    return (2...).lazy.map { PortID(slugging: "\(id.name.prefix(28))-\($0)") }.first { !known.contains($0) }!
  }
}

extension PortGlob {
  /// Whether the glob means this port; monitors only where they are written out.
  func accepts(_ port: SystemPort) -> Bool {
    guard matches(port.name) || port.aliases.contains(where: matches) else { return false }
    return !port.isMonitor || text.contains("monitor")
  }
}

extension SystemPort {
  /// Whether it repeats what another port plays.
  fileprivate var isMonitor: Bool { name.dropFirst(client.count + 1).hasPrefix("monitor") }
}

extension Registry {
  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { self[key] = newValue }
  }
}

/// What a device probably is, by its name.
enum PortTypeGuess {
  static func type(of name: String, _ direction: Direction) -> (PortType, reason: String) {
    let lower = name.lowercased()
    for rule in rules {
      guard let type = direction == .output ? rule.output : rule.input,
        let word = rule.words.first(where: { lower.contains($0) })
      else { continue }
      return (type, "its name contains '\(word)'")
    }
    return direction == .output
      ? (.lineOut, "a physical output whose name says nothing")
      : (.lineIn, "a physical input whose name says nothing")
  }

  /// In order: the first that fits decides.
  private static let rules: [(words: [String], output: PortType?, input: PortType?)] = [
    (["headset"], .headphones, .headsetMic),
    (["headphone", "phones"], .headphones, nil),
    (["hfp", "hands-free", "handsfree"], .bluetoothHFP, .bluetoothHFP),
    (["a2dp", "bluez"], .bluetoothA2DP, nil),
    (["hdmi"], .hdmi, nil),
    (["displayport"], .displayPort, nil),
    (["airplay", "raop"], .airPlay, nil),
    (["usb"], .usbAudio, .usbAudio),
    (["receiver", "earpiece"], .builtInReceiver, nil),
    (["speaker"], .builtInSpeaker, nil),
    (["mic"], nil, .builtInMic),
    (["spdif", "s/pdif", "iec958"], .lineOut, .lineIn),
  ]
}

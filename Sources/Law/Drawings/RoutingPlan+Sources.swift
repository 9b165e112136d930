import SessionModel

extension [StreamSource] {
  /// The sources as boxes: one for each program, one for each input.
  func grouped(in state: RouterState) -> [RoutingPlan.Source] {
    var programs: [(name: String, ports: [String])] = []
    var sources: [RoutingPlan.Source] = []
    for source in self {
      switch source {
      case .input(let port, let channels):
        sources.append(RoutingPlan.Source(input: port, channels: channels, in: state))
      case .ports(let entry):
        let (name, ports) = entry.label
        if let index = programs.firstIndex(where: { $0.name == name }) {
          programs[index].ports.append(ports)
        } else {
          programs.append((name, [ports]))
        }
      }
    }
    return programs.map { name, ports in
      let ports = ports.filter { !$0.isEmpty }
      return RoutingPlan.Source(name: name, details: ports.isEmpty ? [] : [ports.joined(separator: ", ")])
    } + sources
  }
}

extension RoutingPlan.Source {
  /// An input, or some of its channels.
  init(input id: PortID, channels: ClosedRange<Int>?, in state: RouterState) {
    let port = state.inputs[id]
    var globs = port?.memberGlobs ?? []
    switch channels {
    case nil: name = id.name
    case let range? where range.count == 1: name = "\(id):\(range.lowerBound)"
    case let range?: name = "\(id):\(range.lowerBound)-\(range.upperBound)"
    }
    // Only if each channel has an entry of its own is it known which entries these channels are.
    if let channels, let port, globs.count == port.nameableChannels, channels.upperBound <= globs.count {
      globs = Array(globs[(channels.lowerBound - 1)..<channels.upperBound])
    }
    details = [port?.type.rawValue ?? "unknown", globs.text].filter { !$0.isEmpty }
  }
}

extension [PortGlob] {
  /// The names in one line; a client that is named once is not repeated.
  var text: String {
    var client = ""
    return map { glob in
      let text = glob.text.printable
      guard let colon = text.firstIndex(of: ":") else { return text }
      if text[...colon] == client { return String(text[text.index(after: colon)...]) }
      client = String(text[...colon])
      return text
    }.joined(separator: ", ")
  }
}

extension ProgramPorts {
  /// The name of the program, and its ports.
  fileprivate var label: (name: String, ports: String) {
    let channel = channel.map { " (channel \($0))" } ?? ""
    let names = ProgramNames.Key.allCases.compactMap { key in self.names[key].map { (key, $0.text.printable) }
    }
    let ports = ports?.text.printable ?? ""
    guard let (first, name) = names.first else {
      guard let colon = ports.firstIndex(of: ":") else { return (ports, String(channel.dropFirst())) }
      return (String(ports[..<colon]), ports[ports.index(after: colon)...] + channel)
    }
    let rest = names.dropFirst().map { "\($0.0) \($0.1)" } + (ports.isEmpty ? [] : [ports])
    let kind = first == .application ? [] : ["by \(first)"]
    return (name, (kind + rest).joined(separator: ", ") + channel)
  }
}

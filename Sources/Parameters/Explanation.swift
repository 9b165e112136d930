import SessionModel

extension Session {
  /// One sentence: why the session is heard or silent, what it waits for, and who hears its programs besides.
  func explanation(in state: RouterState) -> String {
    var sentence = condition(in: state)
    for hindrance in hindrances(in: state) { sentence += "; \(hindrance)" }
    let absent = awaited(in: state)
    if !absent.isEmpty { sentence += "; waits for \(absent.map(\.name).joined(separator: ", "))" }
    let direct = streams.values.filter { !$0.isExclusive }.flatMap(\.directSinks)
    if !direct.isEmpty { sentence += "; also heard directly at \(direct.joined(separator: ", "))" }
    return sentence
  }

  /// Which of its streams and outputs are muted or turned off, while it is heard or would be but for them.
  private func hindrances(in state: RouterState) -> [String] {
    guard isActive, isConnected, state.server.isRunning, !state.isPanicking else { return [] }
    func hindrance(_ name: String, isMuted: Bool, isOff: Bool) -> String? {
      isMuted ? "\(name) is muted" : isOff ? "\(name) is turned off" : nil
    }
    return streams.values.compactMap {
      hindrance("\($0.id)", isMuted: $0.isMuted, isOff: Decibels($0.gain.target).isOff)
    }
      + route.outputs.compactMap { state.outputs[$0] }.compactMap {
        hindrance("\($0.id)", isMuted: $0.isMuted, isOff: Decibels($0.gain.target).isOff)
      }
  }

  /// The outputs that it would be heard at if they were there.
  private func awaited(in state: RouterState) -> [PortID] {
    guard category == .multiRoute else { return [] }
    return state.outputs.values.filter { port in
      !port.isAvailable && streams.values.contains { $0.destinations[port.id]?.isOn == true }
    }.map(\.id)
  }

  /// Whether it is heard, and where or why not.
  private func condition(in state: RouterState) -> String {
    if state.isPanicking { return "silent: panic is on; /system/panic 0 brings it back" }
    guard state.server.isRunning else { return "silent: there is no audio server" }
    guard isActive else {
      // One that starts by itself waits for its programs, at the beginning or since they have gone.
      return activation == .manual || isConnected
        ? "silent: not active (activate is \(activation.rawValue))"
        : "silent: no program is connected to \(id)"
    }
    guard category.hasOutput else { return "not heard: \(category.rawValue) has no output" }
    guard !streams.isEmpty else { return "silent: it has no stream" }
    guard isConnected else { return "silent: no program is connected to \(id)" }
    let audible = route.outputs.filter { isHeard(at: $0, in: state) }
    guard audible.isEmpty else { return "heard at \(audible.map(\.name).joined(separator: ", "))" }
    if isMuted { return "silent: muted by the operator" }
    if Decibels(gain.target).isOff { return "silent: its gain is off" }
    return route.outputs.isEmpty
      ? "silent: no output is available" : "silent: none of its streams reaches an available output"
  }

  /// Whether something of it arrives at an output; taps before mute or gain are heard in spite of them.
  private func isHeard(at port: PortID, in state: RouterState) -> Bool {
    guard let output = state.outputs[port], !output.isMuted, !Decibels(output.gain.target).isOff else {
      return false
    }
    return streams.values.contains { stream in
      let destination = category == .multiRoute ? stream.destinations[port] : Destination()
      guard let destination, destination.isOn, !Decibels(destination.gain.target).isOff else { return false }
      let isSilenced = isMuted || stream.isMuted
      let isDown = Decibels(gain.target).isOff || Decibels(stream.gain.target).isOff
      return switch destination.tap {
      case .input: true
      case .pre: !isSilenced
      case .post: !isSilenced && !isDown
      }
    }
  }
}

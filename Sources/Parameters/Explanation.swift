import SessionModel

extension Session {
  /// One sentence: why the session is heard or silent.
  func explanation(in state: RouterState) -> String {
    if state.isPanicking { return "silent: panic is on; /system/panic 0 brings it back" }
    guard state.server.isRunning else { return "silent: there is no audio server" }
    guard isActive else { return "silent: not active (activate is \(activation.rawValue))" }
    guard !isMuted else { return "silent: muted by the operator" }
    guard !Decibels(gain.target).isOff else { return "silent: its gain is off" }
    guard category.hasOutput else { return "not heard: \(category.rawValue) has no output" }
    guard !streams.isEmpty else { return "silent: it has no stream" }
    guard isConnected else { return "silent: no program is connected to \(id)" }
    let audible = audibleOutputs(in: state)
    guard !audible.isEmpty else {
      return route.outputs.isEmpty
        ? "silent: no output is available" : "silent: none of its streams reaches an available output"
    }
    return "heard at \(audible.map(\.name).joined(separator: ", "))"
  }

  /// The outputs where something of it arrives.
  private func audibleOutputs(in state: RouterState) -> [PortID] {
    route.outputs.filter { port in
      guard let output = state.outputs[port], !output.isMuted, !Decibels(output.gain.target).isOff else {
        return false
      }
      return category != .multiRoute
        || streams.values.contains { $0.destinations[port]?.isOn == true && !$0.isMuted }
    }
  }
}

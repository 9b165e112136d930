import SessionModel

/// Forgets devices that were seen once and that nothing names, so that an evening of plugging does not fill the memory
/// (docs/develop/law/ports.md#2-availability).
enum AbsentDevices {
  static func apply(_ state: inout RouterState, after event: Event) {
    // Without a server all devices are away, and come back with it.
    guard case .portsPresent = event, state.server.isRunning else { return }
    for direction in [Direction.output, .input] {
      // Nearly always there are too few, whatever names them.
      guard state[direction].values.count(where: { !$0.isPresent }) > RouterState.mostAbsentDevices else {
        continue
      }
      let absent = state[direction].values.filter {
        !$0.wentWithServer && state.reasonToKeep(direction, $0) == nil
      }
      let surplus = absent.sorted { $0.arrival < $1.arrival }.dropLast(RouterState.mostAbsentDevices)
      for port in surplus { state[direction][port.id] = nil }
    }
  }
}

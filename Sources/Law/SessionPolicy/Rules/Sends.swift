import SessionModel

/// Decides to which outputs and channels a stream of a multiRoute session is sent (docs/law/multi-route.md#3-destinations).
enum Sends {
  static func setRoute(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, _ route: StreamRoute,
    over seconds: Double, at time: Double
  ) throws(SessionError) {
    let (ports, curve) = (state.outputs, state.fadeCurve)
    try state.withStream(session, id) { stream, owner throws(SessionError) in
      var destinations = Registry<PortID, Destination>()
      for entry in route.entries {
        try check(stream, of: owner, reaching: entry.port, through: entry.channels, among: ports)
        var destination = stream.destinations[entry.port] ?? Destination()
        destination.isOn = true
        destination.channels = entry.channels
        if destination.gain.target != entry.gain || destination.gain.isFading(at: time) {
          destination.gain.fade(to: entry.gain, over: seconds, curve: curve, at: time, isLevel: true)
        }
        destinations[entry.port] = destination
      }
      stream.destinations = destinations
      stream.isPlacedByDefault = false
    }
  }

  static func setDestination(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, _ port: PortID,
    _ setting: DestinationSetting, at time: Double
  ) throws(SessionError) {
    let (ports, curve) = (state.outputs, state.fadeCurve)
    try state.withStream(session, id) { stream, owner throws(SessionError) in
      var destination = stream.destinations[port] ?? Destination(isOn: false)
      switch setting {
      case .on(let isOn): destination.isOn = isOn
      case .gain(let move): destination.gain.move(move, curve: curve, at: time, isLevel: true)
      case .channels(let channels): destination.channels = channels
      case .tap(let tap): destination.tap = tap
      }
      try check(stream, of: owner, reaching: port, through: destination.channels, among: ports)
      stream.destinations[port] = destination
      stream.isPlacedByDefault = false
    }
  }

  /// Refuses an output or channels that a stream may not be sent to.
  private static func check(
    _ stream: SessionStream, of session: Session, reaching port: PortID, through channels: ChannelSelection,
    among ports: Registry<PortID, Port>
  ) throws(SessionError) {
    guard session.category == .multiRoute else {
      throw SessionError(
        .incompatibleCategory,
        "\(session.id) is \(session.category.rawValue), whose one output the policy chooses; only multiRoute streams are routed by hand"
      )
    }
    try Guards.check(stream, of: session.id, reaching: port)
    guard let output = ports[port] else {
      throw unknown(.output, port, among: ports.keys)
    }
    guard session.mayUse(output, .output) else {
      let inMode = session.mode == .dualRoute ? " in mode dualRoute" : ""
      throw SessionError(
        .badParam, "\(port) is \(output.type.rawValue), which multiRoute\(inMode) never uses")
    }
    // The router does not know yet how many channels a never seen port has; it checks the map when the port appears.
    guard output.nameableChannels > 0 else { return }
    _ = try channels.crosspoints(width: stream.channels, channels: output.nameableChannels, at: port)
  }
}

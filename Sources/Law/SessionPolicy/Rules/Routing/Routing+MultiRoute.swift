import SessionModel

extension Routing {
  /// The route of a multiRoute session: all eligible outputs together, the built-in speaker only if there is no other, and the input
  /// that was connected last (docs/develop/law/multi-route.md#1-outputs).
  static func multiRoute(of session: Session, among ports: AvailablePorts) -> Route {
    var (speakers, others): ([PortID], [PortID]) = ([], [])
    for port in ports.outputs where ports.offers(port, to: session) && isUsed(port, by: session) {
      if port.type == .builtInSpeaker { speakers.append(port.id) } else { others.append(port.id) }
    }
    return Route(
      input: input(for: session, among: ports)?.id, outputs: others.isEmpty ? speakers : others)
  }

  /// The route in mode dualRoute: the built-in speaker and microphone, together with the most recently connected device that has both
  /// directions (docs/develop/law/multi-route.md#6-dual-route).
  static func dualRoute(of session: Session, among ports: AvailablePorts) -> Route {
    let outputs = ports.outputs.filter { ports.offers($0, to: session) && isUsed($0, by: session) }
    let inputs = ports.inputs.filter {
      $0.isAutomatic && session.mayUse(input: $0.type, isNamed: $0.isNamed)
    }
    func newest(_ ports: [AvailablePort], _ type: PortType) -> AvailablePort? {
      ports.filter { $0.type == type }.max { $0.arrival < $1.arrival }
    }
    func microphone(of output: AvailablePort) -> AvailablePort? {
      // The microphone of headphones is a port of its own.
      output.type == .headphones
        ? inputs.first { $0.type == .headsetMic && $0.id == output.id } ?? newest(inputs, .headsetMic)
        : inputs.first { $0.type == output.type && $0.id == output.id }
    }
    let secondary = outputs.filter { $0.type != .builtInSpeaker && microphone(of: $0) != nil }
      .max { $0.arrival < $1.arrival }
    let primary = (input: newest(inputs, .builtInMic), output: newest(outputs, .builtInSpeaker))
    let microphones = [primary.input, secondary.flatMap(microphone)].compactMap { $0?.id }
    return Route(
      input: microphones.first, secondaryInput: microphones.dropFirst().first,
      outputs: [primary.output, secondary].compactMap { $0?.id })
  }

  /// Whether a multiRoute session uses a port: a port that the preset does not name counts only if a stream is sent there.
  private static func isUsed(_ port: AvailablePort, by session: Session) -> Bool {
    port.isAutomatic
      || session.streams.contains { (stream: SessionStream) in
        !stream.isPlacedByDefault && stream.destinations[port.id]?.isOn == true
      }
  }

  // MARK: Streams without a destination of their own

  /// Streams that move to another output because the route changed.
  struct Placement {
    var streams: [StreamID] = []
    /// The output that they move to.
    var output: PortID?
  }

  /// Finds the streams that have no destination of their own and must move to the session's first output (docs/develop/law/multi-route.md#5-default-placement).
  ///
  /// A stream stays where it is as long as that output is in the route, or as the session waits for the output to return.
  static func placement(ofStreamsOf session: Session, at route: Route, among ports: AvailablePorts)
    -> Placement
  {
    guard session.category == .multiRoute, let first = route.outputs.first else { return Placement() }
    let moving = session.streams.keys { stream in
      guard stream.isPlacedByDefault else { return false }
      guard let present = stream.destinations.keys.first else { return !stream.isGuarded(against: first) }
      guard !route.outputs.contains(present) else { return false }
      return session.unplug == .continue || ports.outputs.contains { $0.id == present }
    }
    return Placement(streams: moving, output: first)
  }
}

extension Session {
  /// Moves streams to an output. A stream whose guard forbids the output is sent nowhere.
  mutating func move(_ placement: Routing.Placement) {
    for id in placement.streams {
      streams[id]?.destinations = Registry()
      guard let output = placement.output, streams[id]?.isGuarded(against: output) == false else { continue }
      streams[id]?.destinations[output] = Destination()
    }
  }
}

import SessionModel

extension Routing {
  /// All eligible outputs at once, the speaker only when there is nothing else; one input, the last one in (semantics, section 11).
  static func multiRoute(of session: Session, among plugs: Plugs) -> Route {
    var (speakers, others): ([PortID], [PortID]) = ([], [])
    for plug in plugs.outputs where plugs.offers(plug, to: session) && isUsed(plug, by: session) {
      if plug.type == .builtInSpeaker { speakers.append(plug.id) } else { others.append(plug.id) }
    }
    return Route(
      input: input(for: session, among: plugs)?.id, outputs: others.isEmpty ? speakers : others)
  }

  /// The mode dualRoute: built-in speaker and microphone, and besides the last device in that has both directions (semantics,
  /// section 2).
  static func dualRoute(of session: Session, among plugs: Plugs) -> Route {
    let outputs = plugs.outputs.filter { plugs.offers($0, to: session) && isUsed($0, by: session) }
    let inputs = plugs.inputs.filter {
      $0.isAutomatic && session.mayUse(input: $0.type, isNamed: $0.isNamed)
    }
    func newest(_ plugs: [Plug], _ type: PortType) -> Plug? {
      plugs.filter { $0.type == type }.max { $0.arrival < $1.arrival }
    }
    func microphone(of output: Plug) -> Plug? {
      // Headphones have their microphone beside them, as a port of its own.
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

  /// A found port is used beside those that the preset names as soon as somebody sends a stream there.
  private static func isUsed(_ plug: Plug, by session: Session) -> Bool {
    plug.isAutomatic
      || session.streams.contains { (stream: SessionStream) in
        !stream.isPlacedByDefault && stream.destinations[plug.id]?.isOn == true
      }
  }

  // MARK: Streams that nobody has sent anywhere

  /// Streams that move.
  struct Placement {
    var streams: [StreamID] = []
    /// Where they go.
    var output: PortID?
  }

  /// The streams of a session that nobody has sent anywhere, and that are not where they belong: at its first output (semantics,
  /// section 11). They stay where they are as long as that is in the route, or the session waits for it.
  static func placement(ofStreamsOf session: Session, at route: Route, among plugs: Plugs) -> Placement {
    guard session.category == .multiRoute, let first = route.outputs.first else { return Placement() }
    let moving = session.streams.keys { stream in
      guard stream.isPlacedByDefault else { return false }
      guard let present = stream.destinations.keys.first else { return !stream.never.contains(first) }
      guard !route.outputs.contains(present) else { return false }
      return session.unplug == .continue || plugs.outputs.contains { $0.id == present }
    }
    return Placement(streams: moving, output: first)
  }
}

extension Session {
  /// Moves streams to an output, where no guard keeps them from it.
  mutating func move(_ placement: Routing.Placement) {
    for id in placement.streams {
      streams[id]?.destinations = Registry()
      guard let output = placement.output, streams[id]?.never.contains(output) == false else { continue }
      streams[id]?.destinations[output] = Destination()
    }
  }
}

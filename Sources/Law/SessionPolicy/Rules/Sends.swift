import SessionModel

/// Decides to which outputs and channels a stream of a multiRoute session is sent (docs/develop/law/multi-route.md#3-destinations).
enum Sends {
  static func setRoute(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, _ route: StreamRoute,
    over seconds: Double, at time: Double
  ) throws(SessionError) {
    for entry in route.entries {
      try check(state, session, id, reaching: entry.port, through: entry.channels)
    }
    let curve = state.fadeCurve
    try state.withStream(session, id) { stream throws(SessionError) in
      var destinations = Registry<PortID, Destination>()
      for entry in route.entries {
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
    let curve = state.fadeCurve
    if case .pan(let move) = setting { try checkPan(state, session, id, move) }
    if setting.keepsChannels, state.sessions.contains(session, where: { $0.category == .multiRoute }) {
      // A destination that exists was checked when it was made.
      let isDone = try state.withStream(session, id) { stream throws(SessionError) in
        !stream.isPlacedByDefault
          && stream.destinations.update(port) { $0.take(setting, curve, at: time) } != nil
      }
      if isDone { return }
    }
    var channels: ChannelSelection?
    if case .channels(let selection) = setting { channels = selection }
    try check(state, session, id, reaching: port, through: channels)
    try state.withStream(session, id) { stream throws(SessionError) in
      var destination = stream.destinations[port] ?? Destination(isOn: false)
      destination.take(setting, curve, at: time)
      stream.destinations[port] = destination
      stream.isPlacedByDefault = false
    }
  }

  /// Carries out the events at the beginning of a row that change how loud destinations of one stream are, as long as the destinations
  /// exist. Finding the stream for each of thousands of destinations would take most of the time of the row.
  /// - Returns: the number of events that were carried out.
  static func setLevels(_ state: inout RouterState, _ row: ArraySlice<Event>, at time: Double) -> Int {
    guard case .destination(let session, let id, _, let setting)? = row.first, setting.keepsChannels,
      state.sessions.contains(session, where: { $0.category == .multiRoute })
    else { return 0 }
    let curve = state.fadeCurve
    let count = state.sessions.update(session) { owner in
      owner.streams.update(id) { stream in
        guard !stream.isPlacedByDefault, stream.channels <= 2 || !row.contains(where: \.setsPan) else {
          return 0
        }
        var (count, cursor) = (0, Registry<PortID, Destination>.Cursor())
        for event in row {
          guard case .destination(session, id, let port, let setting) = event, setting.keepsChannels,
            stream.destinations.update(port, at: &cursor, { $0.take(setting, curve, at: time) }) != nil
          else { break }
          count += 1
        }
        return count
      }
    }
    return (count ?? 0) ?? 0
  }

  private static func checkPan(
    _ state: RouterState, _ session: SessionID, _ id: StreamID, _ move: ControlMove
  ) throws(SessionError) {
    let channels = state.sessions.read(session) { $0.streams.read(id, \.channels) }
    // Other rules refuse a stream that does not exist.
    guard let channels = channels ?? nil else { return }
    try ChannelControls.checkPan(move, of: "\(session).\(id)", having: channels)
  }

  /// Refuses an output or channels that a stream may not be sent to.
  /// - Parameter channels: nil for those of the stream's present destination there.
  private static func check(
    _ state: RouterState, _ session: SessionID, _ stream: StreamID, reaching port: PortID,
    through channels: ChannelSelection?
  ) throws(SessionError) {
    let outputs = state.outputs
    let refusal = state.sessions.read(session) { owner in
      owner.streams.read(stream) { stream in
        let channels = channels ?? stream.destinations[port]?.channels ?? .default
        return Self.refusal(of: stream, of: owner, reaching: port, through: channels, among: outputs)
      }
    }
    // Other rules refuse a session or stream that does not exist.
    if case .some(.some(let error?)) = refusal { throw error }
  }

  private static func refusal(
    of stream: SessionStream, of session: Session, reaching port: PortID, through channels: ChannelSelection,
    among ports: Registry<PortID, Port>
  ) -> SessionError? {
    guard session.category == .multiRoute else {
      return SessionError(
        .incompatibleCategory,
        "\(session.id) is \(session.category.rawValue), whose one output the policy chooses; only multiRoute streams are routed by hand"
      )
    }
    if let refusal = Guards.refusal(of: stream, of: session.id, reaching: port) { return refusal }
    let refusal = ports.read(port) { output -> SessionError? in
      guard session.mayUse(output: output.type, isNamed: output.isNamedByPreset) else {
        let inMode = session.mode == .dualRoute ? " in mode dualRoute" : ""
        return SessionError(
          .badParam, "\(port) is \(output.type.rawValue), which multiRoute\(inMode) never uses")
      }
      // The router does not know yet how many channels a never seen port has; it checks the map when the port appears.
      guard output.nameableChannels > 0 else { return nil }
      do throws(SessionError) {
        _ = try channels.crosspoints(width: stream.channels, channels: output.nameableChannels, at: port)
        return nil
      } catch { return error }
    }
    return refusal ?? unknown(.output, port, among: ports.keys)
  }
}

extension Destination {
  fileprivate mutating func take(_ setting: DestinationSetting, _ curve: FadeCurve, at time: Double) {
    switch setting {
    case .on(let isOn): self.isOn = isOn
    case .gain(let move): gain.move(move, curve: curve, at: time, isLevel: true)
    case .pan(let move): pan.move(move, curve: curve, at: time, isLevel: false)
    case .channels(let channels): self.channels = channels
    case .tap(let tap): self.tap = tap
    }
  }
}

extension Event {
  fileprivate var setsPan: Bool { if case .destination(_, _, _, .pan) = self { true } else { false } }
}

extension DestinationSetting {
  /// Whether the setting leaves it to the present channels where the destination is heard.
  fileprivate var keepsChannels: Bool {
    switch self {
    case .gain, .pan, .tap: true
    case .on, .channels: false
    }
  }
}

import SessionModel

/// Ports and the server come and go; what belongs to a port is kept while it is away.
enum Plugging {
  /// Takes what a port is made of; one that exists keeps its levels, members and arrival.
  static func declare(_ state: inout RouterState, _ direction: Direction, _ port: Port) {
    var port = port
    if let old = state[direction][port.id] {
      (port.gain, port.isMuted, port.delay, port.ceiling) = (old.gain, old.isMuted, old.delay, old.ceiling)
      (port.maximum, port.isPlugged, port.automatic) = (old.maximum, old.isPlugged, old.automatic)
      (port.arrival, port.wentWithServer) = (old.arrival, old.wentWithServer)
      (port.reportedLatency, port.isLimiting) = (old.reportedLatency, old.isLimiting)
      (port.duckLimit, port.isHardwareMuted) = (old.duckLimit, old.isHardwareMuted)
      (port.channelStrips, port.level, port.levelHolders) = (old.channelStrips, old.level, old.levelHolders)
      (port.alignmentGroup, port.alignment) = (old.alignmentGroup, old.alignment)
      if port.bridge == old.bridge {
        (port.bridgeCondition, port.bridgeFault) = (old.bridgeCondition, old.bridgeFault)
      }
      port.source = old.source.flatMap { chosen in port.sources.contains { $0.id == chosen } ? chosen : nil }
      if port.memberGlobs == old.memberGlobs, port.node == old.node {
        port.members = old.members
        port.channels = max(port.channels, old.channels)
      }
    }
    fitStrips(&port, direction)
    state[direction][port.id] = port
  }

  static func forget(
    _ state: inout RouterState, _ direction: Direction, _ id: PortID
  ) -> [Notification] {
    let wasAvailable = state[direction][id]?.isAvailable ?? false
    state[direction][id] = nil
    return wasAvailable ? [.port(direction, id, isAvailable: false)] : []
  }

  /// Takes what is there now. Of several that arrive together the first one named counts as the last in.
  static func present(
    _ state: inout RouterState, _ presences: [PortPresence], at time: Double
  ) -> [Notification] {
    var told: [Notification] = []
    for presence in presences.reversed() {
      guard var port = state[presence.direction][presence.port] else { continue }
      let wasAvailable = port.isAvailable
      port.members = presence.members
      port.channels = max(port.channels, presence.members.count)
      if port.isAvailable, !wasAvailable {
        if !port.wentWithServer || time > state.resetTime + returning {
          state.arrivals += 1
          port.arrival = state.arrivals
        }
        (port.wentWithServer, port.bridgeFault) = (false, nil)
      } else if !port.isAvailable, wasAvailable {
        port.wentWithServer = !state.server.isRunning
      }
      fitStrips(&port, presence.direction)
      state[presence.direction][presence.port] = port
      if port.isAvailable != wasAvailable {
        told.append(.port(presence.direction, presence.port, isAvailable: port.isAvailable))
      }
    }
    return told.reversed()
  }

  /// Takes what became of a port's bridge. What it failed of is told once, however often it is tried again.
  static func bridge(
    _ state: inout RouterState, _ direction: Direction, _ id: PortID, _ condition: BridgeCondition
  ) -> [Notification] {
    guard var port = state[direction][id], port.bridge != nil else { return [] }
    port.bridgeCondition = condition
    var told: [Notification] = []
    if case .failed(let reason, _) = condition, reason != port.bridgeFault {
      port.bridgeFault = reason
      told = [
        .error(
          client: 0, address: "/\(direction.rawValue)/\(id)/bridge", SessionError(.io, "\(id): \(reason)"))
      ]
    }
    state[direction][id] = port
    return told
  }

  /// Seconds that devices may take to come back behind the server that they went with; nobody plugged them in, so none counts as
  /// the last in.
  private static let returning = 10.0

  static func server(
    _ state: inout RouterState, _ server: ServerState, at time: Double
  ) -> [Notification] {
    let wasRunning = state.server.isRunning
    state.server = server
    if server.isRunning, !wasRunning { state.resetTime = time }
    return wasRunning == server.isRunning ? [] : [.media(isRunning: server.isRunning)]
  }

  private static func fitStrips(_ port: inout Port, _ direction: Direction) {
    guard direction == .input else { return }
    while port.channelStrips.count < port.channels { port.channelStrips.append(Port.ChannelStrip()) }
  }
}

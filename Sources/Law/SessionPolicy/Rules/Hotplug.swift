import SessionModel

/// Handles ports that appear and disappear, their bridges, and the audio server's stop and return. A port keeps its settings while
/// its device is away.
enum Hotplug {
  /// Adds a port, or redefines one that exists: that one keeps its settings, its JACK ports and its arrival number.
  static func declarePort(_ state: inout RouterState, _ direction: Direction, _ port: Port) {
    var port = port
    if let old = state[direction][port.id] {
      (port.gain, port.isMuted, port.delay, port.ceiling) = (old.gain, old.isMuted, old.delay, old.ceiling)
      (port.maximum, port.isPlugged, port.automatic) = (old.maximum, old.isPlugged, old.automatic)
      port.maximumTotal = old.maximumTotal
      (port.arrival, port.wentWithServer) = (old.arrival, old.wentWithServer)
      (port.reportedLatency, port.isLimiting) = (old.reportedLatency, old.isLimiting)
      port.desktopVolume = old.desktopVolume
      port.device = port.device ?? old.device
      (port.duckLimit, port.isHardwareMuted) = (old.duckLimit, old.isHardwareMuted)
      (port.channelStrips, port.level, port.levelHolders) = (old.channelStrips, old.level, old.levelHolders)
      (port.alignmentGroup, port.alignment) = (old.alignmentGroup, old.alignment)
      if port.bridge == old.bridge {
        (port.bridgeCondition, port.bridgeFault) = (old.bridgeCondition, old.bridgeFault)
      }
      port.echo = old.echo
      (port.section, port.inverted, port.trim, port.width) = (old.section, old.inverted, old.trim, old.width)
      port.insert = old.insert
      (port.meters, port.meterResets) = (old.meters, old.meterResets)
      func kept(_ chosen: String?) -> String? { port.sources.contains { $0.id == chosen } ? chosen : nil }
      (port.source, port.sourceOfMode) = (kept(old.source), kept(old.sourceOfMode))
      if port.memberGlobs == old.memberGlobs, port.node == old.node {
        (port.members, port.seenChannels) = (old.members, old.seenChannels)
        port.membersOfOthers = old.membersOfOthers
      }
    }
    fitStrips(&port, direction)
    state[direction][port.id] = port
  }

  static func forgetPort(
    _ state: inout RouterState, _ direction: Direction, _ id: PortID
  ) -> [Notification] {
    let wasAvailable = state[direction][id]?.isAvailable ?? false
    state[direction][id] = nil
    return wasAvailable ? [.port(direction, id, isAvailable: false)] : []
  }

  /// Updates which JACK ports each port has now. Of several ports that appear in one event the first in the list counts as the last
  /// one in.
  static func setPresence(
    _ state: inout RouterState, _ presences: [PortPresence], at time: Double
  ) -> [Notification] {
    var notifications: [Notification] = []
    for presence in presences.reversed() {
      guard var port = state[presence.direction][presence.port] else { continue }
      let wasAvailable = port.isAvailable
      (port.members, port.membersOfOthers) = (presence.members, presence.membersOfOthers)
      port.device = presence.device ?? port.device
      if port.isPresent {
        port.seenChannels = max(port.seenChannels, presence.members.count)
      } else {
        port.desktopVolume = nil
      }
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
        notifications.append(.port(presence.direction, presence.port, isAvailable: port.isAvailable))
      }
    }
    return notifications.reversed()
  }

  /// Updates what a port's bridge program does. The router starts a failed program again and again; the same reason for a failure is
  /// reported once.
  static func setBridge(
    _ state: inout RouterState, _ direction: Direction, _ id: PortID, _ condition: BridgeCondition
  ) -> [Notification] {
    guard var port = state[direction][id], port.bridge != nil else { return [] }
    port.bridgeCondition = condition
    var notifications: [Notification] = []
    if case .failed(let reason, _) = condition, reason != port.bridgeFault {
      port.bridgeFault = reason
      notifications = [
        .error(
          client: 0, address: "/\(direction.rawValue)/\(id)/bridge", SessionError(.io, "\(id): \(reason)"))
      ]
    }
    state[direction][id] = port
    return notifications
  }

  /// Seconds after the server's return within which its devices reappear. These devices keep their old arrival numbers, because
  /// the operator did not plug them in.
  private static let returning = 10.0

  static func setServer(
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

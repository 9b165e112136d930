public import SessionModel

/// Makes the world in which a session is heard offline (docs/develop/law/categories.md#6-offline-sound).
public enum Offline {
  /// The state in which a file of a session is processed: the session alone, with every port of the preset there, and with the ducks of
  /// the duckers that are active now.
  ///
  /// What silences loudspeakers alone does not count: panic, record sessions, absent devices, delays that line outputs up.
  /// - Parameters:
  ///   - rate: the file's sample rate in Hz.
  ///   - period: frames per period.
  /// - Throws: `SessionError` notFound without such a session, resourceNotAvailable if nothing of it would be heard; the sentence says why.
  public static func world(
    of id: SessionID, in state: RouterState, rate: Int, period: Int, at time: Double
  ) throws(SessionError) -> RouterState {
    guard let session = state.sessions[id] else {
      throw missing("session", id.name, among: state.sessions.keys)
    }
    var world = state
    (world.server.isRunning, world.server.isOffline) = (true, true)
    (world.server.rate, world.server.period) = (rate, period)
    world.isPanicking = false
    setPorts(&world, at: time)
    let before = world
    try world.withSession(id) { session in
      (session.isConnected, session.isVanishing, session.awaitedOutput) = (true, false, nil)
      session.route = Routing.route(of: session, among: AvailablePorts(before))
    }
    Ducking.apply(&world, since: before, (before.activity, before.activity), at: time)
    for other in world.sessions.keys where other != id { world.sessions[other] = nil }
    world.gatherActivity()
    guard let heard = world.sessions[id] else { return world }
    switch world.verdict(of: heard, world.activity) {
    case .heard, .ducked: return world
    case .interrupted, .silent:
      throw SessionError(
        .resourceNotAvailable,
        "nothing of \(session.id) would be heard in a file: \(world.why(heard, world.activity))")
    }
  }

  /// Makes every declared port present, in the order in which `render` does, so that the result does not depend on what is plugged in.
  private static func setPorts(_ world: inout RouterState, at time: Double) {
    for direction in [Direction.output, .input] {
      for id in world[direction].keys {
        world[direction][id]?.members = []
        world[direction][id]?.desktopVolume = nil
        world[direction][id]?.delay = Control(0)
        world[direction][id]?.alignment = 0
        if direction == .output { world[direction][id]?.insert = Insert() }
        world[direction][id]?.wentWithServer = false
      }
    }
    _ = Hotplug.setPresence(&world, world.allPorts, at: time)
  }
}

extension RouterState {
  /// All declared ports, each with all its channels.
  public var allPorts: [PortPresence] {
    [Direction.output, .input].flatMap { direction in
      self[direction].values.filter { $0.channels > 0 }.map { port in
        PortPresence(direction, port.id, members: (1...port.channels).map { "render:\(port.id)_\($0)" })
      }
    }
  }
}

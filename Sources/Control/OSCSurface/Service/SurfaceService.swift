public import ControlInterface
public import MixEngine
public import OSC
public import SessionModel

/// The OSC surface as a part of the program. It makes commands from packets, and publishes the router's changes to clients.
///
/// Everything but `entrance` runs on the policy thread. `@unchecked Sendable` is safe because the threads of transports use a
/// surface only to make commands for it.
public final class SurfaceService: ControlListener, @unchecked Sendable {
  var surface: Surface
  /// Sends early levels of faders; the threads of transports use it, too.
  let lane = FaderLane()
  /// Sends a packet to a client, without waiting.
  private let send: (Peer, OSCPacket) -> Void
  /// Reads the counters of the transports.
  private let counters: () -> [Statistic]
  private let reload: Reloader

  /// Takes a client's command to read the preset again, without waiting. Throws if nothing can be reloaded now.
  public typealias Reloader = @Sendable (Surface.Reload) throws(SessionError) -> Void

  /// - Parameter reload: the caller answers each accepted reload with `answer(_:_:)`.
  public init(
    _ surface: Surface, counters: @escaping () -> [Statistic] = { [] },
    reload: @escaping Reloader = SurfaceService.noReload,
    send: @escaping (Peer, OSCPacket) -> Void
  ) {
    (self.surface, self.counters, self.reload, self.send) = (surface, counters, reload, send)
  }

  /// Refuses every reload.
  public static let noReload: Reloader = { _ throws(SessionError) in
    throw SessionError(.notFound, "there is no file to reload: only `multiroute run` reads a preset again")
  }

  func send(_ outcome: Surface.Outcome) {
    for datagram in outcome.datagrams { send(datagram.peer, datagram.packet) }
    for command in outcome.reloads {
      do throws(SessionError) { try reload(command) } catch { answer([command], error) }
    }
  }

  /// Tells clients that the files are read again, or why nothing was changed.
  public func answer(_ reloads: [Surface.Reload], _ error: SessionError?) {
    for reload in reloads {
      if let message = reload.answer(error) { send(reload.peer, .message(message)) }
    }
  }

  /// An answer that waits for the audio thread.
  func pending(_ sync: Surface.Sync) -> PendingAnswer {
    PendingAnswer { [send] error in
      send(sync.peer, .message(error.map(sync.refused) ?? sync.message))
    }
  }

  /// Replaces the permissions of hosts.
  public func admit(_ admission: Admission) { surface.admit(admission) }

  /// The router's counters and those of the surface.
  func statistics(_ others: () -> [Statistic]) -> [Statistic] {
    others() + [Statistic("early", lane.count)] + counters()
  }

  /// The entrance for packets. Any thread may use it.
  public var entrance: SurfaceEntrance { SurfaceEntrance(lane: lane) }

  // MARK: ControlListener

  public func prepareForEvent() { lane.forget() }

  public func publish(_ change: Change) { send(surface.publish(change)) }

  public func measure(_ levels: MeterLevels) { surface.measure(levels) }

  public var needsMeters: Bool { surface.wantsMeters }

  public func nextDue(at time: Double) -> Double? { surface.nextDue(at: time) }

  public func advance(_ state: RouterState, at time: Double) { send(surface.advance(state, at: time)) }

  public func use(_ early: EarlySender?) { lane.use(early) }
}

/// The entrance of packets into the surface, used on the threads of transports.
public struct SurfaceEntrance: Sendable {
  let lane: FaderLane

  /// Notes a packet before it is decoded. The level of a known fader may go to the audio thread at once.
  ///
  /// For each call, either a `SurfaceCommand` must be finished or `drop` must be called.
  public func enter(_ bytes: Span<UInt8>, from peer: Peer) { lane.enter(bytes, from: peer) }

  /// Notes that a packet does not become a command.
  public func drop() { lane.leave() }
}

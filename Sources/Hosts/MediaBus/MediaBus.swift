import Synchronization
import Threads

/// The session bus of the desktop, where there is one: makes the router a media player (MPRIS), and controls the media players of
/// other programs.
///
/// Its thread `mr-bus` sleeps while nothing happens. Any thread may call it, and no call waits but `stop`.
public final class MediaBus: Sendable {
  private let mailbox: BusMailbox
  private let thread: Mutex<OwnThread?>

  /// Starts the thread, which looks for the bus.
  ///
  /// - Parameters:
  ///   - identity: the name that people see, and the last part of the name on the bus.
  ///   - address: of the bus, as D-Bus writes it; nil for the bus of this session.
  ///   - handler: gets what the desktop asks of our player. Called on the thread, so it must not wait.
  ///   - events: gets what happens on the bus. Called on the thread, so it must not wait.
  public init(
    identity: String = "multiroute", address: String? = nil,
    handler: @escaping @Sendable (RemoteRequest) -> Void,
    events: @escaping @Sendable (MediaBusEvent) -> Void
  ) {
    let mailbox = BusMailbox()
    self.mailbox = mailbox
    thread = Mutex(
      OwnThread("mr-bus") {
        BusWorker(identity: identity, mailbox: mailbox, handler: handler, events: events).run(address)
      })
  }

  deinit { stop() }

  /// Leaves the bus, after what was asked of other players. Waits for the thread, which does not wait for the bus. Nothing is called afterwards.
  /// Calling it again has no effect. `handler` and `events` must not call it.
  public func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    mailbox.stop()
    thread.join()
  }

  // MARK: Our player

  /// Tells the desktop what our now-playing player does; nil if there is none. Call it whenever something has changed, also the place by a
  /// jump, but not because time passes. Only differences are sent, at most twenty times a second.
  public func publish(_ now: NowPlaying?) { mailbox.publish(now) }

  // MARK: Players of other programs

  /// Sends a verb to the other player that played last, if there is one.
  public func control(_ verb: DesktopVerb) { mailbox.add(.control(verb)) }

  /// Pauses the other player that played last, if it plays.
  public func pauseForeign() { mailbox.add(.pause) }

  /// Resumes what `pauseForeign` has paused, unless somebody has resumed or stopped it since.
  public func resumeForeign() { mailbox.add(.resume) }
}

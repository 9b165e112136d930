import SystemCalls
import Threads

/// The work of the thread `mr-bus`: connects, serves, and connects again after a loss.
struct BusWorker {
  var identity: String
  var mailbox: BusMailbox
  var handler: @Sendable (RemoteRequest) -> Void
  var events: @Sendable (MediaBusEvent) -> Void

  /// Seconds between two attempts to connect: after the first one, and at most. Each pause is twice as long as the last.
  private static let pauses = 0.1...60
  /// Messages that are handled before orders are looked at.
  private static let batch = 64

  /// The address of the session's bus; nil if there is none.
  ///
  /// - Parameter variable: tells the variables of the environment.
  static func sessionAddress(_ variable: (String) -> String?) -> String? {
    if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    guard let folder = variable("XDG_RUNTIME_DIR") else { return nil }
    return System.access("\(folder)/bus", .write) ? "unix:path=\(folder)/bus" : nil
  }

  /// Works until the mailbox says stop. Ends at once on a machine without a bus.
  func run(_ given: String?) {
    let loss = "the desktop and headset keys do not reach multiroute"
    guard let address = given ?? Self.sessionAddress(System.getenv) else {
      return events(
        .absent("there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set): \(loss)"))
    }
    guard let calls = SystemdCalls.loaded else {
      return events(.absent("libsystemd is not installed: \(loss)"))
    }
    var (pause, isTold) = (Self.pauses.lowerBound, false)
    while true {
      let start = MonotonicTime.now
      do throws(Loss) {
        return try serve(address, calls)
      } catch {
        if error.wasConnected { isTold = false }
        // A bus that ends each connection at once is left alone for longer and longer.
        if MonotonicTime.now - start > pause { pause = Self.pauses.lowerBound }
        if !isTold {
          events(.absent("the session bus cannot be reached (\(error.reason)): \(loss) until it can"))
        }
        isTold = true
      }
      if isStopped(within: pause) { return }
      pause = min(2 * pause, Self.pauses.upperBound)
    }
  }

  /// Why a connection ended.
  private struct Loss: Error {
    var reason: String
    /// Whether we had our name on the bus.
    var wasConnected = false
  }

  /// Waits; true at once when the mailbox says stop. What is ordered meanwhile concerns players that we do not know.
  private func isStopped(within seconds: Double) -> Bool {
    let end = MonotonicTime.now + seconds
    while !mailbox.take().isStopping {
      let rest = ((end - MonotonicTime.now) * 1_000).rounded(.up)
      guard rest > 0 else { return false }
      _ = try? System.poll(mailbox.bell, milliseconds: Int32(rest))
    }
    return true
  }

  /// Serves one connection until the mailbox says stop.
  private func serve(_ address: String, _ calls: SystemdCalls) throws(Loss) {
    let connection: BusConnection
    do throws(SystemError) { connection = try BusConnection(address, calls) } catch {
      throw Loss(reason: error.description)
    }
    let session = BusSession(
      connection, identity: identity, now: mailbox.take().now, handler: handler, events: events)
    do throws(SystemError) {
      while true {
        let orders = mailbox.take()
        session.perform(orders)
        if orders.isStopping { return }
        let isIdle = try receive(connection, session)
        let due = [session.announce(at: MonotonicTime.now), isIdle ? connection.due : 0].compactMap(\.self)
          .min()
        try wait(connection, until: due)
      }
    } catch {
      session.lose()
      throw Loss(reason: error.reason, wasConnected: session.name != nil)
    }
  }

  /// Handles the messages that have come.
  ///
  /// - Returns: false if there are more.
  private func receive(_ connection: BusConnection, _ session: BusSession) throws(SystemError) -> Bool {
    for _ in 0..<Self.batch {
      switch try connection.receive() {
      case .message(let message):
        // Its sender may know of an order that has come since the last look.
        session.perform(mailbox.takeWithoutBell())
        session.receive(message, at: MonotonicTime.now)
      case .step: break
      case .nothing: return true
      }
    }
    return false
  }

  /// Waits for the bus, for orders or for a time of the monotonic clock.
  private func wait(_ connection: BusConnection, until due: Double?) throws(SystemError) {
    guard let awaited = connection.awaited else { throw SystemError("sd_bus_get_events", .brokenPipe) }
    let rest = due.map { Int32(max(0, min(($0 - MonotonicTime.now) * 1_000, 1e9)).rounded(.up)) }
    _ = try System.poll([awaited, (mailbox.bell, .readable)], milliseconds: rest ?? -1)
  }
}

import Synchronization
import SystemCalls

/// What other threads want of the bus's thread. None of them waits.
final class BusMailbox: Sendable {
  /// What to do with players of other programs.
  enum Command: Equatable, Sendable {
    case control(DesktopVerb)
    case pause
    case resume
  }

  struct Orders: Sendable {
    var now: NowPlaying?
    var commands: [Command] = []
    var isStopping = false
  }

  /// More commands than anyone gives before the thread, which never waits, has taken them.
  private static let mostCommands = 64

  private let orders = Mutex(Orders())
  /// A counter that is readable when there are new orders.
  let bell: Int32

  init() {
    do throws(SystemError) { bell = try System.eventfd() } catch {
      preconditionFailure("no descriptors are left: \(error)")
    }
  }

  deinit { System.close(bell) }

  // MARK: Any thread

  /// The newest value replaces one that has not been taken.
  func publish(_ now: NowPlaying?) { give { $0.now = now } }

  func add(_ command: Command) {
    give { if $0.commands.count < Self.mostCommands { $0.commands.append(command) } }
  }

  func stop() { give { $0.isStopping = true } }

  private func give(_ change: (inout Orders) -> Void) {
    orders.withLock { change(&$0) }
    System.eventfd_write(bell)
  }

  // MARK: The thread

  var isStopping: Bool { orders.withLock { $0.isStopping } }

  /// All orders. The commands are taken, the rest stays.
  func take() -> Orders {
    System.eventfd_read(bell)
    return takeWithoutBell()
  }

  /// The same, but the bell stays readable, so that the thread takes the orders once more before it waits.
  func takeWithoutBell() -> Orders {
    orders.withLock { orders in
      defer { orders.commands = [] }
      return orders
    }
  }
}

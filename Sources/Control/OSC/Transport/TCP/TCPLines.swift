import Synchronization
import SystemCalls

/// What the thread of TCP and the threads that send have in common.
final class TCPLines: Sendable {
  let outbox: Mutex<TCPOutbox>
  /// Watches the bell, the listeners and the connections.
  let epoll: Int32
  /// Ends the thread.
  private let bell: Int32

  /// The key of the bell. Those of the listeners follow, and then the numbers of connections.
  static let bellKey: UInt64 = 0
  /// The first number of a connection. A program has fewer listeners.
  static let firstNumber: UInt32 = 1_000

  init() throws(SystemError) {
    let epoll = try System.epoll_create1()
    do throws(SystemError) {
      bell = try System.eventfd()
      try System.epoll_ctl(epoll, watch: bell, for: .readable, key: Self.bellKey)
    } catch {
      System.close(epoll)
      throw error
    }
    self.epoll = epoll
    outbox = Mutex(TCPOutbox(epoll: epoll))
  }

  deinit {
    outbox.withLock { $0.closeAll() }
    System.close(epoll)
    System.close(bell)
  }

  /// Lets the thread end.
  func ring() { System.eventfd_write(bell) }
}

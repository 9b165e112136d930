import SystemCalls
import Threads

/// The socket at which libjack's notification thread reads the notices of jackd for one client.
struct NotificationSocket {
  /// The beginning of the last part of the socket's path; numbers follow (`BuildName`, JackSocket.cpp).
  private let prefix: String

  /// - Parameter client: the name that the server gave the client.
  init(client: String) {
    prefix = "jack_\(String(client.map { $0 == "/" || $0 == "\\" ? "_" : $0 }))_"
  }

  /// Ends the notification thread's reading, and waits until the thread has left the last notice. For a server that has announced its
  /// end: from here on libjack makes no call to the server.
  ///
  /// `jack_client_close` cancels the thread wherever it is. While the thread handles a notice it holds a lock of libjack
  /// (`JackLibClient::ClientNotifyImp`), which would stay locked: that call and all later ones would then wait without end. A server that
  /// ends announces that first and then the end of each of its clients, so many notices follow. The thread closes the socket when its
  /// reading fails, and from then on it holds no lock.
  func endReading() {
    for descriptor in descriptors { System.shutdown(descriptor, .both) }
    let end = MonotonicTime.now + Self.patience
    while !descriptors.isEmpty, MonotonicTime.now < end { System.sleep(seconds: 0.000_5) }
  }

  /// Seconds. Only a thread that hangs in a callback takes so long, and a callback of ours never does.
  private static let patience = 2.0

  private var descriptors: [Int32] {
    ((try? System.readdir("/proc/self/fd")) ?? []).compactMap(Int32.init).filter { descriptor in
      guard case .unix(let path)? = try? System.getsockname(descriptor),
        let name = path.split(separator: "/").last, name.hasPrefix(prefix)
      else { return false }
      return name.dropFirst(prefix.count).allSatisfy { $0.isNumber || $0 == "_" }
    }
  }
}

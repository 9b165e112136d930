import Chance
import Foundation
import Synchronization

/// A network between one client and a router that loses, repeats, delays and reorders packets, as Wi-Fi does.
final class LossyProxy: @unchecked Sendable {
  /// What the network does with a packet. Of a hundred packets, so many are lost, repeated, and delayed beyond others.
  struct Weather {
    var (lost, repeated, late) = (10, 5, 20)
    /// Milliseconds of an ordinary packet, and of one that others overtake.
    var (delay, lateness) = (1.0...4.0, 5.0...60.0)
  }

  /// What the network has done.
  struct Counts {
    var (passed, lost, repeated) = (0, 0, 0)
  }

  private struct Packet {
    var due: Double
    var bytes: [UInt8]
    var isForRouter: Bool
  }

  /// The port to which the client sends.
  let port: UInt16
  // The descriptors are used by the thread until `deinit`; all else belongs to the thread.
  private let (front, back): (Int32, Int32)
  private let counted = Mutex(Counts())
  private let isEnding = Atomic(false)
  private let end = DispatchSemaphore(value: 0)

  /// - Parameter seed: of the choices.
  init(to router: UInt16, seed: UInt64, _ weather: Weather = Weather()) throws {
    let kind = Int32(SOCK_DGRAM.rawValue)
    let (front, back) = (socket(AF_INET, kind, 0), socket(AF_INET, kind, 0))
    var (own, far) = (Self.address(0), Self.address(router))
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var length = size
    let isReady = withUnsafeMutablePointer(to: &own) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
        bind(front, own, size) == 0 && getsockname(front, own, &length) == 0
      }
    }
    let isConnected = withUnsafeMutablePointer(to: &far) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(back, $0, size) == 0 }
    }
    guard isReady, isConnected else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    (self.front, self.back, port) = (front, back, UInt16(bigEndian: own.sin_port))
    Thread.detachNewThread { [self] in
      carry(weather, SeededGenerator(seed: seed))
      end.signal()
    }
  }

  /// Ends the network. Packets under way are lost.
  func finish() -> Counts {
    isEnding.store(true, ordering: .relaxed)
    end.wait()
    close(front)
    close(back)
    return counted.withLock { $0 }
  }

  private func carry(_ weather: Weather, _ seeded: SeededGenerator) {
    var (chance, waiting, client) = (seeded, [Packet](), sockaddr_in())
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while !isEnding.load(ordering: .relaxed) {
      var sockets = [
        pollfd(fd: front, events: Int16(POLLIN), revents: 0),
        pollfd(fd: back, events: Int16(POLLIN), revents: 0),
      ]
      poll(&sockets, 2, waiting.isEmpty ? 20 : 1)
      for isForRouter in [true, false] where sockets[isForRouter ? 0 : 1].revents != 0 {
        let size =
          isForRouter
          ? receive(&bytes, from: &client) : recv(back, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        guard size > 0 else { continue }
        let packet = Array(bytes[..<size])
        for due in times(weather, &chance) {
          waiting.append(Packet(due: due, bytes: packet, isForRouter: isForRouter))
        }
      }
      let now = Self.now
      for packet in waiting.filter({ $0.due <= now }).sorted(by: { $0.due < $1.due }) {
        deliver(packet, client)
      }
      waiting.removeAll { $0.due <= now }
    }
  }

  /// When a packet arrives: never, once or twice.
  private func times(_ weather: Weather, _ chance: inout SeededGenerator) -> [Double] {
    func draw(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &chance) < percent }
    func time() -> Double {
      Self.now + Double.random(in: draw(weather.late) ? weather.lateness : weather.delay, using: &chance)
        / 1_000
    }
    let (isLost, isRepeated) = (draw(weather.lost), draw(weather.repeated))
    counted.withLock { counts in
      if isLost { counts.lost += 1 } else { counts.passed += 1 }
      if isRepeated, !isLost { counts.repeated += 1 }
    }
    return isLost ? [] : isRepeated ? [time(), time()] : [time()]
  }

  private func receive(_ bytes: inout [UInt8], from client: inout sockaddr_in) -> Int {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &client) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(front, &bytes, bytes.count, Int32(MSG_DONTWAIT), $0, &length)
      }
    }
  }

  private func deliver(_ packet: Packet, _ client: sockaddr_in) {
    guard !packet.isForRouter else {
      send(back, packet.bytes, packet.bytes.count, 0)
      return
    }
    var client = client
    withUnsafeMutablePointer(to: &client) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(front, packet.bytes, packet.bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Seconds since the start of the machine.
  private static var now: Double { ProcessInfo.processInfo.systemUptime }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}

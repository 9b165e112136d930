import Foundation
import OSC
import Synchronization

/// Another client, which sends a ping every few milliseconds and measures how long each answer takes.
final class Pinger: Sendable {
  /// The waits since the last look.
  struct Waits: Sendable {
    /// Seconds of each answered ping, in the order of the answers.
    private(set) var seconds: [Double] = []
    /// Pings that got no answer within `patience`.
    private(set) var lost = 0

    /// The longest wait in seconds; a lost ping counts as one of `patience`.
    var longest: Double { lost > 0 ? Pinger.patience : seconds.max() ?? 0 }

    /// The longest wait but for the longest hundredth: a machine that runs other things may be late itself.
    var usual: Double {
      let sorted = (seconds + Array(repeating: Pinger.patience, count: lost)).sorted()
      return sorted.isEmpty ? 0 : sorted[sorted.count * 99 / 100]
    }

    fileprivate mutating func add(_ wait: Double?) {
      if let wait { seconds.append(wait) } else { lost += 1 }
    }
  }

  /// Seconds until a ping counts as lost, and between an answer and the next ping.
  private static let (patience, pause) = (5.0, 0.005)

  private let client: Mutex<OSCClient>
  private let waits = Mutex(Waits())
  private let isEnding = Atomic(false)
  private let end = DispatchSemaphore(value: 0)

  /// Begins to ping a router.
  init(port: UInt16) throws {
    client = Mutex(try OSCClient(port: port))
    Thread.detachNewThread { [self] in
      var number: Int32 = 0
      while !isEnding.load(ordering: .relaxed) {
        number += 1
        let wait = ping(number)
        waits.withLock { $0.add(wait) }
        Thread.sleep(forTimeInterval: Self.pause)
      }
      end.signal()
    }
  }

  /// Pings another router from now on. A ping that waits counts until the new router answers.
  func follow(_ port: UInt16) throws {
    let next = try OSCClient(port: port)
    client.withLock { $0 = next }
  }

  /// Returns the waits since the last call.
  func take() -> Waits {
    waits.withLock { waits in
      defer { waits = Waits() }
      return waits
    }
  }

  /// Sends no further ping, and returns the waits since the last look.
  func finish() -> Waits {
    isEnding.store(true, ordering: .relaxed)
    end.wait()
    return take()
  }

  /// The seconds until an answer; nil if none came.
  private func ping(_ number: Int32) -> Double? {
    let start = ContinuousClock.now
    var asked: OSCClient?
    while start.secondsSince < Self.patience {
      let client = client.withLock(\.self)
      // A router that was killed never answers, so the ping goes to the next one. While no program is there, the system refuses it, and
      // the error comes with the next call.
      if client !== asked {
        guard (try? client.send(OSCMessage("/ping", .int32(number)))) != nil else {
          Thread.sleep(forTimeInterval: Self.pause)
          continue
        }
        asked = client
      }
      guard let packet = try? client.receive(timeout: .milliseconds(20)) else { continue }
      if packet.messages.contains(where: { $0.arguments == [.int32(number)] }) { return start.secondsSince }
    }
    return nil
  }
}

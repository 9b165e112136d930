import ControlInterface
import Numbers
import OSC
import SessionModel

/// The bundles with a time in the future, of clients that asked for it (`/client/timetags honour`).
struct ScheduledBundles: Sendable {
  /// In order of time; of one time, in the order in which they came.
  private var entries: [Entry] = []

  private struct Entry: Sendable {
    let part: TimedPart
    let peer: Peer
  }

  /// Seconds that a bundle may be ahead.
  static let horizon = 60.0
  /// The number of bundles of one client that may wait.
  static let capacity = 64

  /// When the next bundle is due; nil if none waits.
  var nextDue: Double? { entries.first?.part.time }

  /// Checks that bundles may wait.
  /// - Throws: `SessionError` tooFar or full.
  func check(_ parts: [TimedPart], of peer: Peer, at time: Double) throws(SessionError) {
    if let last = parts.last, last.time > time + Self.horizon {
      throw SessionError(
        .tooFar,
        "the bundle is \((last.time - time).text(.upTo(1))) s ahead, by this machine's clock; at most \(Int(Self.horizon)) s are allowed"
      )
    }
    guard entries.count(where: { $0.peer == peer }) + parts.count <= Self.capacity else {
      throw SessionError(
        .full, "\(Self.capacity) bundles of this client wait for their time, the greatest number allowed")
    }
  }

  /// Adds bundles that `check` has accepted.
  mutating func add(_ parts: [TimedPart], of peer: Peer) {
    for part in parts {
      let place = entries.firstIndex { $0.part.time > part.time } ?? entries.endIndex
      entries.insert(Entry(part: part, peer: peer), at: place)
    }
  }

  /// Takes the bundles that are due.
  mutating func take(at time: Double) -> [(packet: OSCPacket, peer: Peer)] {
    let due = entries.prefix { $0.part.time <= time }
    entries.removeFirst(due.count)
    return due.map { (.bundle(OSCBundle($0.part.messages.map(OSCPacket.message))), $0.peer) }
  }

  /// Drops the bundles of a client that left.
  mutating func forget(_ peer: Peer) { entries.removeAll { $0.peer == peer } }
}

/// Messages of a bundle that take effect at one time, of the router's clock.
struct TimedPart: Sendable {
  let time: Double
  var messages: [OSCMessage]
}

extension OSCBundle {
  /// The messages that take effect at once, and those of the bundles with a later time, in the order of their times.
  ///
  /// - Parameters:
  ///   - present: the router's time.
  ///   - secondsUntil: seconds from now to a timetag.
  func parts(
    at present: Double, _ secondsUntil: (OSCTimetag) -> Double
  ) -> (now: [OSCMessage], later: [TimedPart]) {
    var parts: [TimedPart] = []
    collect({ $0.isImmediate ? -.infinity : present + secondsUntil($0) }, &parts)
    // Bundles of one time keep their order.
    let sorted = parts.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    let now = sorted.prefix { $0.time <= present }
    return (now.flatMap(\.messages), Array(sorted.dropFirst(now.count)))
  }

  private func collect(_ routerTime: (OSCTimetag) -> Double, _ parts: inout [TimedPart]) {
    let time = routerTime(timetag)
    for element in elements {
      switch element {
      case .bundle(let inner): inner.collect(routerTime, &parts)
      case .message, .encoded:
        guard let message = element.messages.first else { continue }
        if parts.last?.time == time {
          parts[parts.count - 1].messages.append(message)
        } else {
          parts.append(TimedPart(time: time, messages: [message]))
        }
      }
    }
  }
}

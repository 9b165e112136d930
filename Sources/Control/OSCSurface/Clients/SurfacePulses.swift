import ControlInterface
import Parameters

/// Notices clients that greeted regularly and then fell silent: a tablet without power or Wi-Fi, an app that has crashed.
///
/// A greeting is `/ping`, `/hello` or `/subscribe`, which surfaces send by a timer. A client that sends only what a hand does is never
/// regular, and one that says `/bye` or closes its connection is expected no more. It has no clock of its own.
struct SurfacePulses: Sendable {
  private struct Pulse {
    /// The name that the client gave itself; empty for none.
    var name: String
    /// The client in words.
    var words: String
    /// The last greeting, and the seconds between the last few.
    var lastGreeting: Double
    var gaps: [Double] = []
    var lastHeard: Double

    /// The longest time between two of the last greetings; nil while they are too few or too irregular. One may have been lost.
    var interval: Double? {
      guard gaps.count == SurfacePulses.fewest, let longest = gaps.max(), let shortest = gaps.min() else {
        return nil
      }
      return longest <= 2.5 * shortest ? longest : nil
    }

    func isSilent(at time: Double) -> Bool {
      guard let interval else { return false }
      return time - lastHeard > max(SurfacePulses.patience, 3 * interval)
    }
  }

  private var pulses: [Peer: Pulse] = [:]

  /// Gaps that make a client regular.
  private static let fewest = 4
  /// Greetings of one moment count once, as `/hello` and the `/subscribe`s behind it.
  private static let moment = 0.2
  /// Seconds of silence that are no silence yet, whatever the interval.
  private static let patience = 5.0
  /// Seconds after which a silent client is expected no more.
  private static let memory = 600.0
  /// Greatest number of clients, those of the registry and those that it has lost.
  private static let capacity = 128

  static func isGreeting(_ command: Command) -> Bool {
    switch command {
    case .ping, .hello, .subscribe: true
    default: false
    }
  }

  mutating func hear(_ peer: Peer, at time: Double) { pulses[peer]?.lastHeard = time }

  /// Notes a greeting of a registered client.
  /// - Parameters:
  ///   - name: the name that the client gave itself, or the configuration gave it; empty for none.
  ///   - words: the client in words.
  mutating func greet(_ peer: Peer, name: String, words: String, at time: Double) {
    guard var pulse = pulses[peer] else {
      // An app that was started anew has another port.
      if !name.isEmpty {
        pulses = pulses.filter {
          $0.key.host != peer.host || $0.value.name != name || !$0.value.isSilent(at: time)
        }
      }
      pulses = pulses.filter { time - $0.value.lastHeard < Self.memory }
      guard pulses.count < Self.capacity else { return }
      pulses[peer] = Pulse(name: name, words: words, lastGreeting: time, lastHeard: time)
      return
    }
    let gap = time - pulse.lastGreeting
    guard gap >= Self.moment else { return }
    pulse.gaps = pulse.gaps.suffix(Self.fewest - 1) + [gap]
    (pulse.lastGreeting, pulse.name, pulse.words) = (time, name, words)
    pulses[peer] = pulse
  }

  /// Forgets a client that said goodbye.
  mutating func forget(_ peer: Peer) { pulses[peer] = nil }

  /// The silent clients in words, in the order of the alphabet.
  func silent(at time: Double) -> [String] {
    pulses.values.filter { $0.isSilent(at: time) && time - $0.lastHeard < Self.memory }.map(\.words).sorted()
  }
}

import SessionModel
import Surface

/// Tells when a session's programs begin and cease to sound, from the peaks before its faders.
struct SoundWatch {
  private var heard: [SessionID: Heard] = [:]

  private struct Heard {
    /// When there was sound, and when it was above the session's threshold; nil for long ago.
    var sounded: Double?
    var signalled: Double?
    var isEmpty: Bool { sounded == nil && signalled == nil }
  }

  /// -80 dBFS as amplitude: what is above it is sound (osc contract, `/session/<s>/io`).
  static let silence: Float = 1e-4
  /// Seconds without sound after which a session no longer sounds.
  static let pause = 1.0

  /// Takes the peaks of the last few milliseconds; without any, time alone.
  /// - Returns: what the policy must be told, at most two events for a session.
  mutating func note(_ levels: MeterLevels, in state: RouterState, at time: Double) -> [Event] {
    var events: [Event] = []
    for (id, streams) in levels.streams {
      guard let peak = streams.values.lazy.compactMap({ $0.max() }).max(), peak > Self.silence,
        let session = state.sessions[id]
      else { continue }
      var entry = heard[id] ?? Heard()
      entry.sounded = time
      if session.activation == .signal, peak > Decibels(session.signalThreshold.target).amplitude {
        entry.signalled = time
        if !session.isSignalling { events.append(.signal(id, true)) }
      }
      heard[id] = entry
      if !session.isSounding { events.append(.sounding(id, true)) }
    }
    return events + expire(in: state, at: time)
  }

  /// Finds those that have been quiet for long enough.
  private mutating func expire(in state: RouterState, at time: Double) -> [Event] {
    var events: [Event] = []
    for (id, var entry) in heard {
      guard let session = state.sessions[id] else {
        heard[id] = nil
        continue
      }
      if let last = entry.sounded, time - last >= Self.pause {
        entry.sounded = nil
        if session.isSounding { events.append(.sounding(id, false)) }
      }
      // A session that no longer starts by its signal has none.
      if let last = entry.signalled,
        time - last >= session.signalHold.target || session.activation != .signal
      {
        entry.signalled = nil
        if session.isSignalling { events.append(.signal(id, false)) }
      }
      heard[id] = entry.isEmpty ? nil : entry
    }
    return events
  }
}

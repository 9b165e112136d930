import ControlInterface
import SessionModel

/// Tells when sessions begin and cease to sound, and which connected sessions and which of their streams are silent, from the peaks before their
/// faders.
struct SoundWatch {
  private var heard: [SessionID: Heard] = [:]
  /// When each connected session connected, in seconds.
  private var connected: [SessionID: Double] = [:]
  /// When each stream of a connected session with several streams sounded last or was first seen, in seconds.
  private var streams: [StreamAddress: Double] = [:]

  /// Since when nothing was noted because nothing that is heard counts; nil while it counts.
  private var pausedAt: Double?

  private struct Heard {
    /// Times of the last sound, and of the last sound above the session's signal threshold; nil once either has ended.
    var sounded: Double?
    var signalled: Double?
    var isEmpty: Bool { sounded == nil && signalled == nil }
  }

  /// -80 dBFS as amplitude. A greater peak is sound (docs/develop/law/principles.md#2-playing).
  static let silence: Float = 1e-4
  /// Seconds without sound after which a session no longer sounds.
  static let pause = 1.0

  /// Notes the peaks of the last few milliseconds. Call it even without peaks, because a sound ends when time passes.
  /// - Parameter live: the streams to which programs are connected.
  /// - Returns: events for the law, at most three for each session and one for each stream.
  mutating func note(
    _ levels: MeterLevels, connected live: Set<StreamAddress> = [], in state: RouterState, at time: Double
  ) -> [Event] {
    goOn(at: time)
    var events: [Event] = []
    // The hold of a signal from before a restart begins now.
    state.sessions.forEachValue { session in
      guard session.isSignalling, heard[session.id]?.signalled == nil else { return }
      heard[session.id, default: Heard()].signalled = time
    }
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
    return events + expire(in: state, at: time) + followQuiet(in: state, at: time)
      + followStreams(levels, live, in: state, at: time)
  }

  /// Stops the clock until the next note.
  mutating func pause(at time: Double) { pausedAt = pausedAt ?? time }

  private mutating func goOn(at time: Double) {
    guard let start = pausedAt else { return }
    pausedAt = nil
    let seconds = time - start
    heard = heard.mapValues { entry in
      Heard(sounded: entry.sounded.map { $0 + seconds }, signalled: entry.signalled.map { $0 + seconds })
    }
    connected = connected.mapValues { $0 + seconds }
    streams = streams.mapValues { $0 + seconds }
  }

  /// Tells which connected sessions have been silent for long enough. A session that has just connected gets that time to begin.
  private mutating func followQuiet(in state: RouterState, at time: Double) -> [Event] {
    var events: [Event] = []
    connected = connected.filter { state.sessions[$0.key]?.isConnected == true }
    for session in state.sessions.values where session.isConnected {
      let since = connected[session.id] ?? time
      connected[session.id] = since
      let isQuiet = heard[session.id]?.sounded == nil && time - since >= Self.pause
      if isQuiet != session.isQuiet { events.append(.quiet(session.id, isQuiet)) }
    }
    return events
  }

  /// Tells which streams of connected sessions have been silent for long enough. The only stream of a session is as silent as the session.
  private mutating func followStreams(
    _ levels: MeterLevels, _ live: Set<StreamAddress>, in state: RouterState, at time: Double
  ) -> [Event] {
    var (events, known) = ([Event](), [StreamAddress: Double]())
    for session in state.sessions.values where session.isConnected && session.streams.count > 1 {
      session.streams.forEachValue { stream in
        let address = StreamAddress(session: session.id, stream: stream.id)
        let isHeard = levels.streams[session.id]?[stream.id]?.contains { $0 > Self.silence } == true
        let since = isHeard ? time : streams[address] ?? time
        known[address] = since
        let silence: StreamSilence? =
          time - since < Self.pause
          ? nil : live.contains(address) || session.runningPlayers > 0 ? .quiet : .unconnected
        if silence != stream.silence { events.append(.streamSilence(session.id, stream.id, silence)) }
      }
    }
    streams = known
    return events
  }

  /// Ends the sounds and signals of sessions that have been silent for long enough.
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
      // Only a session that its signal activates has a signal.
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

import SessionModel

/// Bounds what all gains together may amplify on the way from a source to an output (docs/develop/law/ports.md#7-total-maximum).
///
/// A level on its way counts as the higher of its present and its final value, so that no moment of a fade exceeds the maximum.
enum TotalMaxima {
  /// Refuses a command that raises the sum of the gains on a path beyond the maximum of its output.
  static func check(
    _ state: RouterState, after event: Event, since former: RouterState, at time: Double
  ) throws(SessionError) {
    guard state.hasTotalMaxima else { return }
    for path in state.paths(of: event.onlySession(in: state)) {
      let (sum, limit) = (state.sum(path, at: time), state.totalMaximum(of: path))
      guard sum.total > limit + tolerance, sum.total > former.sum(path, at: time).total else { continue }
      throw SessionError(
        .outOfRange,
        "\(path.name) would reach \(path.output) with \(Decibels.text(sum.total)) in all (\(sum.text)), "
          + "more than the \(Decibels.text(limit)) of /output/\(path.output)/maxTotal; nothing changed")
    }
  }

  /// Lowers the gain of each send that a recall, a new route or a lower maximum has made too high. A session whose route the policy
  /// chooses has no sends, so its own gain is lowered.
  /// - Returns: an error for each lowered gain, as a report.
  static func apply(_ state: inout RouterState, at time: Double) -> [Notification] {
    guard state.hasTotalMaxima, !state.isRecalling else { return [] }
    var notifications: [Notification] = []
    for path in state.paths(of: nil) {
      let (sum, limit) = (state.sum(path, at: time), state.totalMaximum(of: path))
      let excess = sum.total - limit
      guard excess > tolerance else { continue }
      let gain = state.lower(path, by: excess, at: time)
      notifications.append(
        .error(
          client: 0, address: gain.address,
          SessionError(
            .outOfRange,
            "\(path.name) would reach \(path.output) with \(Decibels.text(sum.total)) in all (\(sum.text)); "
              + "\(gain.address) comes down to \(Decibels.text(gain.level)), because /output/\(path.output)/maxTotal "
              + "is \(Decibels.text(limit))")))
    }
    return notifications
  }

  /// dB. Sums of exact levels may differ by rounding.
  private static let tolerance = 1e-6
}

/// The way of one stream to one output.
private struct SoundPath {
  let session: SessionID
  let stream: StreamID
  let output: PortID

  var name: String { "\(session).\(stream)" }
}

/// The gains of a path in dB.
private struct GainSum {
  private(set) var parts: [(name: String, level: Double)] = []
  /// Minus infinity if one of the gains is off.
  var total: Double { parts.reduce(0) { $0 + ($1.level > Decibels.floor ? $1.level : -.infinity) } }
  /// The gains that change the level, such as `input mic 10.0 dB, session 4.0 dB`.
  var text: String {
    parts.filter { $0.level != 0 }.map { "\($0.name) \(Decibels.text($0.level))" }.joined(separator: ", ")
  }

  mutating func add(_ name: String, _ level: Double) { parts.append((name, level)) }
}

extension RouterState {
  fileprivate func totalMaximum(of path: SoundPath) -> Double {
    outputs[path.output]?.maximumTotal ?? .infinity
  }

  /// The paths to outputs that have a maximum; of one session, or of all.
  fileprivate func paths(of only: SessionID?) -> [SoundPath] {
    let limited = outputs.values.filter { $0.maximumTotal.isFinite }.map(\.id)
    var paths: [SoundPath] = []
    for session in sessions.values where only == nil || session.id == only {
      for stream in session.streams.values {
        for output in limited {
          let isPath =
            session.category == .multiRoute
            ? stream.destinations[output]?.isOn == true : session.route.outputs.contains(output)
          if isPath { paths.append(SoundPath(session: session.id, stream: stream.id, output: output)) }
        }
      }
    }
    return paths
  }

  fileprivate func sum(_ path: SoundPath, at time: Double) -> GainSum {
    var sum = GainSum()
    guard let session = sessions[path.session], let stream = session.streams[path.stream] else { return sum }
    let destination = session.category == .multiRoute ? stream.destinations[path.output] : nil
    if let source = loudestSource(of: stream, in: session.id, at: time) {
      sum.add(source.name, source.level)
    }
    if (destination?.tap ?? .post) == .post {
      sum.add("stream", stream.gain.highest(at: time))
      sum.add("session", session.gain.highest(at: time))
      sum.add("width", stream.width.highestOfWidth(at: time))
      if !groups.isEmpty {
        sum.add("groups of the stream", highestGroupGain(of: .stream(session.id, stream.id), at: time))
        // A session's own maximum bounds its gain and that of its groups.
        let most = session.maximum - session.gain.highest(at: time)
        sum.add("groups of the session", min(most, highestGroupGain(of: .session(session.id), at: time)))
      }
    }
    if let destination { sum.add("send", destination.gain.highest(at: time)) }
    if let output = outputs[path.output] {
      sum.add("output", output.gain.highest(at: time))
      // What both channels have in common becomes so much louder.
      if output.gainOfMono > 0 { sum.add("mono", output.gainOfMono) }
      if !groups.isEmpty {
        let most = output.maximum - output.gain.highest(at: time)
        sum.add("groups of the output", min(most, highestGroupGain(of: .output(output.id), at: time)))
      }
    }
    return sum
  }

  /// The input channel or player with the highest gain among the sources of a stream. Programs count as 0 dB.
  private func loudestSource(
    of stream: SessionStream, in session: SessionID, at time: Double
  ) -> (name: String, level: Double)? {
    var loudest: (name: String, level: Double)?
    players.forEachValue { player in
      guard player.session == session, player.stream == stream.id else { return }
      let level = player.gain.highest(at: time) + highestGroupGain(of: .player(player.id), at: time)
      if level > loudest?.level ?? -.infinity { loudest = ("player \(player.id)", level) }
    }
    for case .input(let id, let range) in stream.sources {
      guard let input = inputs[id] else { continue }
      let strips = input.channelStrips.enumerated().filter { range?.contains($0.offset + 1) ?? true }
      let strip = strips.map { $0.element.gain.highest(at: time) }.max() ?? 0
      let level =
        input.gain.highest(at: time) + strip + input.highestGainOfChannels(at: time)
      if level > loudest?.level ?? -.infinity { loudest = ("input \(id)", level) }
    }
    guard let found = loudest else { return nil }
    let hasPrograms = stream.sources.contains { if case .ports = $0 { true } else { false } }
    return hasPrograms && found.level < 0 ? nil : found
  }

  /// Lowers the gain of a path's send, or of its session if it has no send.
  /// - Returns: the address and the new level of that gain.
  fileprivate mutating func lower(
    _ path: SoundPath, by excess: Double, at time: Double
  ) -> (address: String, level: Double) {
    func lower(_ control: inout Control) -> Double {
      let level = max(Decibels.floor, control.highest(at: time) - excess)
      control.set(level)
      control.stored = min(control.stored, level)
      return level
    }
    let (id, stream) = (path.session, path.stream)
    guard var session = sessions[id] else { return ("/session/\(id)", Decibels.floor) }
    defer { sessions[id] = session }
    guard session.category == .multiRoute,
      var destination = session.streams[stream]?.destinations[path.output]
    else { return ("/session/\(id)/gain", lower(&session.gain)) }
    let level = lower(&destination.gain)
    session.streams[stream]?.destinations[path.output] = destination
    return ("/session/\(id)/stream/\(stream)/to/\(path.output)/gain", level)
  }
}

extension Control {
  /// The highest value from now on, in dB.
  fileprivate func highest(at time: Double) -> Double { max(target, value(at: time, isLevel: true)) }
}

extension Event {
  /// Whether a command sets or fades a level; the level that a preset stores is fitted at the end of the recall.
  var setsLevel: Bool {
    switch self {
    case .session(_, .gain(.set)), .stream(_, _, .gain(.set)), .destination(_, _, _, .gain(.set)),
      .port(_, _, .gain(.set)), .port(_, _, .trim(.set)), .port(_, _, .width(.set)),
      .port(_, _, .section(.mono)), .stream(_, _, .width(.set)), .channel(_, _, .gain(.set)),
      .player(_, .set(.gain(.set))),
      .group(_, .set(.gain(.set))):
      true
    default: false
    }
  }

  /// The session whose paths alone a level changes; nil for a level of a port.
  fileprivate func onlySession(in state: RouterState) -> SessionID? {
    switch self {
    case .player(let id, _): state.players[id]?.session
    case .session(let id, _), .stream(let id, _, _), .destination(let id, _, _, _): id
    default: nil
    }
  }
}

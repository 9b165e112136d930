import Numbers
import Presets
import Queues
import SessionModel

extension RoutingPlan {
  /// Draws the plan of a state.
  init(of state: RouterState, title: String, law: PresetReader.Policy) {
    self.title = title.printable
    sinks = state.outputs.map { Sink($1, recorders: state.recorders(of: .output($0))) }
    let captures = state.sessions.keys.filter { state.sessions[$0]?.capture.channels ?? 0 > 0 }
    for id in captures { if let session = state.sessions[id] { sinks.append(Sink(receiving: session)) } }
    func sink(ofCapture id: SessionID) -> Int? {
      captures.firstIndex(of: id).map { state.outputs.count + $0 }
    }
    for (id, session) in state.sessions {
      var block = Block(session, ducking: Self.ducks(of: id, in: state, law))
      block.notes += state.recorders(of: .session(id))
      for (_, stream) in session.streams {
        block.rows.append(
          Row(
            name: stream.id.name, notes: Self.notes(on: stream) + state.recorders(of: .stream(id, stream.id)),
            sources: (stream.sources.grouped(in: state) + Self.players(of: stream, id, in: state)).map {
              index(of: $0)
            },
            sends: Self.sends(of: stream, session, in: state)))
      }
      block.rows += inputRows(of: session, into: sink(ofCapture: id), in: state)
      let shares = captures.compactMap { other -> Send? in
        guard let part = state.sessions[other]?.capture.sessions[id], part.isOn,
          let sink = sink(ofCapture: other)
        else { return nil }
        return Send(sink: sink, label: "\(sinks[sink].name) \(part.gain.target.level)", way: .capture)
      }
      if !shares.isEmpty { block.rows.append(Row(name: "all of \(id)", sends: shares)) }
      sessions.append(block)
    }
  }

  /// The rows of a session's block for the inputs that its capture contains.
  private mutating func inputRows(of session: Session, into sink: Int?, in state: RouterState) -> [Row] {
    guard let sink else { return [] }
    let capture = session.capture
    var parts = capture.inputs.filter(\.value.isOn).map { ($0.key, $0.value.gain.target) }
    if capture.containsRoute {
      parts += session.route.inputs.filter { capture.inputs[$0] == nil }.map { ($0, 0) }
    }
    return parts.map { input, gain in
      let source = index(of: Source(input: input, channels: nil, in: state))
      let label = "\(sinks[sink].name) \(gain.level)"
      return Row(name: "input", sources: [source], sends: [Send(sink: sink, label: label, way: .capture)])
    }
  }

  /// The index of a source, which is added if it is new.
  private mutating func index(of source: Source) -> Int {
    if let index = sources.firstIndex(of: source) { return index }
    sources.append(source)
    return sources.count - 1
  }

  // MARK: Parts

  /// The players that feed a stream, as sources.
  private static func players(of stream: SessionStream, _ session: SessionID, in state: RouterState)
    -> [Source]
  {
    state.players.values.filter { $0.session == session && $0.stream == stream.id }.map { Source($0) }
  }

  private static func sends(of stream: SessionStream, _ session: Session, in state: RouterState) -> [Send] {
    let outputs = state.outputs.keys
    guard session.category == .multiRoute else {
      return session.route.outputs.compactMap { output in
        outputs.firstIndex(of: output).map {
          Send(sink: $0, label: "\(output) \(0.0.level)", way: .output)
        }
      }
    }
    return outputs.indices.compactMap { index in
      guard let destination = stream.destinations[outputs[index]] else { return nil }
      let name = "\(outputs[index])\(destination.channels.suffix)"
      guard destination.isOn else { return Send(sink: index, label: "\(name) off", way: .off) }
      let label = "\(name) \(destination.gain.target.level)\(destination.tap.suffix)"
      return Send(sink: index, label: label, way: .output)
    }
  }

  private static func notes(on stream: SessionStream) -> [String] {
    var notes = [stream.channels.channelsText]
    if stream.gain.target != 0 { notes.append(stream.gain.target.level) }
    if stream.isMuted { notes.append("muted") }
    if stream.isDuckExempt { notes.append("never ducked") }
    if !stream.never.isEmpty { notes.append("never \(stream.never.map(\.name).joined(separator: ", "))") }
    return notes
  }

  /// Which sessions a session ducks, as sentences.
  private static func ducks(
    of id: SessionID, in state: RouterState, _ law: PresetReader.Policy
  ) -> [String] {
    guard state.sessions[id]?.options.contains(.duckOthers) == true else { return [] }
    var trial = state
    _ = try? law(&trial, .activate(id), 0)
    var sentences: [(what: String, whom: [String])] = []
    for (other, session) in trial.sessions {
      let ducks = session.ducks.filter { $0.ducker == id && $0.isDucked && session.isSent(to: $0.output) }
      guard let deepest = ducks.map(\.target).min() else { continue }
      let places = ducks.map(\.output.name)
      let isEverywhere = places.count == session.sentOutputs.count
      let what =
        "by \((-deepest).text(.upTo(1))) dB" + (isEverywhere ? "" : " at \(places.joined(separator: ", "))")
      if let index = sentences.firstIndex(where: { $0.what == what }) {
        sentences[index].whom.append(other.name)
      } else {
        sentences.append((what, [other.name]))
      }
    }
    return sentences.map { "ducks \($0.whom.joined(separator: ", ")) \($0.what)" }
  }
}

extension RoutingPlan.Block {
  fileprivate init(_ session: Session, ducking ducks: [String]) {
    name = session.id.name
    kind = session.category.rawValue + (session.mode == .default ? "" : ", \(session.mode.rawValue)")
    var facts = [session.activation.phrase]
    if session.isProtected { facts.append("protected") }
    if session.priority != .normal { facts.append(session.priority.rawValue) }
    if session.isDuckExempt { facts.append("never ducked") }
    if session.gain.target != 0 { facts.append(session.gain.target.level) }
    if session.isMuted { facts.append("muted") }
    let listeners = (session.talkback.outputs.map(\.name) + session.talkback.groups.map { "group \($0)" })
      .joined(separator: ", ")
    notes =
      [facts.joined(separator: " · ")] + (session.isTalkback ? ["talkback to \(listeners)"] : []) + ducks
  }
}

extension RoutingPlan.Sink {
  fileprivate init(_ port: Port, recorders: [String]) {
    name = port.id.name
    var facts = [port.type.rawValue]
    if port.nameableChannels > 0 { facts.append(port.nameableChannels.channelsText) }
    if port.gain.target != 0 { facts.append(port.gain.target.level) }
    if port.isMuted { facts.append("muted") }
    var limits: [String] = []
    if port.monitor.isOn { limits.append("hears solos") }
    if port.maximum < Decibels.highest { limits.append("at most \(port.maximum.level)") }
    if port.maximumTotal.isFinite { limits.append("in total at most \(port.maximumTotal.level)") }
    if port.ceiling.target != Port.usualCeiling { limits.append("peaks to \(port.ceiling.target.level)FS") }
    if port.delay.target > 0 { limits.append("delayed by \((port.delay.target * 1_000).text(.upTo(1))) ms") }
    if let group = port.alignmentGroup { limits.append("aligned in \(group.printable)") }
    details = [facts.joined(separator: " · "), port.globs.text] + limits + recorders
  }

  /// What the programs of a session receive.
  fileprivate init(receiving session: Session) {
    name = "\(session.id) receives"
    let capture = session.capture
    let isMixMinus = !capture.sessions.isEmpty && capture.sessions[session.id]?.isOn != true
    details =
      [capture.channels.channelsText, capture.destinations.map(\.text.printable).joined(separator: ", ")]
      + (isMixMinus && !session.streams.isEmpty ? ["mix-minus: not \(session.id) itself"] : [])
  }
}

extension RoutingPlan.Source {
  /// A player, with the words of its queue.
  fileprivate init(_ player: MediaPlayer) {
    name = "player \(player.id)"
    var facts = [(player.contents ?? []).map(\.printable).joined(separator: ", ")].filter { !$0.isEmpty }
    if player.loops == MediaPlayer.endless { facts.append("without end") }
    if player.queue.value.repeatMode == .all { facts.append("again and again") }
    if player.gain.target != 0 { facts.append(player.gain.target.level) }
    details = facts.isEmpty ? [] : [facts.joined(separator: " · ")]
  }
}

extension RouterState {
  /// The recorders of a source, as notes.
  fileprivate func recorders(of source: RecorderSource) -> [String] {
    recorders.values.filter { $0.source == source }.map { "recorded by \($0.id)" }
  }
}

// MARK: Words

extension Double {
  /// A level as a label: `-6 dB`, `off`.
  fileprivate var level: String { Decibels(self).isOff ? "off" : "\(text(.upTo(1))) dB" }
}

extension Port {
  /// The ceiling that a port has by itself, in dBFS.
  fileprivate static let usualCeiling = -1.0
}

extension Tap {
  fileprivate var suffix: String {
    switch self {
    case .post: ""
    case .pre: " pre fader"
    case .input: " pre mute"
    }
  }
}

extension Activation {
  fileprivate var phrase: String {
    switch self {
    case .manual: "by command"
    case .start: "from the start"
    case .connected: "with its program"
    case .signal: "when it sounds"
    }
  }
}

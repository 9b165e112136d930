import Effects

/// The times at which fades and other things of a state begin: for a change that is decided ahead and takes effect later.
extension RouterState {
  /// The end of the last fade, of a control or a duck, in seconds of the router's time; nil if nothing fades or has faded. From then on no level moves.
  public var lastFadeEnd: Double? {
    var last: Double?
    func note(_ end: Double?) { if let end { last = max(last ?? end, end) } }
    forEachControl { note($0.fade?.end) }
    sessions.forEachValue { session in
      for duck in session.ducks { note(duck.start + duck.seconds) }
    }
    for place in inserts() {
      for fade in insert(at: place)?.fades ?? [] { note(fade.start + fade.seconds) }
    }
    return last
  }

  /// Lets begin at another time what has begun at one time: fades, ducks, leases and interruptions.
  ///
  /// - Parameter before: the state before the change that was decided for `old`. What has begun there keeps its time.
  public mutating func moveStarts(from old: Double, to new: Double, since before: RouterState) {
    for path in Self.controls where self[keyPath: path].begins(at: old) {
      self[keyPath: path].moveStart(from: old, to: new)
    }
    for id in sessions.keys(changedSince: before.sessions) {
      let former = before.sessions[id]
      sessions.update(id) { $0.moveStarts(from: old, to: new, since: former) }
    }
    for direction in [Direction.output, .input] {
      self[direction].change(where: { $0.begins(at: old) }, { $0.moveStarts(from: old, to: new) })
    }
    players.change(where: { $0.begins(at: old) }, { $0.moveStarts(from: old, to: new) })
    groups.change(where: { $0.gain.begins(at: old) }, { $0.gain.moveStart(from: old, to: new) })
  }

  private func forEachControl(_ body: (Control) -> Void) {
    for path in Self.controls { body(self[keyPath: path]) }
    sessions.forEachValue { session in
      for path in Session.controls { body(session[keyPath: path]) }
      for path in Session.ownControls { if let control = session[keyPath: path] { body(control) } }
      session.capture.sessions.forEachValue { body($0.gain) }
      session.capture.inputs.forEachValue { body($0.gain) }
      session.streams.forEachValue { stream in
        for path in SessionStream.controls { body(stream[keyPath: path]) }
        stream.destinations.forEachValue {
          body($0.gain)
          body($0.pan)
        }
      }
    }
    for ports in [outputs, inputs] {
      ports.forEachValue { port in
        for path in Port.controls { body(port[keyPath: path]) }
        for strip in port.channelStrips { body(strip.gain) }
      }
    }
    players.forEachValue { player in for path in MediaPlayer.controls { body(player[keyPath: path]) } }
    groups.forEachValue { body($0.gain) }
  }

  private static let controls: [any WritableKeyPath<RouterState, Control> & Sendable] = [
    \.ramp, \.meterRate, \.ducking.level, \.ducking.attack, \.ducking.release,
  ]
}

extension Session {
  fileprivate static let controls: [any WritableKeyPath<Session, Control> & Sendable] = [
    \.gain, \.signalThreshold, \.signalHold, \.lease, \.quietTime,
  ]
  /// Controls that stand for values of the router while they are nil.
  fileprivate static let ownControls: [any WritableKeyPath<Session, Control?> & Sendable] = [
    \.ducker.level, \.ducker.attack, \.ducker.release,
  ]

  fileprivate mutating func moveStarts(from old: Double, to new: Double, since former: Session?) {
    for path in Self.controls where self[keyPath: path].begins(at: old) {
      self[keyPath: path].moveStart(from: old, to: new)
    }
    for path in Self.ownControls where self[keyPath: path]?.begins(at: old) == true {
      self[keyPath: path]?.moveStart(from: old, to: new)
    }
    if capture.sessions.contains(where: { $0.gain.begins(at: old) }) {
      capture.sessions.change(where: { $0.gain.begins(at: old) }, { $0.gain.moveStart(from: old, to: new) })
    }
    if capture.inputs.contains(where: { $0.gain.begins(at: old) }) {
      capture.inputs.change(where: { $0.gain.begins(at: old) }, { $0.gain.moveStart(from: old, to: new) })
    }
    capture.insert.moveStarts(from: old, to: new)
    if streams.contains(where: { $0.begins(at: old) }) {
      streams.change(where: { $0.begins(at: old) }, { $0.moveStarts(from: old, to: new) })
    }
    for index in ducks.indices where ducks[index].start == old {
      if former?.ducks.contains(ducks[index]) != true { ducks[index].start = new }
    }
    if leaseStart == old, former?.leaseStart != old { leaseStart = new }
    if interruptionStart == old, former?.interruptionStart != old { interruptionStart = new }
  }
}

extension SessionStream {
  fileprivate static let controls: [any WritableKeyPath<SessionStream, Control> & Sendable] = [
    \.gain, \.pan, \.width,
  ]

  fileprivate func begins(at time: Double) -> Bool {
    Self.controls.contains { self[keyPath: $0].begins(at: time) }
      || destinations.contains { $0.begins(at: time) } || insert.fades.contains { $0.start == time }
  }

  fileprivate mutating func moveStarts(from old: Double, to new: Double) {
    for path in Self.controls { self[keyPath: path].moveStart(from: old, to: new) }
    insert.moveStarts(from: old, to: new)
    destinations.change(
      where: { $0.begins(at: old) },
      {
        $0.gain.moveStart(from: old, to: new)
        $0.pan.moveStart(from: old, to: new)
      })
  }
}

extension Destination {
  fileprivate func begins(at time: Double) -> Bool { gain.begins(at: time) || pan.begins(at: time) }
}

extension Port {
  fileprivate static let controls: [any WritableKeyPath<Port, Control> & Sendable] = [
    \.gain, \.delay, \.ceiling, \.duckLimit, \.level, \.section.balance, \.trim, \.width, \.monitor.level,
  ]

  fileprivate func begins(at time: Double) -> Bool {
    Self.controls.contains { self[keyPath: $0].begins(at: time) }
      || channelStrips.contains { $0.gain.begins(at: time) }
      || insert.fades.contains { $0.start == time }
  }

  fileprivate mutating func moveStarts(from old: Double, to new: Double) {
    for path in Self.controls { self[keyPath: path].moveStart(from: old, to: new) }
    for index in channelStrips.indices { channelStrips[index].gain.moveStart(from: old, to: new) }
    insert.moveStarts(from: old, to: new)
  }
}

extension MediaPlayer {
  fileprivate static let controls: [any WritableKeyPath<MediaPlayer, Control> & Sendable] = [\.gain, \.pan]

  fileprivate func begins(at time: Double) -> Bool {
    Self.controls.contains { self[keyPath: $0].begins(at: time) }
  }

  fileprivate mutating func moveStarts(from old: Double, to new: Double) {
    for path in Self.controls { self[keyPath: path].moveStart(from: old, to: new) }
  }
}

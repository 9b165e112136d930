import SessionModel

extension Routing {
  /// One output and one input: last in wins, separately for each, unless somebody prefers or overrides (semantics, section 10).
  static func singleRoute(of session: Session, awaiting: PortID?, among plugs: Plugs) -> Route {
    let hasOutput =
      session.category.hasOutput || (session.category == .audioProcessing && plugs.isOffline)
    if session.portOverride == .speaker, awaiting == nil, let speaker = speaker(for: session, among: plugs) {
      let builtIn = plugs.inputs.filter { $0.type == .builtInMic }.max { $0.arrival < $1.arrival }
      let input = builtIn ?? input(for: session, among: plugs) { $0.type != .bluetoothHFP }
      return Route(input: input?.id, outputs: [speaker.id])
    }
    var output = hasOutput && awaiting == nil ? output(for: session, among: plugs) : nil
    var input = session.category.hasInput ? input(for: session, among: plugs) : nil
    couple(&input, &output, for: session, among: plugs)
    return Route(input: input?.id, outputs: output.map { [$0.id] } ?? [])
  }

  static func input(of session: Session, in state: RouterState) -> PortID? {
    route(of: session, in: state).input
  }

  private static func output(
    for session: Session, among plugs: Plugs, where isWanted: (Plug) -> Bool = { _ in true }
  ) -> Plug? {
    var best: Plug?
    for plug in plugs.outputs where isWanted(plug) && plugs.offers(plug, to: session) {
      guard plug.isAutomatic || plug.id == session.preferredOutput, !session.isGuarded(against: plug.id)
      else {
        continue
      }
      if let other = best, rank(plug, session, isInput: false) <= rank(other, session, isInput: false) {
        continue
      }
      best = plug
    }
    return best
  }

  /// The input that a session captures from, if it stood alone.
  static func input(
    for session: Session, among plugs: Plugs, where isWanted: (Plug) -> Bool = { _ in true }
  ) -> Plug? {
    var best: Plug?
    for plug in plugs.inputs
    where isWanted(plug) && session.mayUse(input: plug.type, isNamed: plug.isNamed) {
      guard plug.isAutomatic || plug.id == session.preferredInput else { continue }
      if let other = best, rank(plug, session, isInput: true) <= rank(other, session, isInput: true) {
        continue
      }
      best = plug
    }
    return best
  }

  /// What is preferred, then last in; what is built in never arrives. playAndRecord prefers the receiver to the speaker, unless it
  /// says otherwise.
  private static func rank(_ plug: Plug, _ session: Session, isInput: Bool) -> (Int, Int, Int) {
    let isPreferred = plug.id == (isInput ? session.preferredInput : session.preferredOutput)
    let kind =
      switch plug.type {
      case .builtInReceiver: session.options.contains(.defaultToSpeaker) ? 0 : 2
      case .builtInSpeaker, .builtInMic: 1
      default: 3
      }
    // AVAudioSession knows no preferred output, so the preferred input leads.
    return (isPreferred ? (isInput ? 2 : 1) : 0, kind, plug.arrival)
  }

  /// HFP is one device for both directions: choosing it as in- or output moves both (semantics, section 3). Of two choices that do
  /// not go together the stronger one leads, and the other one follows.
  private static func couple(
    _ input: inout Plug?, _ output: inout Plug?, for session: Session, among plugs: Plugs
  ) {
    guard let first = input, let second = output, first.id != second.id,
      first.type == .bluetoothHFP || second.type == .bluetoothHFP
    else { return }
    func isOther(_ plug: Plug) -> Bool { plug.type != .bluetoothHFP }
    if rank(first, session, isInput: true) > rank(second, session, isInput: false) {
      let same = self.output(for: session, among: plugs) { $0.id == first.id && !isOther($0) }
      output = (isOther(first) ? nil : same) ?? self.output(for: session, among: plugs, where: isOther)
    } else {
      let same = self.input(for: session, among: plugs) { $0.id == second.id && !isOther($0) }
      input = (isOther(second) ? nil : same) ?? self.input(for: session, among: plugs, where: isOther)
    }
  }

  /// The built-in speaker that an override moves to, if a guard lets it.
  private static func speaker(for session: Session, among plugs: Plugs) -> Plug? {
    plugs.outputs.filter { $0.type == .builtInSpeaker && !session.isGuarded(against: $0.id) }
      .max { $0.arrival < $1.arrival }
  }
}

extension Session {
  /// Whether any of its streams must never be heard there.
  fileprivate func isGuarded(against output: PortID) -> Bool {
    streams.contains { (stream: SessionStream) in stream.never.contains(output) }
  }
}

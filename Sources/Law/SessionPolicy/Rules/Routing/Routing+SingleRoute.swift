import SessionModel

extension Routing {
  /// The route of a session with one output and one input. For each direction the port that was connected last wins, unless a
  /// preference or the speaker override chooses another one (docs/develop/law/routes.md#1-last-in-wins).
  static func singleRoute(of session: Session, awaiting: PortID?, among ports: AvailablePorts) -> Route {
    let hasOutput =
      session.category.hasOutput || (session.category == .audioProcessing && ports.isOffline)
    if session.portOverride == .speaker, awaiting == nil, let speaker = speaker(for: session, among: ports) {
      let builtIn = ports.inputs.filter { $0.type == .builtInMic }.max { $0.arrival < $1.arrival }
      let input = builtIn ?? input(for: session, among: ports) { $0.type != .bluetoothHFP }
      return Route(input: input?.id, outputs: [speaker.id])
    }
    var output = hasOutput && awaiting == nil ? output(for: session, among: ports) : nil
    var input = session.category.hasInput ? input(for: session, among: ports) : nil
    couple(&input, &output, for: session, among: ports)
    return Route(input: input?.id, outputs: output.map { [$0.id] } ?? [])
  }

  static func input(of session: Session, in state: RouterState) -> PortID? {
    route(of: session, in: state).input
  }

  private static func output(
    for session: Session, among ports: AvailablePorts, where isWanted: (AvailablePort) -> Bool = { _ in true }
  ) -> AvailablePort? {
    var best: AvailablePort?
    for port in ports.outputs where isWanted(port) && ports.offers(port, to: session) {
      guard port.isAutomatic || port.id == session.preferredOutput, !session.isGuarded(against: port.id)
      else {
        continue
      }
      if let other = best, rank(port, session, isInput: false) <= rank(other, session, isInput: false) {
        continue
      }
      best = port
    }
    return best
  }

  /// The input that a session would capture from if its output did not matter (HFP couples both, see `couple`).
  static func input(
    for session: Session, among ports: AvailablePorts, where isWanted: (AvailablePort) -> Bool = { _ in true }
  ) -> AvailablePort? {
    var best: AvailablePort?
    for port in ports.inputs
    where isWanted(port) && session.mayUse(input: port.type, isNamed: port.isNamed) {
      guard port.isAutomatic || port.id == session.preferredInput else { continue }
      if let other = best, rank(port, session, isInput: true) <= rank(other, session, isInput: true) {
        continue
      }
      best = port
    }
    return best
  }

  /// Ranks a port for a session, higher is better: a preferred port first, then connected devices by arrival, then built-in ports. Of
  /// these playAndRecord takes the receiver before the speaker, unless its option defaultToSpeaker is on.
  private static func rank(_ port: AvailablePort, _ session: Session, isInput: Bool) -> (Int, Int, Int) {
    let isPreferred = port.id == (isInput ? session.preferredInput : session.preferredOutput)
    let kind =
      switch port.type {
      case .builtInReceiver: session.options.contains(.defaultToSpeaker) ? 0 : 2
      case .builtInSpeaker, .builtInMic: 1
      default: 3
      }
    // AVAudioSession has no preferred output, so the preferred input counts more.
    return (isPreferred ? (isInput ? 2 : 1) : 0, kind, port.arrival)
  }

  /// Makes input and output agree about HFP, which is one device for both directions: choosing it as input or output moves both
  /// (docs/develop/law/routes.md#4-bluetooth-and-airplay). If the two choices disagree, the one with the higher rank stays and the other one changes.
  private static func couple(
    _ input: inout AvailablePort?, _ output: inout AvailablePort?, for session: Session,
    among ports: AvailablePorts
  ) {
    guard let first = input, let second = output, !first.isSameDevice(as: second),
      first.type == .bluetoothHFP || second.type == .bluetoothHFP
    else { return }
    func isOther(_ port: AvailablePort) -> Bool { port.type != .bluetoothHFP }
    if rank(first, session, isInput: true) > rank(second, session, isInput: false) {
      let same = self.output(for: session, among: ports) { $0.isSameDevice(as: first) && !isOther($0) }
      output = (isOther(first) ? nil : same) ?? self.output(for: session, among: ports, where: isOther)
    } else {
      let same = self.input(for: session, among: ports) { $0.isSameDevice(as: second) && !isOther($0) }
      input = (isOther(second) ? nil : same) ?? self.input(for: session, among: ports, where: isOther)
    }
  }

  /// The built-in speaker that a speaker override moves to; nil if there is none, or if a guard forbids it.
  private static func speaker(for session: Session, among ports: AvailablePorts) -> AvailablePort? {
    ports.outputs.filter { $0.type == .builtInSpeaker && !session.isGuarded(against: $0.id) }
      .max { $0.arrival < $1.arrival }
  }
}

extension Session {
  /// Whether the guard of any stream forbids an output.
  fileprivate func isGuarded(against output: PortID) -> Bool {
    streams.contains { (stream: SessionStream) in stream.isGuarded(against: output) }
  }
}

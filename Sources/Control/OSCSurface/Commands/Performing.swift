import OSC
import Parameters
import Patterns
import SessionModel

extension Surface {
  /// Performs a command. A command that changes the state is tried on the copy; any other waits until the whole packet is accepted.
  mutating func perform(
    _ command: Command, _ match: Match, _ arguments: Arguments, _ result: inout PacketTransaction.Result,
    in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let reach = transaction.reach
    guard reach.serves(match.address) || reach.reads(match.address) else {
      throw SessionError(.denied, reach.reason(match.address))
    }
    // A sign of life keeps a session as it is, which is what a lock is for.
    try allow(match.parameter.right, for: match.address, changing: command != .alive, in: transaction)
    var arguments = arguments
    if Self.buttons.contains(command) || match.parameter.kind == .trigger, arguments.first?.text == nil {
      guard try arguments.fires() else { return }
      arguments = Arguments([])
    }
    switch command {
    case .act:
      guard let action = match.parameter.action else { return }
      try apply(
        try action(
          Parameter.ActionRequest(
            state: transaction.state, target: match.target, arguments: arguments.all.compactMap(\.value))),
        in: &transaction)
    case .createSession: try createSession(arguments, in: &transaction)
    case .removeSession:
      let id: SessionID = try arguments.id()
      for stream in transaction.state.sessions[id]?.streams.values ?? [] {
        try allowRemoval(of: stream, "/session/remove \(id)", in: transaction)
      }
      try apply(.removeSession(id), in: &transaction)
    case .configureSession: try configureSession(match, arguments, in: &transaction)
    case .createStream: try createStream(match, arguments, in: &transaction)
    case .alive: try apply(.alive(try match.target.id(of: \.session)), in: &transaction)
    case .processFile:
      let job = try processJob(match, arguments, in: transaction)
      result.steps.append(.errand(job, match.address))
    case .cancelProcess: try apply(.process(try match.target.id(of: \.session), .cancelled), in: &transaction)
    case .beginInterruption:
      let reason: InterruptionReason =
        try arguments.all.count > 1 ? name(arguments, at: 1, of: "reason") : .default
      try apply(.beginInterruption(try arguments.id(), reason), in: &transaction)
    case .endInterruption:
      let shouldResume = try arguments.all.count > 1 ? arguments.flag(at: 1) : true
      try apply(.endInterruption(try arguments.id(), shouldResume: shouldResume), in: &transaction)
    case .clearInterruptions: try apply(.clearInterruptions, in: &transaction)
    case .align: try apply(.align(transaction.state.outputs.keys), in: &transaction)
    case .removeStream:
      let (session, id): (SessionID, StreamID) = (try match.target.id(of: \.session), try arguments.id())
      if let stream = transaction.state.sessions[session]?.streams[id] {
        try allowRemoval(of: stream, "\(match.address) \(id)", in: transaction)
      }
      try apply(.removeStream(session, id), in: &transaction)
    case .forgetOutput: try forget(.output, try arguments.id(), in: &transaction)
    case .forgetInput: try forget(.input, try arguments.id(), in: &transaction)
    case .reload: result.steps.append(.errand(.reload, match.address))
    case .recover: result.steps.append(.errand(.recover, match.address))
    case .metrics: result.steps.append(.errand(.metrics, match.address))
    case .listRouters: result.steps.append(.errand(.routers, match.address))
    case .listEffects:
      result.steps.append(.errand(.effects(try PageRequest(arguments, at: 0)), match.address))
    case .makeToken:
      result.steps.append(.errand(try tokenJob(arguments, in: transaction), match.address))
    case .drawCode: result.steps.append(.errand(.code(try arguments.text()), match.address))
    case .recallPreset, .recallNamedPreset, .goToStandby, .nextPreset, .previousPreset:
      try performRecall(command, match, arguments, &result, in: &transaction)
    case .lockPreset where arguments.isEmpty: result.steps.append(.read([match]))
    case .storePreset, .updatePreset, .listVersions, .restorePreset, .deletePreset, .lockPreset:
      let job = try libraryJob(command, match, arguments, transaction.right)
      result.steps.append(.errand(job, match.address))
    case .previewPreset, .checkPreset: result.steps.append(try report(command, match))
    case .abortRecall: result.steps.append(.errand(.abort, match.address))
    case .undoRecall: result.steps.append(.errand(.undo, match.address))
    case .createPlayer, .removePlayer, .loadPlayer, .addToQueue, .insertIntoQueue, .saveQueue, .remote,
      .findInLibrary, .scanLibrary, .listLibrary, .createRecorder, .removeRecorder, .listRecordings,
      .deleteRecording:
      try performMedia(command, match, arguments, &result, in: &transaction)
    case .createGroup: try createGroup(arguments, in: &transaction)
    case .removeGroup: try apply(.group(try arguments.id(), .remove), in: &transaction)
    case .listQueue: result.steps.append(try listQueue(match, arguments, in: transaction))
    case .request: return try request(arguments, &result, in: &transaction)
    case .whatIf: try suppose(arguments, &result, in: &transaction)
    case .get: result.steps.append(try reading(of: try arguments.text(), in: &transaction))
    case .meter:
      guard arguments.isEmpty else { throw SessionError(.readOnly, "\(match.address) can only be read") }
      if let missing = match.missingMeter(in: transaction.state) { throw missing }
      result.steps.append(.read([match]))
    default:
      try check(command, arguments, in: &transaction)
      result.steps.append(.act(command, match, arguments))
    }
  }

  /// Forgets an absent device.
  /// - Throws: `SessionError` notFound, or isBusy if the device is there or something names it.
  private func forget(
    _ direction: Direction, _ id: PortID, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let ports = transaction.state[direction]
    guard let port = ports[id] else {
      throw SessionError(
        .notFound,
        "there is no \(direction.rawValue) \(id); \(NearestName.hint(for: id.name, among: ports.keys.map(\.name)))"
      )
    }
    if let reason = transaction.state.reasonToKeep(direction, port) {
      throw SessionError(.isBusy, "\(id) is not forgotten: \(reason)")
    }
    try apply(.forgetPort(direction, id), in: &transaction)
  }

  /// Checks that the sender may remove a stream: a guarded one takes admin, as its guard does.
  /// - Throws: `SessionError` denied or locked.
  private func allowRemoval(
    of stream: SessionStream, _ address: String, in transaction: PacketTransaction
  ) throws(SessionError) {
    guard !stream.never.isEmpty else { return }
    let outputs = stream.never.map(\.name).joined(separator: ", ")
    try allow(
      .admin, for: "\(address), whose stream \(stream.id) is guarded against \(outputs),", in: transaction)
  }

  /// The commands that a button of a surface may send. They need no arguments, and the release of the button is ignored.
  private static let buttons: Set<Command> = [
    .subscribe, .unsubscribe, .snapshot, .bye, .info, .statistics, .listSessions, .listArrivals, .listStreams,
    .listOutputs,
    .listInputs, .listPorts, .listUnmatched, .listDirect, .listHung, .listHealth, .listInterruptions,
    .listAddresses,
    .resetClip,
    .listPresets, .listPlayers, .listRecorders, .listTokens, .listGroups,
  ]

  /// Refuses a command that could not be performed later. This happens before any message of the packet takes effect.
  private mutating func check(
    _ command: Command, _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    switch command {
    case .hello: try checkHello(arguments, in: &transaction)
    case .presentToken: try checkToken(arguments, in: &transaction)
    case .withdrawToken: _ = try tokens.token(try arguments.text())
    case .subscribe: try checkSubscription(arguments, in: &transaction)
    case .unsubscribe: _ = try pattern(arguments)
    case .snapshot:
      _ = try pattern(arguments)
      try clients.checkRoom(for: transaction.peer, asGuest: true, at: transaction.time)
    case .sync:
      _ = try arguments.number()
      guard transaction.state.server.isRunning else {
        throw SessionError(.mediaServicesFailed, "there is no audio server, so no change can be adopted now")
      }
    case .eventsSince, .eventLines: _ = try arguments.number()
    case .resync:
      _ = try arguments.number()
      try checkClient(transaction)
    case .client(let setting): try check(setting, arguments, transaction)
    case .listAddresses where !arguments.isEmpty:
      _ = try tree.children(of: try arguments.text(), in: transaction.state)
    case .describe: _ = try tree.find(try arguments.text(), in: transaction.state)
    default: break
    }
  }

  /// Creates a session, with `s id [s category [s mode [s options]]]`. If the category has output, the session gets the stream `main`;
  /// if it has input, a capture.
  private func createSession(
    _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let id: SessionID = try arguments.id()
    let configuration = try configuration(arguments, from: 1)
    try apply(.createSession(id, configuration), in: &transaction)
    if configuration.category.hasStreams {
      try apply(
        .createStream(
          id, SessionDefaults.stream, channels: SessionDefaults.streamChannels, placed: true),
        in: &transaction)
    }
    if configuration.category.hasInput {
      try apply(.session(id, .captureChannels(SessionDefaults.captureChannels)), in: &transaction)
    }
  }

  private func configureSession(
    _ match: Match, _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    guard arguments.all.count >= 3 else {
      throw SessionError(.badValue, "\(match.address) takes three texts: category, mode, options")
    }
    try apply(
      .configure(try match.target.id(of: \.session), try configuration(arguments, from: 0)), in: &transaction)
  }

  /// Reads category, mode and options, as far as they are given.
  private func configuration(
    _ arguments: Arguments, from index: Int
  ) throws(SessionError) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    if arguments.all.count > index { configuration.category = try name(arguments, at: index, of: "category") }
    if arguments.all.count > index + 1 { configuration.mode = try name(arguments, at: index + 1, of: "mode") }
    if arguments.all.count > index + 2 {
      configuration.options = try SessionOptions(text: try arguments.text(at: index + 2))
    }
    return configuration
  }

  private func name<Choice: CaseIterable>(
    _ arguments: Arguments, at index: Int, of what: String
  ) throws(SessionError) -> Choice {
    let text = try arguments.text(at: index)
    // The names of the cases are the words that clients send.
    guard let choice = Choice.allCases.first(where: { "\($0)".lowercased() == text.lowercased() }) else {
      let known = Choice.allCases.map { "\($0)" }.joined(separator: ", ")
      throw SessionError(.badValue, "'\(text)' is not a valid \(what); write one of \(known)")
    }
    return choice
  }

  private func createStream(
    _ match: Match, _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let channels =
      arguments.all.count > 1 ? try arguments.number(at: 1).rounded() : Double(SessionDefaults.streamChannels)
    guard let count = Int(exactly: channels) else {
      throw SessionError(.outOfRange, "\(channels) is not a number of channels")
    }
    let id: StreamID = try arguments.id()
    try apply(
      .createStream(try match.target.id(of: \.session), id, channels: count, placed: true), in: &transaction)
  }

  /// The leaves that a `/get` reads. A `/get` never fires a trigger.
  private func reading(
    of address: String, in transaction: inout PacketTransaction
  ) throws(SessionError) -> PacketTransaction.Step {
    let pattern = try Self.pattern(address)
    let acts = SessionError(.badValue, "\(address) acts and has no value; send it without /get")
    guard pattern.isLiteral else {
      guard let reading = try reading(of: pattern, includesTriggers: true, in: &transaction) else {
        throw acts
      }
      return .readAll(reading)
    }
    try checkReach(address, transaction)
    let match = try tree.find(address, in: transaction.state)
    guard transaction.reach.reads(address) else {
      throw SessionError(.denied, transaction.reach.reason(address))
    }
    if match.parameter.command == .listQueue { return try listQueue(match, Arguments([]), in: transaction) }
    if let command = match.parameter.command, command.isReport {
      return .act(command, match, Arguments([]))
    }
    if let command = match.parameter.command, [.previewPreset, .checkPreset].contains(command) {
      return try report(command, match)
    }
    guard match.isReadable else { throw acts }
    if let missing = match.missingMeter(in: transaction.state) { throw missing }
    return .read([match])
  }

  /// A report about a preset, whose file must be read.
  private func report(_ command: Command, _ match: Match) throws(SessionError) -> PacketTransaction.Step {
    let id = try match.target.id(of: \.preset)
    return .errand(command == .checkPreset ? .check(id) : .preview(id), match.address)
  }

  /// Performs the message in a request. A request that came before gets its old response again and is not performed.
  private mutating func request(
    _ arguments: Arguments, _ result: inout PacketTransaction.Result, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let number = try arguments.number()
    let address = try arguments.text(at: 1)
    guard let id = Int32(exactly: number.rounded()) else {
      throw SessionError(.outOfRange, "\(number) is not a request id; ids are 32-bit integers")
    }
    if let message = responses.answer(to: id, from: transaction.peer, at: transaction.time) {
      result.steps.append(.respondAgain(message))
      return
    }
    let isRepeated = transaction.results.contains { $0.request?.id == id }
    guard !isRepeated else { return }
    result.request = RequestKey(id: id, address: address)
    guard address != "/request" else {
      throw SessionError(.badValue, "a request must not contain another request")
    }
    try perform(OSCMessage(address, arguments.behind(2)), &result, in: &transaction)
  }

  /// Reads the pattern of a subscription; nil means everything but meters.
  /// - Throws: `SessionError` badValue.
  func pattern(_ arguments: Arguments) throws(SessionError) -> AddressPattern? {
    guard !arguments.isEmpty else { return nil }
    let text = try arguments.text()
    guard !text.isEmpty else { return nil }
    return try Self.pattern(text)
  }
}

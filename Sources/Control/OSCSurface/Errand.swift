import ControlInterface
import OSC
import Parameters
public import SessionModel

extension Surface {
  /// A client's command that needs files or the router, so that its answer waits until the work is done.
  public struct Errand: Sendable {
    public let job: Job
    let peer: Peer
    /// The address as sent.
    let address: String
    /// The request that carried the command; nil if the client asked for no response.
    let request: RequestKey?
    /// Whether the client gets `/ok` when the work is done.
    let acknowledges: Bool

    /// The work.
    public enum Job: Equatable, Sendable {
      /// Read the preset in force and the permissions of hosts again.
      case reload
      /// Leave the audio server and join it anew.
      case recover
      /// Recall a preset; without a fade in seconds, with that of the preset or of the router.
      case recall(PresetID, fade: Double?)
      /// Stop the fade that runs.
      case abort
      /// Bring back the state from before the last recall.
      case undo
      /// Tell what a recall would change.
      case preview(PresetID)
      /// Tell what a preset would miss now.
      case check(PresetID)
      /// Write the present settings as a new preset.
      case store(PresetID, title: String?)
      /// Replace a preset by the present settings.
      case update(PresetID, dropsComments: Bool, mayLoosenGuards: Bool)
      /// List the earlier versions of a preset.
      case versions(PresetID)
      /// Bring back an earlier version.
      case restore(PresetID, number: Int)
      case delete(PresetID)
      /// Process a file of the media folders in a session.
      case process(SessionID, input: String, output: String)
      case lock(PresetID, Bool)
      /// Work with the media folders and the music library.
      case media(MediaJob)
      /// Tell the page of metrics.
      case metrics
      /// Look for the routers of the network.
      case routers
      /// List the plugins that are installed.
      case effects(PageRequest)
      /// Make a token.
      case token(PortID, name: String, seconds: Double)
      /// Make a QR code of a text.
      case code(String)

      /// Whether the work writes presets.
      public var writes: Bool {
        switch self {
        case .store, .update, .restore, .delete, .lock: true
        case .reload, .recover, .recall, .abort, .undo, .preview, .check, .versions, .process, .media,
          .metrics, .routers, .effects, .token, .code:
          false
        }
      }
    }

    init(
      _ job: Job, from peer: Peer, _ address: String, _ request: RequestKey? = nil, acknowledges: Bool = false
    ) {
      (self.job, self.peer, self.address, self.request) = (job, peer, address, request)
      self.acknowledges = acknowledges
    }

    /// The answer; nil if the client needs none.
    ///
    /// - Parameter error: the reason why nothing was done.
    func answer(_ error: SessionError?) -> OSCMessage? {
      guard let request else {
        return error.map { Surface.error(address, $0) } ?? (acknowledges ? Surface.ok(address) : nil)
      }
      return error.map { Surface.response(request, $0) }
        ?? OSCMessage("/response", .int32(request.id), .int32(0), .string(request.address))
    }

    /// The answers of an errand that reports, one for each row, and the response to a request.
    ///
    /// - Parameters:
    ///   - start: the index of the first row in the whole list.
    ///   - total: the length of the whole list; nil if these are all rows.
    func answers(_ rows: [[OSCArgument]], from start: Int, of total: Int?) -> [OSCMessage] {
      let list = Surface.rows(address, rows, from: start, of: total)
      guard let request else { return list }
      guard list.count > 1 else {
        let head: [OSCArgument] = [.int32(request.id), .int32(0), .string(request.address)]
        return [OSCMessage("/response", head + list[0].arguments)]
      }
      let count = OSCArgument.int32(Int32(list.count))
      return list + [
        OSCMessage("/response", .int32(request.id), .int32(0), .string(request.address), count)
      ]
    }
  }
}

// MARK: The library

extension Surface {
  /// The work that a command about the files of presets asks for.
  /// - Throws: `SessionError` badValue or badType.
  func libraryJob(
    _ command: Command, _ match: Match, _ arguments: Arguments, _ right: Right
  ) throws(SessionError) -> Errand.Job {
    if command == .lockPreset { return .lock(try match.target.id(of: \.preset), try arguments.flag()) }
    let id = try presetID(arguments)
    switch command {
    case .storePreset: return .store(id, title: arguments.all.count > 1 ? try arguments.text(at: 1) : nil)
    case .updatePreset:
      let drops = arguments.all.count > 1 ? try arguments.flag(at: 1) : false
      return .update(id, dropsComments: drops, mayLoosenGuards: right >= .admin)
    case .restorePreset:
      let number = try arguments.number(at: 1).rounded()
      guard number >= 1, let version = Int(exactly: number) else {
        throw SessionError(.outOfRange, "\(number) is no version; /preset/versions \(id) lists them")
      }
      return .restore(id, number: version)
    case .deletePreset: return .delete(id)
    default: return .versions(id)
    }
  }
}

// MARK: Files

extension Surface {
  /// The work that `/session/<s>/process` asks for, if the law allows it now.
  /// - Throws: `SessionError` as `Processing` of the law says, badValue or badType.
  func processJob(
    _ match: Match, _ arguments: Arguments, in transaction: PacketTransaction
  ) throws(SessionError) -> Errand.Job {
    let id: SessionID = try match.target.id(of: \.session)
    guard arguments.all.count >= 2 else {
      throw SessionError(
        .badValue, "\(match.address) takes two names in the media folders: the file to read, and the new one")
    }
    let (input, output) = (try arguments.text(), try arguments.text(at: 1))
    var trial = transaction.state
    _ = try law(
      &trial, .process(id, .began(FileProcess(number: 0, input: input, output: output))), transaction.time)
    return .process(id, input: input, output: output)
  }
}

// MARK: Recalls

extension Surface {
  /// Tries a command about presets on the copy. The recall itself follows when the whole packet is accepted.
  /// - Throws: `SessionError` as `Recalls` of the law says, notFound without a preset to recall.
  func performRecall(
    _ command: Command, _ match: Match, _ arguments: Arguments, _ result: inout PacketTransaction.Result,
    in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let order = try order(command, match, arguments, transaction.state.presets)
    do throws(SessionError) {
      try apply(.preset(.ordered(order.preset, isStep: order.isStep)), in: &transaction)
    } catch {
      // A second press of a button is no mistake that a surface must show.
      guard error.code != .rateLimited || result.request != nil else { return }
      throw error
    }
    result.steps.append(.errand(.recall(order.preset, fade: order.fade), match.address))
  }

  /// The id of a preset, as the first argument.
  /// - Throws: `SessionError` badValue or badType.
  private func presetID(_ arguments: Arguments) throws(SessionError) -> PresetID {
    let id: PresetID = try arguments.id()
    guard !Table.reservedNames(below: "/preset").contains(id.name), id.name != "none" else {
      throw SessionError(.badValue, "\(id) is a word of addresses; choose another id")
    }
    return id
  }

  private struct Order {
    var preset: PresetID
    var fade: Double?
    var isStep = false
  }

  private func order(
    _ command: Command, _ match: Match, _ arguments: Arguments, _ presets: PresetStatus
  ) throws(SessionError) -> Order {
    switch command {
    case .recallPreset: return Order(preset: try presetID(arguments), fade: try fade(arguments, at: 1))
    case .goToStandby:
      guard let id = presets.standby else {
        throw SessionError(
          .notFound, "no preset is on standby, because the show has ended; set /preset/standby first")
      }
      return Order(preset: id, isStep: true)
    case .nextPreset, .previousPreset:
      let isNext = command == .nextPreset
      guard let id = presets.neighbour(of: presets.current, isNext ? 1 : -1) else {
        let current = presets.current.map { "\($0)" } ?? "the start"
        throw SessionError(
          .notFound, "there is no preset \(isNext ? "after" : "before") \(current) in the show")
      }
      return Order(preset: id, isStep: true)
    default:
      guard let id = match.target.preset else { throw SessionError(.notFound, "no preset is named") }
      return Order(preset: id, fade: try fade(arguments, at: 0))
    }
  }

  /// The fade of a recall in seconds; nil if none is given.
  private func fade(_ arguments: Arguments, at index: Int) throws(SessionError) -> Double? {
    guard arguments.all.count > index else { return nil }
    return min(max(try arguments.number(at: index), 0), PresetStatus.longestFade)
  }
}

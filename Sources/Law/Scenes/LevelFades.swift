import Parameters
import Presets
public import SessionModel

/// Decides how the levels of a recall move, from the states before and after.
///
/// A level that is heard before and after moves along the fade. One that is not heard before is set at once, because its stream rises by its
/// switch. One that is not heard any more keeps its value until its stream has fallen.
struct LevelFades {
  private let seconds: Double
  private var before: OpenLevels
  /// Sessions whose levels do not fade.
  var unfaded: Set<SessionID> = []

  /// - Parameters:
  ///   - before: the state before the recall.
  ///   - seconds: 0 for no fade.
  init(from before: RouterState, over seconds: Double) {
    (self.before, self.seconds) = (OpenLevels(before), seconds)
  }

  /// Whether a step sets a level that is heard before the recall, so that it may not change at once.
  mutating func setsHeardLevel(_ step: Step) -> Bool {
    guard seconds > 0, let (parameter, value) = step.setting, case .number = value, parameter.fadesInRecalls,
      unfaded.isEmpty || step.target.session.map({ !unfaded.contains($0) }) ?? true
    else { return false }
    return before.isOpen(step, of: parameter.owner)
  }

  /// The event that moves a level over the fade, if the level is still heard after the recall; nil if it is not.
  func move(_ step: Step, in after: inout OpenLevels) throws(SessionError) -> Event? {
    guard let (parameter, value) = step.setting, after.isOpen(step, of: parameter.owner),
      case .control(let moved) = parameter.binding, case .number(let number) = value
    else { return nil }
    return try moved.move(step.target, .store(number, over: seconds))
  }

  /// Whether a stream or session that is to be removed must first fall.
  var isFading: Bool { seconds > 0 }
}

extension Parameter {
  /// Whether a recall moves the value along its fade. Delays, times and thresholds change at once.
  fileprivate var fadesInRecalls: Bool {
    isLevel || parts.last.map { ["pan", "balance", "width", "trim"].contains($0) } ?? false
  }
}

/// Tells through which levels of a state sound passes, as far as switches decide that.
struct OpenLevels {
  private let state: RouterState
  /// The stream of the last question, and its destinations if sound leaves it. Most questions are about the same one.
  private var last: Question?

  private struct Question {
    let session: SessionID
    let stream: StreamID
    let open: Registry<PortID, Destination>?
    private var cursor = Registry<PortID, Destination>.Cursor()

    init(session: SessionID, stream: StreamID, open: Registry<PortID, Destination>?) {
      (self.session, self.stream, self.open) = (session, stream, open)
    }

    mutating func isOn(_ output: PortID) -> Bool { open?.read(output, at: &cursor, \.isOn) ?? false }
  }

  init(_ state: RouterState) { self.state = state }

  /// Whether sound passes the level that a step sets.
  ///
  /// It is asked about thousands of steps. A step is a reference, but a target has half a kilobyte, and a closure would copy the state.
  mutating func isOpen(_ step: Step, of owner: Table.Owner) -> Bool {
    if let session = step.target.session, let stream = step.target.stream {
      return isOpen(session, stream, step.target.output)
    }
    if owner == .player, let id = step.target.player, let player = state.players[id] {
      return player.isPlaying && !player.isMuted && !state.isMutedByGroup(.player(id))
        && isOpen(player.session, player.stream, nil)
    }
    return isOpen(step.target, owner)
  }

  /// The same for an object that is no part of a stream.
  private func isOpen(_ target: Target, _ owner: Table.Owner) -> Bool {
    switch owner {
    case .output:
      target.output.map { id in
        state.outputs.contains(id) { !$0.isMuted } && !state.isMutedByGroup(.output(id))
      } ?? false
    case .group: target.group.map { state.groups.contains($0) { !$0.isMuted } } ?? false
    case .input: target.input.map { state.inputs.contains($0) { !$0.isMuted } } ?? false
    case .captureSession, .captureInput:
      target.session.map { state.sessions.contains($0) { isCaptured(target, of: owner, by: $0) } } ?? false
    default: target.session.map { state.sessions.contains($0, where: isOpen) } ?? false
    }
  }

  private func isCaptured(_ target: Target, of owner: Table.Owner, by session: Session) -> Bool {
    guard state.isCaptureOpen(session) else { return false }
    return owner == .captureSession
      ? target.other.map { session.capture.sessions.contains($0, where: \.isOn) } ?? false
      : target.input.map(session.capturedInputs.contains) ?? false
  }

  /// - Parameter output: of a send; nil for the stream itself.
  private mutating func isOpen(_ session: SessionID, _ stream: StreamID, _ output: PortID?) -> Bool {
    if last?.session != session || last?.stream != stream {
      last = Question(session: session, stream: stream, open: openDestinations(session, stream))
    }
    guard last?.open != nil else { return false }
    guard let output else { return true }
    return last?.isOn(output) ?? false
  }

  /// The destinations of a stream that sound leaves; nil if none does.
  private func openDestinations(
    _ session: SessionID, _ stream: StreamID
  ) -> Registry<PortID, Destination>? {
    let open = state.sessions.read(session) { owner in
      isOpen(owner) && !state.isMutedByGroup(.stream(session, stream))
        ? owner.streams.read(stream) { $0.isMuted ? nil : $0.destinations } : nil
    }
    return (open ?? nil) ?? nil
  }

  private func isOpen(_ session: Session) -> Bool {
    state.isGateOpen(session, state.activity) && !session.isMuted
      && !state.isMutedByGroup(.session(session.id))
  }
}

/// A level that a recall has set, with the number of that change.
///
/// If the number is another one later, the operator has moved the level, and the recall leaves it alone.
public struct MarkedLevel: Sendable {
  let step: Step
  private let marking: Marking

  /// A state in which a recall has set levels. All its levels share it, because to read thousands of numbers that rarely matter takes long.
  final class Marking: Sendable {
    let state: RouterState
    init(_ state: RouterState) { self.state = state }
  }

  /// - Parameter step: sets a level.
  init(_ step: Step, _ marking: Marking) { (self.step, self.marking) = (step, marking) }

  var target: Target { step.target }

  /// The address of the level.
  public var address: String { step.address }

  /// Whether nothing has moved the level since it was marked.
  public func isUntouched(in state: RouterState) -> Bool {
    guard let control = step.control(in: state) else { return false }
    return control.revision == step.control(in: marking.state)?.revision
  }

  /// Whether the recall still moves the level.
  public func isMoving(in state: RouterState, at time: Double) -> Bool {
    isUntouched(in: state) && step.control(in: state)?.isFading(at: time) == true
  }

  /// When the level arrives, in seconds of the router's time; nil if it does not move.
  public func end(in state: RouterState) -> Double? { step.control(in: state)?.fade?.end }

  /// The same level, which a change that was no operator's has left as it is in a state.
  public func marked(in state: RouterState) -> Self { Self(step, Marking(state)) }

  /// The event that stops the level where it is; nil if nothing moves it, or the operator does.
  public func halt(in state: RouterState, at time: Double) -> Event? {
    guard isMoving(in: state, at: time),
      case .control(let moved)? = step.setting?.parameter.binding
    else { return nil }
    return try? moved.move(target, .stop)
  }
}

extension Step {
  /// The level that the step sets; nil if it sets none, or if its object does not exist.
  fileprivate func control(in state: RouterState) -> Control? {
    guard case .control(let moved)? = setting?.parameter.binding else { return nil }
    return moved.control(state, target)
  }
}

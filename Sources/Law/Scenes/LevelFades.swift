import Parameters
import Presets
public import SessionModel

/// Decides how the levels of a recall move, from the states before and after.
///
/// A level that is heard before and after moves along the fade. One that is not heard before is set at once, because its stream rises by its
/// switch. One that is not heard any more keeps its value until its stream has fallen.
struct LevelFades {
  private let seconds: Double
  private let before: RouterState
  /// Sessions whose levels do not fade.
  var unfaded: Set<SessionID> = []

  /// - Parameters:
  ///   - before: the state before the recall.
  ///   - seconds: 0 for no fade.
  init(from before: RouterState, over seconds: Double) { (self.before, self.seconds) = (before, seconds) }

  /// Whether a step sets a level that is heard before the recall, so that it may not change at once.
  func setsHeardLevel(_ step: Step) -> Bool {
    guard seconds > 0, step.target.session.map({ !unfaded.contains($0) }) ?? true,
      let (parameter, value) = step.setting, parameter.fadesInRecalls, case .number = value
    else { return false }
    return before.isOpen(step.target, of: parameter.owner)
  }

  /// The event that moves a level over the fade, if the level is still heard after the recall; nil if it is not.
  func move(_ level: MarkedLevel, in after: RouterState) throws(SessionError) -> Event? {
    guard after.isOpen(level.target, of: level.parameter.owner),
      case .control(let moved) = level.parameter.binding, case .number(let number) = level.wanted
    else { return nil }
    return try moved.move(level.target, .store(number, over: seconds))
  }

  /// Whether a stream or session that is to be removed must first fall.
  var isFading: Bool { seconds > 0 }
}

extension Parameter {
  /// Whether a recall moves the value along its fade. Delays, times and thresholds change at once.
  fileprivate var fadesInRecalls: Bool { isLevel || parts.last == "pan" }
}

extension RouterState {
  /// Whether sound passes a level, as far as switches decide that.
  fileprivate func isOpen(_ target: Target, of owner: Table.Owner) -> Bool {
    switch owner {
    case .output: target.output.map { outputs.contains($0) { !$0.isMuted } } ?? false
    case .input: target.input.map { inputs.contains($0) { !$0.isMuted } } ?? false
    case .player:
      target.player.flatMap { players[$0] }.map { player in
        player.isPlaying && !player.isMuted
          && isOpen(Target(session: player.session, stream: player.stream), of: .stream)
      } ?? false
    default: target.session.map { sessions.contains($0) { isOpen(target, of: owner, in: $0) } } ?? false
    }
  }

  private func isOpen(_ target: Target, of owner: Table.Owner, in session: Session) -> Bool {
    switch owner {
    case .captureSession:
      return isCaptureOpen(session)
        && target.other.map { session.capture.sessions.contains($0, where: \.isOn) } ?? false
    case .captureInput:
      return isCaptureOpen(session) && target.input.map(session.capturedInputs.contains) ?? false
    default: break
    }
    guard isGateOpen(session, activity), !session.isMuted else { return false }
    guard let id = target.stream else { return true }
    return session.streams.contains(id) { stream in
      !stream.isMuted && target.output.map { stream.destinations.contains($0, where: \.isOn) } ?? true
    }
  }
}

/// A level that a recall has set or is to set, with the number of its last change.
///
/// If the number is another one later, the operator has moved the level, and the recall leaves it alone.
public struct MarkedLevel: Sendable {
  private let step: Step
  let parameter: Parameter
  /// The value that the recall sets.
  let wanted: Value
  private(set) var revision: UInt32?

  /// Nil for a step that sets no parameter.
  init?(_ step: Step) {
    guard let (parameter, value) = step.setting else { return nil }
    (self.step, self.parameter, wanted) = (step, parameter, value)
  }

  var target: Target { step.target }

  /// The address of the level.
  public var address: String { parameter.address(at: target) }

  /// The same level with its present number.
  func marked(in state: RouterState) -> Self {
    var mark = self
    mark.revision = control(in: state)?.revision
    return mark
  }

  /// Whether nothing has moved the level since it was marked.
  func isUntouched(in state: RouterState) -> Bool {
    revision != nil && control(in: state)?.revision == revision
  }

  /// The level; nil if its object does not exist.
  func control(in state: RouterState) -> Control? {
    guard case .control(let moved) = parameter.binding else { return nil }
    return moved.control(state, target)
  }

  /// The event that stops the level where it is; nil if nothing moves it, or the operator does.
  public func halt(in state: RouterState, at time: Double) -> Event? {
    guard isUntouched(in: state), let control = control(in: state), control.isFading(at: time),
      case .control(let moved) = parameter.binding
    else { return nil }
    return try? moved.move(target, .stop)
  }
}

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
  private let after: RouterState
  /// Sessions whose levels do not fade.
  var unfaded: Set<SessionID> = []
  /// Whether `/reset` returns to the levels from now on.
  private let isStored: Bool

  /// No fade.
  init() { (seconds, before, after, isStored) = (0, RouterState(), RouterState(), true) }

  init(from before: RouterState, to after: RouterState, over seconds: Double, storing isStored: Bool) {
    (self.before, self.after, self.seconds, self.isStored) = (before, after, seconds, isStored)
  }

  /// How a step is carried out.
  enum Way {
    case now(Event)
    /// The level moves over the fade.
    case moving(Event, MarkedLevel)
    /// At the end of the fade.
    case later(Event, MarkedLevel)
  }

  func way(of event: Event, _ step: Step) throws(SessionError) -> Way {
    guard seconds > 0, step.target.session.map({ !unfaded.contains($0) }) ?? true,
      let (parameter, value) = step.setting, parameter.fadesInRecalls,
      case .control(let moved) = parameter.binding, case .number(let number) = value,
      before.isOpen(step.target, of: parameter.owner)
    else { return .now(event) }
    let mark = MarkedLevel(parameter: parameter, target: step.target)
    guard after.isOpen(step.target, of: parameter.owner) else {
      return .later(isStored ? event : try moved.move(step.target, .set(number)), mark)
    }
    let move: ControlMove = isStored ? .store(number, over: seconds) : .set(number, over: seconds)
    return .moving(try moved.move(step.target, move), mark)
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
    case .output: return target.output.flatMap { outputs[$0] }.map { !$0.isMuted } ?? false
    case .input: return target.input.flatMap { inputs[$0] }.map { !$0.isMuted } ?? false
    default: break
    }
    guard let session = target.session.flatMap({ sessions[$0] }) else { return false }
    switch owner {
    case .captureSession:
      return isCaptureOpen(session)
        && target.other.flatMap { session.capture.sessions[$0] }.map(\.isOn) ?? false
    case .captureInput:
      return isCaptureOpen(session) && target.input.map(session.capturedInputs.contains) ?? false
    default: break
    }
    guard isGateOpen(session, activity), !session.isMuted else { return false }
    guard let id = target.stream else { return true }
    guard let stream = session.streams[id], !stream.isMuted else { return false }
    return target.output.map { stream.destinations[$0]?.isOn ?? false } ?? true
  }
}

/// A level that a recall has set or is to set, with the number of its last change.
///
/// If the number is another one later, the operator has moved the level, and the recall leaves it alone.
public struct MarkedLevel: Sendable {
  let parameter: Parameter
  let target: Target
  private(set) var revision: UInt32?

  init(parameter: Parameter, target: Target) { (self.parameter, self.target) = (parameter, target) }

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

public import MixEngine
public import SessionModel

/// A part of the program that follows the router: an OSC surface, or the log with the events file.
///
/// The router calls its listeners in order on the policy thread. A listener must not wait for another program or a disk.
public protocol ControlListener: AnyObject {
  /// Called before the router decides on a fact from outside, such as a new device. From then on the early level of a fader could differ
  /// from the decision.
  func prepareForEvent()

  /// Called when a change is in force: its plan is published to the audio thread.
  func publish(_ change: Change)

  /// Called twice a second when nothing but measured values (`RouterState.loop`) has changed; the change has no events.
  func publishMeasurements(_ change: Change)

  /// Called with new meter values: the peaks since the last call.
  func measure(_ levels: MeterLevels)

  /// Whether the listener needs meter values, which come 50 times a second.
  var needsMeters: Bool { get }

  /// The addresses of the values whose faders clients touch. No recall moves them.
  var touchedAddresses: Set<String> { get }

  /// What the listener's clients went through.
  /// - Parameter time: seconds of the router's time.
  func troubles(at time: Double) -> ClientTroubles

  /// When `advance` must be called next, in seconds of the router's time; nil if nothing is under way.
  func nextDue(at time: Double) -> Double?

  /// Continues the feedback of fades, snapshots, and messages that a rate limit held back.
  func advance(_ state: RouterState, at time: Double)

  /// Sets the audio thread to which early levels may be sent from now on; nil while there is no audio server.
  func use(_ early: EarlySender?)
}

extension ControlListener {
  public func prepareForEvent() {}
  public func publishMeasurements(_ change: Change) {}
  public func measure(_ levels: MeterLevels) {}
  public var needsMeters: Bool { false }
  public var touchedAddresses: Set<String> { [] }
  public func troubles(at time: Double) -> ClientTroubles { ClientTroubles() }
  public func nextDue(at time: Double) -> Double? { nil }
  public func advance(_ state: RouterState, at time: Double) {}
  public func use(_ early: EarlySender?) {}
}

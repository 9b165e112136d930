public import MixEngine
public import SessionModel

/// A client's command. The router calls its functions in the order of this declaration, on the policy thread.
public protocol ControlCommand {
  /// Begins the command: takes the number of the early level that the client's transport sent for this command; nil if there is none.
  mutating func takeEarlyLevel() -> UInt64?

  /// Tries the command. Changes the state only if every part of the command is accepted.
  ///
  /// - Returns: the notifications to publish; nil if the client has no permission at all and gets no answer.
  mutating func decide(_ state: inout RouterState, at time: Double) -> [Notification]?

  /// The client and the settings that the command has set; nil if no client sent it. Called after `decide`.
  var author: Authorship? { get }

  /// Notes that the plan of the decision is published to the audio thread.
  ///
  /// - Parameter move: the stage that the command moved; nil if it moved several or did anything else.
  mutating func follow(_ move: SoleMove?)

  /// Answers the client. Listeners have received the change before.
  ///
  /// - Parameter statistics: reads the router's counters; called only if the client asked for them.
  /// - Returns: the answers that must wait until the audio thread has adopted the command.
  mutating func answer(
    _ state: RouterState, at time: Double, statistics: () -> [Statistic]
  ) -> [PendingAnswer]

  /// Ends the command. The router calls this last, also for a command that it drops because the router itself ends.
  func finish()
}

extension ControlCommand {
  public func takeEarlyLevel() -> UInt64? { nil }
  public var author: Authorship? { nil }
  public func follow(_ move: SoleMove?) {}
  public func finish() {}
}

/// The one stage of the mix that a command moved.
public struct SoleMove: Sendable {
  public let stage: EarlySender.Stage
  /// The new gain of the stage, as linear amplitude.
  public let target: Float

  public init(_ stage: EarlySender.Stage, to target: Float) { (self.stage, self.target) = (stage, target) }
}

/// An answer that waits until the audio thread has adopted all earlier commands.
public struct PendingAnswer {
  /// Sends the answer, or an error if the command can no longer be adopted because there is no audio server.
  public let send: (SessionError?) -> Void

  public init(_ send: @escaping (SessionError?) -> Void) { self.send = send }
}

/// A counter of the router, for `/system/stats`.
public struct Statistic: Equatable, Sendable {
  public let name: String
  public let count: Int

  public init(_ name: String, _ count: Int) { (self.name, self.count) = (name, count) }
}

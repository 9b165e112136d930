/// What is soloed, and which talkbacks are open. It is no setting of a show: no preset and no kept state has it.
public struct Monitoring: Equatable, Sendable {
  /// What is soloed, in the order of the solos.
  public var solos: [SoloTarget] = []
  /// The sends that their outputs hear by themselves, in the order of the solos.
  public var sends: [SoloedSend] = []
  /// The open talkbacks, in the order in which they were opened.
  public var talkbacks: [OpenTalkback] = []
  public init() {}

  /// Whether nothing is soloed and no talkback is open.
  public var isEmpty: Bool { solos.isEmpty && sends.isEmpty && talkbacks.isEmpty }

  /// Whether a session's talkback is open.
  public func isOpen(_ session: SessionID) -> Bool { talkbacks.contains { $0.session == session } }
}

/// A send that its output hears by itself: a musician's solo in their own mix.
public struct SoloedSend: Hashable, Sendable {
  public var session: SessionID
  public var stream: StreamID
  public var output: PortID

  public init(_ session: SessionID, _ stream: StreamID, to output: PortID) {
    (self.session, self.stream, self.output) = (session, stream, output)
  }

  /// The send in words, such as `band.drums to iem1`.
  public var words: String { "\(session).\(stream) to \(output)" }
}

extension RouterState {
  /// Whether a send is on.
  public func isOn(_ send: SoloedSend) -> Bool {
    outputs.contains(send.output)
      && sessions.read(send.session) { session in
        session.category == .multiRoute
          && session.streams.contains(send.stream) {
            $0.destinations.contains(send.output, where: \.isOn)
          }
      } ?? false
  }

  /// Whether an output hears other sends by themselves, so that this one is silent there.
  public func isOutsoloed(_ session: SessionID, _ stream: StreamID, at output: PortID) -> Bool {
    guard !monitoring.sends.isEmpty else { return false }
    let here = monitoring.sends.filter { $0.output == output }
    return !here.isEmpty && !here.contains(SoloedSend(session, stream, to: output))
  }
}

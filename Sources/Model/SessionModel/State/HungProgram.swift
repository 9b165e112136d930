/// A program that hangs, while the audio server or calls to it wait for the program.
public struct HungProgram: Equatable, Sendable {
  /// Its JACK client.
  public let client: String
  /// Whether the router has removed the connections at the program's outputs, so that sound goes on without it. Otherwise only calls to the
  /// server wait.
  public let isDisconnected: Bool

  public init(_ client: String, isDisconnected: Bool) {
    (self.client, self.isDisconnected) = (client, isDisconnected)
  }

  /// For the log and for `status`.
  public var sentence: String {
    isDisconnected
      ? "the program \(client) hangs: its outputs are disconnected until it goes on, so that all else sounds"
      : "waiting for JACK: the program \(client) does not answer"
  }
}

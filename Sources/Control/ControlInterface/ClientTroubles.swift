/// What the clients of a listener went through, as the rules of health look at it.
public struct ClientTroubles: Equatable, Sendable {
  /// How often packets were lost on the way to or from each client since the start, by the client's name and address.
  public var losses: [String: Int] = [:]
  /// The surfaces of the configuration that have refused packets for 30 s.
  public var refusing: [String] = []
  /// The clients that greeted regularly, and are silent without a goodbye.
  public var silent: [String] = []

  public init() {}
}

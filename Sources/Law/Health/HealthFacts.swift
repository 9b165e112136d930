/// What the rules of health look at beside the router's state: the audio thread's priority, the disk, and what the clients went through.
public struct HealthFacts: Equatable, Sendable {
  /// Whether the audio thread has a real-time priority; nil while that is unknown.
  public var isRealtime: Bool?
  /// The disk of the recordings; nil if there is none, or it does not answer.
  public var disk: Disk?
  /// The number of packets that were lost on the way to or from each client since the start, by the client's name and address.
  public var losses: [String: Int] = [:]
  /// The surfaces of the configuration that refuse packets.
  public var refusing: [String] = []
  /// The clients that greeted regularly, and are silent without a goodbye.
  public var silent: [String] = []

  public init() {}

  /// The disk of a folder.
  public struct Disk: Equatable, Sendable {
    public var folder: String
    /// Free bytes.
    public var free: Int
    public init(folder: String, free: Int) { (self.folder, self.free) = (folder, free) }
  }
}

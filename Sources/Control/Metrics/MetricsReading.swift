public import ControlInterface

/// Everything that the page of metrics tells, as one value. Parts that are measured elsewhere are nil until a part of the program reads them.
public struct MetricsReading: Sendable {
  public var router = RouterReading()
  public var events = EventCounts()
  public var surface = SurfaceReading()
  public var process: ProcessReading?
  /// The version of the program.
  public var version = ""
  /// Free bytes of the disks of folders, by a word for each folder.
  public var freeBytes: [(folder: String, bytes: Int)] = []

  public init() {}
}

/// What the OSC surface counts.
public struct SurfaceReading: Sendable {
  /// The address at which OSC is received first.
  public var address = ""
  public var transports: [Transport] = []

  public struct Transport: Sendable {
    /// The name of the transport, such as `udp`.
    public var name: String
    /// Packets that arrived so far.
    public var packets: Int
    /// Clients that are registered now.
    public var clients: Int

    public init(_ name: String, packets: Int, clients: Int) {
      (self.name, self.packets, self.clients) = (name, packets, clients)
    }
  }

  public init() {}
}

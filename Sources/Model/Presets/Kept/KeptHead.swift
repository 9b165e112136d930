/// The head of a kept state: the preset that was in force when the state was written, that of the run, and the connections to give back to
/// other programs.
public struct KeptHead: Equatable, Sendable {
  /// The preset's id.
  public var preset: String
  /// The preset's file.
  public var path: String
  /// The preset's hash (`Preset.hash`) as text.
  public var hash: String
  /// The time when the state was written, in ISO 8601.
  public var time: String
  /// The file of the preset with which the run began; nil if the run began without one.
  public var start: String?
  /// Whether a setting had changed since the preset came into force.
  public var isModified = false
  /// The connections to give back to other programs; nil if there are none.
  public var taken: TakenConnections?

  public init(preset: String, path: String, hash: String, time: String, taken: TakenConnections? = nil) {
    (self.preset, self.path, self.hash, self.time, self.taken) = (preset, path, hash, time, taken)
  }
}

/// Connections that exclusive streams took from other programs. The next run gives them back at the same
/// server, even if this run crashes.
public struct TakenConnections: Equatable, Sendable {
  /// Identifies one run of an audio server.
  public var server: String
  public var connections: Set<Connection>

  /// A connection between two JACK ports, by their full names.
  public struct Connection: Hashable, Sendable {
    public var source: String
    public var sink: String
    public init(source: String, sink: String) { (self.source, self.sink) = (source, sink) }
  }

  public init(server: String, connections: Set<Connection>) {
    (self.server, self.connections) = (server, connections)
  }
}

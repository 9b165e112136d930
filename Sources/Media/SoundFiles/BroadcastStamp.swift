/// When and by what a recording was made, for workstations that line recordings up in time (EBU Tech 3285).
public struct BroadcastStamp: Hashable, Sendable {
  /// At most 256 bytes of ASCII.
  public var description: String
  /// The program; at most 32 bytes of ASCII.
  public var originator: String
  /// The day, as `2026-03-01`.
  public var date: String
  /// The time of day, as `20:15:00`.
  public var time: String
  /// The first frame of the recording, counted from midnight at the file's rate.
  public var framesSinceMidnight: Int

  public init(
    description: String, originator: String, date: String, time: String, framesSinceMidnight: Int
  ) {
    (self.description, self.originator) = (description, originator)
    (self.date, self.time, self.framesSinceMidnight) = (date, time, framesSinceMidnight)
  }
}

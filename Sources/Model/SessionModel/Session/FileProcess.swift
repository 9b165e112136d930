/// A file that a session of the category audioProcessing processes offline: a job (docs/develop/law/categories.md#6-offline-sound).
public struct FileProcess: Equatable, Sendable {
  /// Tells jobs apart; no two jobs of a run have the same number.
  public let number: Int
  /// The names of both files in the media folders.
  public let input: String
  public let output: String
  public var phase = Phase.waiting
  /// The part of the file that is done, 0 to 1.
  public var progress = 0.0

  public enum Phase: String, CaseIterable, Sendable {
    /// The job waits until another job ends.
    case waiting
    case started, done, failed, cancelled
  }

  public init(number: Int, input: String, output: String) {
    (self.number, self.input, self.output) = (number, input, output)
  }

  /// Whether the job runs, waits or is interrupted.
  public var isPending: Bool { phase == .waiting || phase == .started }
}

/// A step of a job in one session.
public enum ProcessEvent: Equatable, Sendable {
  case began(FileProcess)
  /// The job of this number has begun to work.
  case started(Int)
  case progress(Int, Double)
  case done(Int)
  case failed(Int, SessionError)
  /// A client ends the job.
  case cancelled
}

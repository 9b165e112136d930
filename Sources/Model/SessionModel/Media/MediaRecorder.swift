/// A recorder: a tap on a session, a stream, an output or an input that records into sound files.
public struct MediaRecorder: Equatable, Sendable {
  public let id: RecorderID
  public let source: RecorderSource

  // MARK: Settings; a change holds from the next file on

  public var format = RecordingFormat.wav
  public var quality = RecordingQuality.medium
  /// Sample rate of the files in Hz; 0 for the server's.
  public var rate = 0
  /// Channels of the files, 1 to 64; 0 for those of the source.
  public var channels = 0
  public var bits = 24
  /// Template of the files' names.
  public var template = Self.standardTemplate
  /// Longest length of a file in seconds; 0 for none.
  public var limit = 0.0
  /// Seconds from before `record` that a file begins with, 0 to 30.
  public var before = 0.0

  // MARK: Transport

  public var transport = RecorderTransport.stopped
  /// Whether the recorder shall be ready to begin at once.
  public var isPrepared = false
  /// When the recorder begins, in seconds of the router's time; nil to begin at once. For a recorder that records.
  public var startTime: Double?
  /// Number of orders to the transport so far.
  public var orders = 0

  /// The session by whose permission an input is recorded, from `record` until `stop`; nil for all other sources.
  public var session: SessionID?

  // MARK: Facts

  public var facts = RecorderFacts()

  public init(id: RecorderID, source: RecorderSource) { (self.id, self.source) = (id, source) }

  public static let standardTemplate = "{recorder}-{date}-{time}"
  public static let longestBefore = 30.0
  /// Longest length of a file in seconds.
  public static let longestLimit = 604_800.0
  /// Hz. Players take no lower ones.
  public static let (lowestRate, highestRate) = (4_000, 384_000)

  /// Whether the recorder records, or will begin at a time that is set.
  public var isRecording: Bool { transport == .recording }

  /// Whether the operator wants it to record: it does, or it waits for its device.
  public var isWanted: Bool { transport == .recording || transport == .waiting }

  /// Whether it is ready to begin at once. One that begins with what was heard before listens from its creation on.
  public var isReady: Bool { isPrepared || before > 0 }

  /// Whether the recorder records now: a start that is scheduled has come.
  public var isRunning: Bool { isRecording && startTime == nil }

  /// What the recorder does, in the words of surfaces.
  public var state: RecorderState {
    switch transport {
    case .recording where startTime != nil: .prepared
    case .recording: .recording
    case .waiting: .waiting
    case .paused: .paused
    case .interrupted: .interrupted
    case .stopped: isReady ? .prepared : .stopped
    }
  }

  /// Seconds in the present file at a time.
  public func time(at time: Double) -> Double { facts.seconds + (time - facts.time) * facts.speed }
}

/// What a recorder records.
public enum RecorderSource: Hashable, Sendable {
  /// All streams of a session, after their gains and mutes.
  case session(SessionID)
  /// One stream, after the gains and mutes of stream and session.
  case stream(SessionID, StreamID)
  /// What a device gets, after the output's delay, gain and limiter.
  case output(PortID)
  /// An input after its gain and mute; needs a session with permission (docs/develop/law/media.md).
  case input(PortID)

  /// The source as presets and addresses write it, such as `stream:show.band`.
  public var text: String {
    switch self {
    case .session(let id): "session:\(id)"
    case .stream(let session, let stream): "stream:\(session).\(stream)"
    case .output(let port): "output:\(port)"
    case .input(let port): "input:\(port)"
    }
  }

  /// Reads `session:<s>`, `stream:<s>.<t>`, `output:<o>` or `input:<i>`; nil if the text is none of these.
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[text.index(after: colon)...]
    switch text[..<colon] {
    case "session":
      guard let id = SessionID(name) else { return nil }
      self = .session(id)
    case "stream":
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let session = SessionID(parts[0]), let stream = StreamID(parts[1]) else {
        return nil
      }
      self = .stream(session, stream)
    case "output":
      guard let id = PortID(name) else { return nil }
      self = .output(id)
    case "input":
      guard let id = PortID(name) else { return nil }
      self = .input(id)
    default: return nil
    }
  }
}

/// What the operator and the law want a recorder to do.
public enum RecorderTransport: String, CaseIterable, Sendable {
  case stopped, recording, paused
  /// Paused by an interruption of the session whose input it records; goes on when that session resumes.
  case interrupted
  /// Begins by itself when the device that it shall record is there.
  case waiting
}

/// The states of a recorder as surfaces show them.
public enum RecorderState: String, CaseIterable, Sendable {
  case stopped, prepared, recording, paused, interrupted, waiting
}

public enum RecordingFormat: String, CaseIterable, Sendable { case wav, flac, opus }

/// The work of a flac, or the bit rate of an Opus file (AVAudioQuality).
public enum RecordingQuality: String, CaseIterable, Sendable { case min, low, medium, high, max }

/// What a recorder has reported.
public struct RecorderFacts: Equatable, Sendable {
  /// The name of the present or last file below the folder of recordings; empty before the first one.
  public var file = ""
  /// Whether that file is being written. A stopped recorder finishes its file a moment later.
  public var isOpen = false
  /// Seconds in the present file when it was last reported, the router's time then, and whether it grows (1) or not (0).
  public var seconds = 0.0
  public var time = 0.0
  public var speed = 0.0
  /// Seconds that wait for the disk.
  public var buffered = 0.0
  /// Seconds for which silence stands because the disk was too slow.
  public var lost = 0.0
  public init() {}
}

/// Names a recorder.
public typealias RecorderID = Identifier<MediaRecorder>

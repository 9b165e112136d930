public import Queues

/// Plays sound files into one stream of a session, one item of a queue after another.
///
/// The value has two parts: the settings and the transport that the operator and the law want, and the facts that the
/// player has reported. A thread that reads files carries out the wanted part (`Router`).
public struct MediaPlayer: Equatable, Sendable {
  public let id: PlayerID
  /// The stream that mixes the player's sound with its own sources. The player has as many channels as the stream.
  public let session: SessionID
  public let stream: StreamID

  // MARK: Settings

  /// dB.
  public var gain = Control(0)
  public var isMuted = false
  /// Balance from -1 (left) to 1 (right); 0 changes nothing.
  public var pan = Control(0)
  /// Speed with the pitch kept, 0.25 to 4.
  public var rate = 1.0
  /// Number of times that each item is repeated; `endless` for repeats without end.
  public var loops = 0
  public var finish = FinishConduct.nothing
  /// The loudness in LUFS to which every item is normalised, -40 to -6; nil for no normalisation.
  public var normalisation: Double?
  /// Crossfade between items in seconds, 0 to 30; 0 for joined items without a gap.
  public var crossfade = 0.0
  /// Whether `/remote` may reach the player.
  public var isRemote = true
  /// Whether the queue, the position and the transport survive a restart of the router.
  public var isKept = false
  /// The items, with the modes of repeat and shuffle.
  public var queue: Shared<PlayQueue>
  /// The words that were resolved to the queue's items, such as names of files and folders; nil once the queue was
  /// edited item by item.
  public var contents: [String]? = []
  /// The search for the files that `contents` names; nil once they are found.
  public var search: Search?

  // MARK: Transport

  public var transport = PlayerTransport.stopped
  /// Whether the player must be ready to start at once.
  public var isPrepared = false
  /// The held button that winds the player. It has an effect only while the player plays.
  public var winding = PlayerWinding.none
  /// The last seek.
  public var jump: Jump
  /// When a player with the transport `playing` starts, in seconds of the router's time; nil if the player need not
  /// wait.
  public var startTime: Double?
  /// Number of transport orders so far. The audio thread gets each order once, even if it equals the last one.
  public var orders = 0
  /// Number of passes so far. Each start of an item is a pass, and so is each repeat.
  public var passes = 0
  /// The last pass that `Notification.nowPlaying` has announced; nil before the first.
  public var announced: Int?

  // MARK: Facts

  public var facts = PlayerFacts()

  public init(id: PlayerID, session: SessionID, stream: StreamID, seed: UInt64) {
    (self.id, self.session, self.stream) = (id, session, stream)
    (queue, jump) = (Shared(PlayQueue(seed: seed)), Jump())
  }

  /// A seek in the present item.
  public struct Jump: Equatable, Sendable {
    /// Number of seeks so far.
    public var number = 0
    /// Seconds from the start of the item.
    public var seconds = 0.0
    public init() {}
  }

  /// What the player must do when the files of a queue are found.
  public struct Search: Equatable, Sendable {
    /// Index of the item that becomes the present one.
    public var index: Int?
    public init() {}
  }

  public static let endless = -1
  public static let rates = 0.25...4.0
  /// Greatest number of channels that have other speeds than 1, and fast forward: the library that keeps the pitch has no more.
  public static let mostStretchedChannels = 16
  public static let loudnesses = -40.0 ... -6.0
  public static let longestCrossfade = 30.0
  public static let mostLoops = 9_999
  /// Longest time until a scheduled start, in seconds.
  public static let longestDelay = 86_400.0
  /// Longest item in seconds that surfaces can seek in.
  public static let longestItem = 604_800.0

  /// Whether the player plays, or waits for its scheduled start.
  public var isPlaying: Bool { transport == .playing }

  /// Whether the player plays now. A player that waits for its scheduled start does not.
  public var isRunning: Bool { isPlaying && startTime == nil }

  /// The position at a time, in seconds from the start of the present item. The last mark says nothing about earlier
  /// times, so an earlier time counts as the time of the mark.
  public func position(at time: Double) -> Double {
    if facts.jump != jump.number { return jump.seconds }
    let moved = facts.mark.seconds + max(0, time - facts.mark.time) * facts.mark.speed
    return max(0, facts.duration.map { min($0, moved) } ?? moved)
  }

  /// The title of the present item; nil if there is none.
  public var title: String? { queue.value.present?.title }

  /// The position as a part of the item's length, 0 to 1; 0 while the length is unknown.
  public func progress(at time: Double) -> Double {
    guard let duration = facts.duration, duration > 0 else { return 0 }
    return min(1, position(at: time) / duration)
  }

  /// Whether the position moves by itself.
  public func isMoving(at time: Double) -> Bool {
    guard facts.jump == jump.number, facts.mark.speed != 0 else { return false }
    let position = position(at: time)
    return facts.mark.speed > 0 ? facts.duration.map { position < $0 } ?? true : position > 0
  }

  /// Seconds of the item per second; 0 unless the player plays.
  public var speed: Double { isRunning ? facts.mark.speed : 0 }

  /// The state of the player as surfaces show it.
  public var state: PlayerState {
    switch transport {
    case .playing where startTime != nil: .prepared
    case .playing where winding == .forward: .seekingForward
    case .playing where winding == .back: .seekingBackward
    case .playing: .playing
    case .paused: .paused
    case .interrupted: .interrupted
    case .stopped: isPrepared ? .prepared : .stopped
    }
  }
}

/// What the operator and the law want a player to do.
public enum PlayerTransport: String, CaseIterable, Sendable {
  case stopped, playing, paused
  /// Paused by an interruption of its session; the player goes on when the session resumes.
  case interrupted
}

/// The states of a player as surfaces show them (MPMusicPlaybackState, and `prepared`).
public enum PlayerState: String, CaseIterable, Sendable {
  case stopped, prepared, playing, paused, interrupted, seekingForward, seekingBackward
}

/// A held button that winds a player four times as fast, 12 dB lower.
public enum PlayerWinding: Sendable { case none, forward, back }

/// What the end of a player's last item does to its session.
public enum FinishConduct: String, CaseIterable, Sendable {
  case nothing
  /// Deactivates the session and notifies the others, so that a session that it interrupted may resume.
  case deactivate
}

/// A player's reports about its present item.
public struct PlayerFacts: Equatable, Sendable {
  /// Number of the last `MediaPlayer.Jump` that the player has carried out.
  public var jump = 0
  /// The last reported position and speed.
  public var mark = Mark()
  /// Length of the item in seconds; nil while unknown.
  public var duration: Double?
  /// Whether the player can start at once.
  public var isReady = false
  /// LUFS; nil while unknown.
  public var loudness: Double?
  /// The highest sample of the item in dBFS; nil while unknown.
  public var peak: Double?
  /// Seconds of decoded sound that wait to be played.
  public var buffered = 0.0
  /// Number of times that frames were missing.
  public var underruns = 0
  public init() {}

  /// The player's position at a time, and its speed from then on.
  public struct Mark: Equatable, Sendable {
    /// Seconds from the start of the item.
    public var seconds = 0.0
    /// In seconds of the router's time.
    public var time = 0.0
    /// Seconds of the item per second; 0 while the player stands, negative while it winds back.
    public var speed = 0.0
    public init(seconds: Double = 0, time: Double = 0, speed: Double = 0) {
      (self.seconds, self.time, self.speed) = (seconds, time, speed)
    }
  }
}

/// Names a player.
public typealias PlayerID = Identifier<MediaPlayer>

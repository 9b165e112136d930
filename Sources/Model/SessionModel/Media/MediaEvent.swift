public import Queues

/// A command to a player, or a fact that it reports.
public enum MediaPlayerEvent: Equatable, Sendable {
  /// - Parameter seed: decides the random orders of shuffle; the law has no chance of its own.
  case create(SessionID, StreamID, seed: UInt64)
  case remove
  case set(PlayerSetting)
  case order(PlayerOrder)
  case queue(QueueEdit)
  case report(PlayerReport)
}

/// An order to a player's transport.
public enum PlayerOrder: Equatable, Sendable {
  /// Plays after so many seconds; 0 is at once. Activates an inactive session first, and is refused if the law refuses that.
  case play(after: Double = 0)
  case pause
  case toggle
  /// Stops and keeps the place; the second one goes to the beginning of the item.
  case stop
  case prepare
  /// Goes to a place in seconds from the start of the item.
  case seek(Double)
  /// Goes to a part of the item, 0 to 1.
  case seekPart(Double)
  case wind(PlayerWinding, Bool)
  case next
  /// To the item before, or with shuffle to the one heard before.
  case previous
  /// To the beginning of the present item.
  case beginning
  /// To the item of an index, counted from 0.
  case go(Int)
}

/// An operator's setting of a player.
public enum PlayerSetting: Equatable, Sendable {
  case gain(ControlMove)
  case muted(Bool)
  case pan(ControlMove)
  case rate(Double)
  case loops(Int)
  case finish(FinishConduct)
  case normalisation(Double?)
  case crossfade(Double)
  case remote(Bool)
  case kept(Bool)
  case repeats(RepeatMode)
  case shuffles(ShuffleMode)
}

/// A change of a player's queue. The files are found before, off the policy thread.
public enum QueueEdit: Equatable, Sendable {
  case add([QueueItem])
  case insert([QueueItem], at: Int)
  case move(from: Int, to: Int)
  case remove(Int)
  case clear
  /// Replaces all items by those that words mean: names of files, folders and playlists, media ids, and queries. The router looks for them and
  /// then sends `found`.
  case contents([String])
  /// The items that the player's `contents` mean. Ignored if they are other words meanwhile.
  case found([QueueItem], for: [String])
  /// Replaces all items.
  case replace([QueueItem])
}

/// What a player reports. `pass` is `MediaPlayer.passes` of the item that it is about: a report about an item before is ignored.
public enum PlayerReport: Equatable, Sendable {
  /// The item that follows began to sound, or is known to be broken, so that it is skipped.
  case advanced(pass: Int, intoBroken: Bool = false)
  /// The last item has ended.
  case finished(pass: Int)
  /// The item cannot be played, or ends early, for the reason of the sentence.
  case failed(pass: Int, SessionError)
  case facts(pass: Int, PlayerFacts)
  /// The time of a scheduled start has come.
  case started
}

/// A command to a recorder, or a fact that it reports.
public enum MediaRecorderEvent: Equatable, Sendable {
  case create(RecorderSource)
  case remove
  case set(RecorderSetting)
  case order(RecorderOrder)
  case report(RecorderReport)
}

/// An order to a recorder's transport.
public enum RecorderOrder: Equatable, Sendable {
  /// Records after so many seconds; 0 is at once.
  case record(after: Double = 0)
  case pause
  case stop
  case prepare
}

/// An operator's setting of a recorder.
public enum RecorderSetting: Equatable, Sendable {
  case format(RecordingFormat)
  case quality(RecordingQuality)
  case rate(Int)
  case channels(Int)
  case bits(Int)
  case template(String)
  case limit(Double)
  case before(Double)
}

/// What a recorder reports.
public enum RecorderReport: Equatable, Sendable {
  case facts(RecorderFacts)
  case started
  /// A file is finished because it has reached the longest length.
  case limit
  /// The file could not be begun, or not be written on.
  case failed(SessionError)
}

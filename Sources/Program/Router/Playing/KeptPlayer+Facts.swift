import MediaKernel
import Players
import SessionModel
import SoundConversion

extension KeptPlayer {
  /// Seconds between two looks at a player that is heard.
  private static let pace = 0.5
  /// Seconds between two looks at a player that waits for the disk or the audio thread.
  private static let waiting = 0.05
  /// Seconds by which a position may deviate from the reported one, more than two periods of any device.
  private static let tolerance = 0.1
  /// Smallest change in seconds of what lies ready that is reported.
  private static let step = 0.2

  /// Looks at the player, and decides when to look again.
  /// - Returns: what is new of the present item; nil if nothing is.
  func look(at time: Double) -> PlayerFacts? {
    let isHeard = player.store.isSounding
    let isSettled =
      !player.isSeeking && isHeard == (wanted.isPlaying && start == nil)
      && (!wanted.isPrepared || player.isPrepared)
    look = !isSettled ? time + Self.waiting : isHeard ? time + Self.pace : nil
    if let start = wanted.startTime, isSettled || !isHeard {
      look = max(time + Self.waiting, min(look ?? start, start))
    }
    let now = facts(at: time, isHeard: isHeard)
    return now == wanted.facts ? nil : now
  }

  /// Looks at the player for the last time: the server is gone.
  func lastFacts(at time: Double) -> PlayerFacts {
    var facts = facts(at: time, isHeard: false)
    facts.mark = PlayerFacts.Mark(seconds: player.position, time: time)
    (facts.isReady, facts.buffered) = (false, 0)
    return facts
  }

  private func facts(at time: Double, isHeard: Bool) -> PlayerFacts {
    var facts = wanted.facts
    if !player.isSeeking { facts.jump = wanted.jump.number }
    facts.duration = player.duration ?? facts.duration
    if let loudness {
      facts.loudness = loudness.loudness
      facts.peak = Decibels(amplitude: loudness.peak).value
    }
    facts.isReady = player.isPrepared
    facts.underruns = player.store.underruns
    if abs(player.buffered - facts.buffered) >= Self.step || !isHeard {
      facts.buffered = isHeard ? player.buffered : 0
    }
    let (speed, seconds) = (isHeard ? speed : 0, player.position)
    let isFar = abs(wanted.position(at: time) - seconds) > Self.tolerance
    if facts.jump != wanted.facts.jump || speed != facts.mark.speed || isFar {
      facts.mark = PlayerFacts.Mark(seconds: seconds, time: time, speed: speed)
    }
    return facts
  }

  /// Seconds of the item for each second that is heard.
  private var speed: Double {
    switch wanted.winding {
    // Not always the wanted one: a stream may have got more channels than can be played faster.
    case .none: player.rate
    case .forward: 4
    case .back: -4
    }
  }
}

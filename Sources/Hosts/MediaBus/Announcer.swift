/// Tells what is new since the last announcement: a value, so that a thousand changes at once are one announcement.
struct Announcer {
  /// What listeners have to be told.
  struct News: Equatable {
    /// The properties that have other values.
    var changed: [String: BusValue] = [:]
    /// The place after a jump, in seconds.
    var jump: Double?

    var isEmpty: Bool { changed.isEmpty && jump == nil }
  }

  /// Seconds between two announcements.
  static let interval = 0.05
  /// Seconds that a position may differ from the expected one before it is a jump.
  static let tolerance = 0.1

  /// Our player as listeners know it: what was told last, with the place that they expect from it.
  private var known: NowPlaying?
  private var last = -Double.infinity

  /// When the next news may be told.
  var due: Double { last + Self.interval }

  /// - Parameter now: what a new listener knows by asking.
  init(_ now: NowPlaying?) { known = now }

  /// What listeners do not know.
  func news(of now: NowPlaying?) -> News {
    let (old, new) = (NowPlaying.properties(known), NowPlaying.properties(now))
    let changed = new.filter { old[$0.key] != $0.value }
    guard let now, now.track != nil else { return News(changed: changed) }
    let actual = now.position(at: now.place.time)
    let isJump = abs(actual - expectedPlace(of: now)) > Self.tolerance
    return News(changed: changed, jump: isJump ? actual : nil)
  }

  /// Notes that the news were told.
  mutating func told(_ now: NowPlaying?, _ news: News, at time: Double) {
    var told = now
    // Small differences that were not told add up.
    if let now, news.jump == nil { told?.place.seconds = expectedPlace(of: now) }
    (known, last) = (told, time)
  }

  /// Where listeners expect the player: at the start of a track that begins, and otherwise where its rate has brought it.
  private func expectedPlace(of now: NowPlaying) -> Double {
    let isNew = now.track?.id != known?.track?.id
    let starts = known?.status == .stopped && now.status == .playing
    return isNew || starts ? 0 : known?.position(at: now.place.time) ?? 0
  }
}

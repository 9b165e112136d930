/// The presets that may be recalled, the one in force, and how recalls are carried out.
public struct PresetStatus: Equatable, Sendable {
  /// The presets of the library, by id with numbers in numeric order.
  public var library = Registry<PresetID, PresetEntry>()
  /// The order of the show, in which `/preset/next` and `/preset/go` proceed; empty for the order of the library.
  public var order: [PresetID] = []
  /// The preset in force.
  public var current: PresetID?
  /// The preset that `/preset/go` recalls.
  public var standby: PresetID?
  /// Whether a setting has changed since the recall, other than by the router itself.
  public var isModified = false
  /// Whether one has changed since the settings were last read to be stored; nil if they were not, or if they are stored by now.
  public var isModifiedSinceRead: Bool?
  /// Seconds of a recall's fade, 0 to 120.
  public var fade = 1.0
  /// Seconds after a recall in which another one of the same preset, or another step through the show, is ignored; 0 to 10.
  public var guardTime = 0.5
  /// The parts of the settings that a recall may change.
  public var scope = Set(Scope.allCases)
  /// Patterns of addresses that no recall touches.
  public var safes: [String] = []
  /// The fade that runs.
  public var fading: Fading?
  /// The last recall that was ordered.
  public var ordered: Ordered?

  public init() {}

  /// A recall's fade.
  public struct Fading: Equatable, Sendable {
    /// In seconds of the router's monotonic time.
    public let start: Double
    public let seconds: Double
    public init(start: Double, seconds: Double) { (self.start, self.seconds) = (start, seconds) }

    /// The part of the fade that has passed, 0 to 1.
    public func progress(at time: Double) -> Double {
      seconds > 0 ? min(max((time - start) / seconds, 0), 1) : 1
    }
  }

  /// An order to recall a preset.
  public struct Ordered: Equatable, Sendable {
    public let preset: PresetID
    public let time: Double
    public init(_ preset: PresetID, at time: Double) { (self.preset, self.time) = (preset, time) }
  }

  /// The preset that stands some places behind another one in the show; nil beyond its ends, and for one that is not in the show.
  public func neighbour(of preset: PresetID?, _ distance: Int) -> PresetID? {
    let show = order.isEmpty ? library.keys : order
    guard let preset, let index = show.firstIndex(of: preset), show.indices.contains(index + distance) else {
      return nil
    }
    return show[index + distance]
  }

  /// The longest fade of a recall in seconds.
  public static let longestFade = 120.0
  /// The longest time in seconds in which a second recall is ignored.
  public static let longestGuard = 10.0
}

/// A preset of the library.
public struct PresetEntry: Equatable, Sendable {
  /// The name for people.
  public var title: String
  /// Whether it may be neither replaced nor deleted.
  public var isLocked: Bool
  public init(title: String, isLocked: Bool = false) { (self.title, self.isLocked) = (title, isLocked) }
}

/// The id of a preset: the name of its file.
public typealias PresetID = Identifier<PresetEntry>

/// The part of the settings that a recall may change. Each settable leaf belongs to exactly one part.
public enum Scope: String, CaseIterable, Sendable {
  /// The kind of a session, and names.
  case category
  /// Which sessions are active, and what starts and ends them.
  case active
  /// Streams, their sources and destinations, captures, and which ports are used.
  case route
  /// Levels, and how fast they move.
  case gain
  case mute, pan, delay
  /// Ceilings, maxima and the lock.
  case limit
  case duck
  /// Players and recorders.
  case player
  /// Processing beside the mix.
  case process
}

/// A fact about presets and recalls.
public enum PresetEvent: Equatable, Sendable {
  /// The presets that the library has now, and the order of the show.
  case library(Registry<PresetID, PresetEntry>, order: [PresetID])
  /// A client orders a recall. A step goes on from the present place in the show: `/preset/go`, `/preset/next` and `/preset/prev`.
  case ordered(PresetID, isStep: Bool)
  /// The last order could not be carried out.
  case failed
  /// A preset has come into force, with a fade in seconds.
  case began(PresetID, fade: Double)
  /// The settings in force, which may still fade, are read to be stored.
  case read
  /// They were stored as a preset.
  case stored(PresetID)
  /// The preset that was in force before is in force again, as it was; nil if none was.
  case returned(PresetID?, standby: PresetID?, isModified: Bool, fade: Double)
  /// The preset in force was edited, and what differs moves with a fade in seconds.
  case reloaded(PresetID, fade: Double)
  /// The fade has ended.
  case ended
  /// The state is as it was stored, or differs from that.
  case modified(Bool)
}

/// An operator's setting of recalls.
public enum PresetSetting: Equatable, Sendable {
  case fade(Double)
  case guardTime(Double)
  case scope(Set<Scope>)
  case safes([String])
  case standby(PresetID?)
}

/// How far a recall has come.
public enum PresetPhase: String, Sendable {
  case started, done, aborted
  /// Done, but the law refuses a session's activation at present.
  case partial
}

/// What a session asks to be.
public struct SessionConfiguration: Equatable, Sendable {
  public var category: Category
  public var mode: Mode
  /// As asked for; `effectiveOptions` are what comes of them.
  public var options: SessionOptions

  public init(category: Category = .soloAmbient, mode: Mode = .default, options: SessionOptions = []) {
    (self.category, self.mode, self.options) = (category, mode, options)
  }

  /// A category alone: options are cleared, and a mode left over from before stays only where it is legal without them
  /// (semantics, section 1 rule 1 and decision G2).
  public init(category: Category, leftOver mode: Mode) {
    let isLegal = mode.categories.contains(category) && mode != .dualRoute
    self.init(category: category, mode: isLegal ? mode : .default)
  }

  /// The options in force: with what others imply, without what the category has anyway (semantics, sections 2 and 3).
  public var effectiveOptions: SessionOptions {
    var effective = options.union(mode.impliedOptions)
    if category != .playAndRecord { effective.subtract([.allowBluetoothA2DP, .allowAirPlay]) }
    if effective.contains(.duckOthers) { effective.insert(.mixWithOthers) }
    return effective
  }
}

/// The category, mode and options that a client or operator asks for.
public struct SessionConfiguration: Equatable, Sendable {
  public var category: Category
  public var mode: Mode
  /// The options as asked for; `effectiveOptions` are those in force.
  public var options: SessionOptions

  public init(category: Category = .soloAmbient, mode: Mode = .default, options: SessionOptions = []) {
    (self.category, self.mode, self.options) = (category, mode, options)
  }

  /// The configuration after only the category was set: the options are cleared, and the former mode stays if it is legal in the new
  /// category without options (docs/develop/law/categories.md#2-setting-a-category).
  public init(category: Category, leftOver mode: Mode) {
    let isLegal = mode.categories.contains(category) && mode != .dualRoute
    self.init(category: category, mode: isLegal ? mode : .default)
  }

  /// The options in force: with those that the mode or other options imply, and without those that the category always has (docs/develop/law/options.md#2-reading-options).
  public var effectiveOptions: SessionOptions {
    var effective = options.union(mode.impliedOptions)
    if category != .playAndRecord { effective.subtract([.allowBluetoothA2DP, .allowAirPlay]) }
    if effective.contains(.duckOthers) { effective.insert(.mixWithOthers) }
    return effective
  }
}

import SessionModel

/// What `multiroute render` was asked for.
public struct RenderOptions: Equatable, Sendable {
  /// An id or a path.
  public var preset: String
  /// At least one, each stream once.
  public var inputs: [StreamFile]
  /// At least one, each output once.
  public var outputs: [OutputFile]
  /// The file of timed OSC.
  public var script: String?
  /// Length; nil for that of the longest input.
  public var seconds: Double?
  /// Hz; nil for that of the first input.
  public var rate: Int?
  /// Frames.
  public var period: Int
  public var presetFolder: String?
  public var configuration: ConfigurationChoice

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    preset = arguments.positionals[0]
    inputs = arguments.all(.input).compactMap { StreamFile($0) }
    outputs = arguments.all(.output).compactMap { OutputFile($0) }
    script = arguments.text(.script)
    seconds = arguments.seconds(.renderSeconds)
    rate = arguments.integer(.rate)
    period = arguments.integer(.period) ?? 256
    presetFolder = arguments.text(.presets)
    configuration = ConfigurationChoice(arguments.text(.config))
    let twice =
      Self.repeated(inputs.map { "\($0.session).\($0.stream)" }).map { "--in names \($0) twice" }
      + Self.repeated(outputs.map(\.output.name)).map { "--out names \($0) twice" }
      + Self.repeated(outputs.map(\.path)).map { "--out writes \($0) twice" }
    guard twice.isEmpty else { throw .usage(of: .render, twice) }
  }

  private static func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }
  }
}

import SessionModel

/// The options of `multiroute render`.
public struct RenderOptions: Equatable, Sendable {
  /// A preset's id or path.
  public var preset: String
  /// Sound files for streams and inputs, each once; none for a show of players.
  public var inputs: [SourceFile]
  /// Files for outputs and captures: at least one, each once.
  public var outputs: [SinkFile]
  /// The path of the script; nil for none.
  public var script: String?
  /// Length in seconds; nil for the length of the longest input.
  public var seconds: Double?
  /// Sample rate in Hz; nil for that of the first input.
  public var rate: Int?
  /// Frames per period.
  public var period: Int
  /// Whether to print the progress in lines if it cannot be drawn.
  public var showsProgress: Bool
  public var presetFolder: String?
  public var mediaFolder: String?
  public var configuration: ConfigurationChoice

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    preset = arguments.positionals[0]
    inputs = arguments.all(.input).compactMap { SourceFile($0) }
    outputs = arguments.all(.output).compactMap { SinkFile($0) }
    script = arguments.text(.script)
    seconds = arguments.seconds(.renderSeconds)
    rate = arguments.integer(.rate)
    period = arguments.integer(.period) ?? 256
    showsProgress = arguments.has(.progress)
    presetFolder = arguments.text(.presets)
    mediaFolder = arguments.text(.media)
    configuration = ConfigurationChoice(arguments.text(.config))
    let twice =
      Self.repeated(inputs.map(\.source.description)).map { "--in names \($0) twice" }
      + Self.repeated(outputs.map(\.sink.description)).map { "--out names \($0) twice" }
      + Self.repeated(outputs.map(\.path)).map { "--out writes \($0) twice" }
    let endless = inputs.isEmpty && seconds == nil ? ["it needs --in or --seconds, or it would not end"] : []
    guard twice.isEmpty, endless.isEmpty else { throw .usage(of: .render, twice + endless) }
  }

  private static func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }
  }
}

/// What `multiroute demo` was asked for.
public struct DemoOptions: Equatable, Sendable {
  /// Ends after so many seconds, but not before the script has; nil until Ctrl-C.
  public var seconds: Double?
  /// Where a WAV file per output is written.
  public var recordingFolder: String?

  init(_ arguments: ParsedArguments) {
    seconds = arguments.seconds(.demoSeconds)
    recordingFolder = arguments.text(.record)
  }
}

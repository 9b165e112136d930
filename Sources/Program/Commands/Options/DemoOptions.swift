/// The options of `multiroute demo`.
public struct DemoOptions: Equatable, Sendable {
  /// Seconds until the demonstration ends, but not before the script has ended; nil goes on until Ctrl-C.
  public var seconds: Double?
  /// The folder for one WAV file per output; nil records nothing.
  public var recordingFolder: String?

  init(_ arguments: ParsedArguments) {
    seconds = arguments.seconds(.demoSeconds)
    recordingFolder = arguments.text(.record)
  }
}

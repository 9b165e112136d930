/// The folders of commands that use the music library.
public struct MusicOptions: Equatable, Sendable {
  /// The media folder instead of the user's own.
  public var mediaFolder: String?
  public var stateFolder: String?
  public var configuration: ConfigurationChoice

  init(_ arguments: ParsedArguments) {
    (mediaFolder, stateFolder) = (arguments.text(.media), arguments.text(.state))
    configuration = ConfigurationChoice(arguments.text(.config))
  }
}

/// The preset folder and configuration of commands that only read presets.
public struct LibraryOptions: Equatable, Sendable {
  public var presetFolder: String?
  public var configuration: ConfigurationChoice

  public init(presetFolder: String? = nil, configuration: ConfigurationChoice = .usual) {
    (self.presetFolder, self.configuration) = (presetFolder, configuration)
  }

  init(_ arguments: ParsedArguments) {
    self.init(
      presetFolder: arguments.text(.presets), configuration: ConfigurationChoice(arguments.text(.config)))
  }
}

import JSON5
import Presets

extension Configuration {
  /// Finds and reads the chosen configuration.
  ///
  /// Prints warnings. Without a file every setting has its default.
  /// - Throws: `CommandFailure` badPreset with every problem, unreadableFile when a chosen file cannot be read.
  public static func find(_ choice: ConfigurationChoice, _ context: Context) throws(CommandFailure)
    -> Configuration
  {
    let path: String
    switch choice {
    case .none: return Configuration()
    case .file(let chosen): path = chosen
    case .usual:
      guard let found = context.folders.configurations.first(where: Files.isFile) else {
        var configuration = Configuration()
        configuration.file = context.folders.configurations.first
        return configuration
      }
      path = found
    }
    let bytes = try Files.read(path)
    let (configuration, problems) = ConfigurationReader.read(
      bytes, file: path, environment: context.environment)
    guard var configuration else { throw CommandFailure(.badPreset, problems.map(\.description)) }
    for problem in problems { context.console.tell("\(problem)") }
    configuration.file = path
    return configuration
  }
}

import Effects
public import SystemCalls

/// Why a plugin cannot run. The description is a sentence without its point, for the operator.
public enum PluginError: Error, Equatable, CustomStringConvertible {
  /// liblilv cannot be loaded.
  case missingLibrary(DynamicLibrary.Missing)
  /// liblilv has no memory.
  case badWorld
  case notInstalled(String)
  /// The plugin asks for something that no effect here gets, or has the wrong ports.
  case refused(String, because: String)
  /// The plugin's own code says no, or its file cannot be loaded.
  case broken(String)
  case noPreset(String, plugin: String, there: [String])
  /// The plugin delays the sound by too much.
  case tooLate(String, frames: Int, most: Int)
  /// The plugin made something else than finite numbers of silence.
  case notFinite(String)
  /// The chain has a number of channels or effects that is not possible.
  case badChain(String)

  public var description: String {
    switch self {
    case .missingLibrary(let missing): "\(missing)"
    case .badWorld: "liblilv cannot be started"
    case .notInstalled(let uri):
      "the plugin \(uri) is not installed"
        + (EffectName.package(of: uri).map { "; \($0.advice())" } ?? "")
    case .refused(let name, let reason): "\(name) cannot be used: \(reason)"
    case .broken(let name):
      "\(name) cannot be started: its file is broken or missing, or it refuses the sample rate"
    case .noPreset(let preset, let plugin, let there):
      there.isEmpty
        ? "\(plugin) has no presets, and \(preset) is asked for"
        : "\(plugin) has no preset \(preset); it has \(there.joined(separator: ", "))"
    case .tooLate(let name, let frames, let most):
      "\(name) delays the sound by \(frames) frames, and \(most) are the most"
    case .notFinite(let name): "\(name) makes samples of silence that are no finite numbers"
    case .badChain(let why): why
    }
  }
}

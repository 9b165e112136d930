public import Presets
import SessionModel
import SystemCalls

/// The preset in force. A kept state belongs to one preset.
public struct KeptPreset: Equatable, Sendable {
  /// The preset's id.
  public let id: String
  /// The absolute path of the preset's file.
  public let path: String
  /// The text of `Preset.hash`.
  public let hash: String

  public init(_ preset: Preset) {
    self.init(id: preset.id.name, path: Self.absolute(preset.file), hash: preset.hash.description)
  }

  init(id: String, path: String, hash: String) { (self.id, self.path, self.hash) = (id, path, hash) }

  /// The relation of a kept state to a preset.
  public enum Match: Sendable {
    /// The state belongs to this preset, which has not changed since.
    case same
    /// The state belongs to this preset, but the preset or one that it extends was edited since.
    case edited
    /// The state belongs to another preset.
    case other
  }

  /// Compares this preset with the head of a kept state.
  public func match(_ head: KeptHead) -> Match {
    guard head.preset == id, head.path == path else { return .other }
    return head.hash == hash ? .same : .edited
  }

  private static func absolute(_ file: String) -> String {
    guard !file.hasPrefix("/"), let folder = try? System.getcwd() else { return file }
    return "\(folder)/\(file)"
  }
}

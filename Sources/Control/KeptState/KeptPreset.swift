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

  /// Whether a kept state belongs to this preset, edited since or not.
  public func isOwner(of head: KeptHead) -> Bool { (head.preset, head.path) == (id, path) }

  /// Whether the preset, or one that it extends, was edited since a state was kept that belongs to it.
  public func isEdited(since head: KeptHead) -> Bool { head.hash != hash }

  private static func absolute(_ file: String) -> String {
    guard !file.hasPrefix("/"), let folder = try? System.getcwd() else { return file }
    return "\(folder)/\(file)"
  }
}

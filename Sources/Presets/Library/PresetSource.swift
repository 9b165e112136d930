public import SessionModel

/// The bytes of a preset and where they come from.
public struct PresetSource: Sendable {
  public let id: PresetID
  /// The file as a person would name it; problems begin with it.
  public let file: String
  public let bytes: [UInt8]

  public init(id: PresetID, file: String, bytes: [UInt8]) {
    (self.id, self.file, self.bytes) = (id, file, bytes)
  }
}

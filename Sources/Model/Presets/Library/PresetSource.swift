public import SessionModel

/// The bytes of a preset, with the name of their file.
public struct PresetSource: Equatable, Sendable {
  public let id: PresetID
  /// The file's name, as shown to people. Problems begin with it.
  public let file: String
  public let bytes: [UInt8]

  public init(id: PresetID, file: String, bytes: [UInt8]) {
    (self.id, self.file, self.bytes) = (id, file, bytes)
  }
}

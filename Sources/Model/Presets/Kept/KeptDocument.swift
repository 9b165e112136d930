public import JSON5
public import SessionModel

/// A state that a router kept against a crash: a preset with a head. It can be read and checked like any
/// other preset.
public struct KeptDocument: Sendable {
  /// The preset that was in force, and the connections to give back to other programs.
  public let head: KeptHead
  /// Problems of the parts that could not be read and are left out.
  public let problems: [Problem]
  let document: PresetDocument

  /// Reads a kept state.
  ///
  /// The reader leaves out parts that it cannot read: it is better to lose one setting than all settings.
  /// - Parameter file: the file's name, as shown to people.
  /// - Returns: nil for an incomplete file, and for a file from an older version.
  public init?(_ bytes: [UInt8], file: String) {
    let (root, syntax) = JSON5Reader.read(bytes, file: file, sizeLimit: Self.sizeLimit)
    guard let root else { return nil }
    let log = ProblemLog(file: file, problems: syntax)
    document = DocumentReader.document(ValueReader(root, log: log))
    guard let kept = document.kept else { return nil }
    (head, problems) = (kept.head, log.problems)
  }

  /// The version of a document that a newer program wrote; nil for one that this program reads, and for bytes that are no document.
  public static func newerVersion(_ bytes: [UInt8], file: String) -> Int? {
    guard case .object(let members)? = JSON5Reader.read(bytes, file: file, sizeLimit: sizeLimit).value?.kind,
      case .number(let version, _)? = members.first(where: { $0.key == "multiroute" })?.value.kind
    else { return nil }
    return version > 1 ? Int(exactly: version.rounded(.up)) : nil
  }

  /// The kept state that was read as a preset; nil for a preset that a person wrote.
  public init?(_ preset: Preset) {
    guard let kept = preset.document.kept else { return nil }
    (head, problems, document) = (kept.head, [], preset.document)
  }

  /// The most bytes of a kept state. A program writes it, so it may be larger than a preset that a person
  /// writes.
  public static let sizeLimit = 64 << 20
}

extension Preset {
  /// A kept state as the preset that was in force, in the place of its file.
  public init(_ kept: KeptDocument) {
    self.init(
      id: PresetID(slugging: kept.head.preset), file: kept.head.path, hash: ContentHash(),
      document: kept.document)
  }

  /// Whether a router wrote the preset to keep its state. What the law refuses of it now is left out, since a device may be gone.
  public var isKept: Bool { document.kept != nil }
}

/// The state after the restoration of a kept one.
public struct RestoredState: Sendable {
  public let state: RouterState
  /// Notifications for the listeners, in order.
  public let notifications: [Notification]
  /// Settings that could not be restored, by their keys in the kept document, such as `sessions.show.gain`.
  public let leftOut: [String]
}

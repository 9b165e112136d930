public import SoundFiles

/// How a recorder records. A change holds from the next file on.
public struct RecorderSettings: Hashable, Sendable {
  /// Where the files go. It is made if only its last part is missing: the folder of a disk that is not there is not made elsewhere.
  public var folder: String
  /// The user's own media folder, which is made for the first recording as far as it is missing; nil if another folder is set.
  public var ownFolder: String?
  public var template = RecordingTemplate.standard
  /// What stands for the word `{scene}` of the template, and for `{session}`.
  public var scene = ""
  public var session = ""
  public var coding: SoundCoding
  /// Sample rate of the file in Hz; nil for the rate of the plan, or 48 kHz for opus if it has not that rate.
  public var rate: Int?
  /// Seconds from before `record` that the file begins with, 0 to 30.
  public var before = 0.0
  /// Longest length of a file in seconds; nil for none.
  public var limit: Double?

  public static let mostBefore = 30.0

  public init(folder: String, coding: SoundCoding = SoundCoding(.wav)) {
    (self.folder, self.coding) = (folder, coding)
  }

  /// The rate of the file in Hz for a plan's rate.
  func fileRate(_ planRate: Int) -> Int {
    if let rate { return rate }
    return coding.format == .opus && !SoundCoding.opusRates.contains(planRate) ? 48_000 : planRate
  }
}

/// A refusal: what is wrong, who holds what, and what would be accepted.
public struct SessionError: Error, Equatable, Sendable {
  public let code: ErrorCode
  /// One sentence for a person.
  public let sentence: String

  public init(_ code: ErrorCode, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }
}

/// The numbers of the osc contract, section 4: AVAudioSession's own, then the router's.
public enum ErrorCode: Int, CaseIterable, Sendable {
  case badParam = -50
  case insufficientPriority = 561_017_449
  case cannotInterruptOthers = 560_557_684
  case cannotStartPlaying = 561_015_905
  case cannotStartRecording = 561_145_187
  case incompatibleCategory = 560_161_140
  case resourceNotAvailable = 561_145_203
  case isBusy = 560_030_580
  case sessionNotActive = 1_768_841_571
  case mediaServicesFailed = 1_836_282_486
  case expiredSession = 561_210_739
  case missingEntitlement = 1_701_737_535
  case siriIsRecording = 1_936_290_409
  case unspecified = 2_003_329_396

  case unknownAddress = 1
  case badType, badValue, outOfRange, notFound, exists, readOnly, denied, locked
  case full, noWildcard, tooManyMatches, tooFar, rateLimited, io, notYet

  /// The symbol sent beside the number: AVAudioSession's four characters, or the router's name.
  public var symbol: String {
    switch self {
    case .badParam, .unknownAddress, .badType, .badValue, .outOfRange, .notFound, .exists, .readOnly, .denied,
      .locked, .full, .noWildcard, .tooManyMatches, .tooFar, .rateLimited, .io, .notYet:
      "\(self)"
    default: fourCharacters
    }
  }

  private var fourCharacters: String {
    let bits = UInt32(truncatingIfNeeded: rawValue)
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

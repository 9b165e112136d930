/// A refusal. Its sentence names the rule, the session or call that stands in the way, and a request that would be accepted.
public struct SessionError: Error, Equatable, Sendable {
  public let code: ErrorCode
  /// One sentence for the operator.
  public let sentence: String

  public init(_ code: ErrorCode, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }
}

/// The error numbers of docs/develop/law/osc.md#13-errors: first AVAudioSession's, then the router's.
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

  /// The refusal of a key or flag that a later version will accept.
  public static let comesLater = "is not supported yet (\(notYet.rawValue), \(notYet.symbol))"

  /// The symbol that is sent beside the number: AVAudioSession's four characters, or the case's name.
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

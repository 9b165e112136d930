/// A loudspeaker that a port is for, in the order of WAVE files and of PipeWire's layouts up to 7.1.
public enum Loudspeaker: Int, CaseIterable, Sendable {
  case frontLeft, frontRight, frontCenter, lowFrequency, rearLeft, rearRight
  case frontLeftOfCenter, frontRightOfCenter, rearCenter, sideLeft, sideRight

  /// The words at the end of a port's name, in lower case and without marks between them.
  private var spellings: [String] {
    switch self {
    case .frontLeft: ["fl", "l", "left", "frontleft", "lf"]
    case .frontRight: ["fr", "r", "right", "frontright", "rf"]
    case .frontCenter: ["fc", "c", "center", "centre", "frontcenter", "frontcentre", "cf"]
    case .lowFrequency: ["lfe", "sub", "subwoofer", "lfe1"]
    case .rearLeft: ["rl", "bl", "lb", "lr", "rearleft", "backleft", "lrs"]
    case .rearRight: ["rr", "br", "rb", "rearright", "backright", "rrs"]
    case .frontLeftOfCenter: ["flc"]
    case .frontRightOfCenter: ["frc"]
    case .rearCenter: ["rc", "bc", "cs", "rearcenter", "rearcentre", "backcenter"]
    case .sideLeft: ["sl", "ls", "sideleft", "surroundleft", "lss"]
    case .sideRight: ["sr", "rs", "sideright", "surroundright", "rss"]
    }
  }

  private static let all: [String: Loudspeaker] = Dictionary(
    uniqueKeysWithValues: allCases.flatMap { speaker in speaker.spellings.map { ($0, speaker) } })

  /// The loudspeaker that the end of a port's full name says; nil if it says none.
  public init?(ofPort name: String) {
    let short = name.firstIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...]
    // PipeWire adds its number to a name that exists twice, such as `playback_FR-67`.
    let digits = short.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    let stem = digits > 0 && short.dropLast(digits).hasSuffix("-") ? short.dropLast(digits + 1) : short
    let words = stem.lowercased().split { "_-. /:()".contains($0) }
    guard let last = words.last,
      let speaker = (words.count > 1 ? Self.all[words.suffix(2).joined()] : nil) ?? Self.all[String(last)]
    else { return nil }
    self = speaker
  }
}

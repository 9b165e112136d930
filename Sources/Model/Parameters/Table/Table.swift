/// The table of all addresses.
///
/// What builds its parts runs once, and is not optimised: the compiler would take half a minute for it.
public enum Table {
  /// Every parameter, in the order of the reference.
  public static let parameters: [Parameter] = sections.flatMap(\.parameters)

  /// A section of the reference.
  public struct Section: Sendable {
    public let title: String
    public let parameters: [Parameter]

    init(_ title: String, _ parameters: [Parameter]) { (self.title, self.parameters) = (title, parameters) }
  }

  /// The sections of the reference.
  public static let sections = [
    Section("Sessions", sessions + routes + hardware + conduct + sessionDucking + processing),
    Section("Streams", streams + streamChannels),
    Section("Effects", effects),
    Section("Captures", captures + voice),
    Section("Groups", groups),
    Section("Outputs and inputs", outputs + inputs + [meterChoice]),
    Section("Ducking, interruptions, silent switch", ducking + interruptions),
    Section("Solo and talkback", solos + monitors + talkbacks),
    Section("Presets", presets),
    Section("Players", players + remote),
    Section("The music library", musicLibrary),
    Section("Recorders", recorders),
    Section("The router", wholeRouter + system),
    Section("Health", alarms + loop),
    Section("Meters", meters + outputMeters),
    Section("Strips", strips),
    Section("Clients", surface),
  ]

  /// The kinds of objects in presets, each by the address that all its parameters begin with.
  public enum Owner: String, CaseIterable, Sendable {
    case router = ""
    case output = "/output/<o>"
    case input = "/input/<i>"
    case session = "/session/<s>"
    case stream = "/session/<s>/stream/<t>"
    case destination = "/session/<s>/stream/<t>/to/<o>"
    case capture = "/session/<s>/capture"
    case player = "/player/<p>"
    case recorder = "/recorder/<r>"
    case monitor = "/output/<o>/monitor"
    case talkback = "/session/<s>/talkback"
    case group = "/group/<g>"
    case captureSession = "/session/<s>/capture/session/<x>"
    case captureInput = "/session/<s>/capture/input/<i>"
    case ducker = "/session/<s>/duck"
    case io = "/session/<s>/io"
    case voice = "/session/<s>/voice"
    case ducking = "/duck"
    case interruptions = "/interruption"

    /// The innermost kind of object whose addresses begin like this address.
    init(innermostOf address: String) {
      let owners = Self.allCases.filter { address.hasPrefix($0.rawValue + "/") }
      self = owners.max { $0.rawValue.count < $1.rawValue.count } ?? .router
    }
  }

  /// The parameters that a preset may set on one kind of object, in the order of the reference.
  public static func keys(of owner: Owner) -> [Parameter] { keyed[owner] ?? [] }

  /// The parameter with a preset key of one kind of object; nil if these objects do not have the key.
  public static func parameter(_ key: String, of owner: Owner) -> Parameter? { named[owner]?[key] }

  private static let keyed = Dictionary(grouping: parameters.filter { $0.key != nil }, by: \.owner)

  private static let named = keyed.mapValues { parameters in
    Dictionary(
      uniqueKeysWithValues: parameters.compactMap { parameter in parameter.key.map { ($0, parameter) } })
  }
}

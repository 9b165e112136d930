/// The one table of everything that can be addressed.
public enum Table {
  /// Every parameter, in the order of the reference.
  public static let parameters: [Parameter] =
    sessions + routes + hardware + conduct + streams + captures + outputs + inputs + ducking + interruptions
    + router
    + meters
    + surface + system

  /// What a preset's objects stand for, by the address that all their parameters begin with.
  public enum Owner: String, CaseIterable, Sendable {
    case router = ""
    case output = "/output/<o>"
    case input = "/input/<i>"
    case session = "/session/<s>"
    case stream = "/session/<s>/stream/<t>"
    case destination = "/session/<s>/stream/<t>/to/<o>"
    case capture = "/session/<s>/capture"
    case captureSession = "/session/<s>/capture/session/<x>"
    case captureInput = "/session/<s>/capture/input/<i>"
    case ducker = "/session/<s>/duck"
    case io = "/session/<s>/io"
    case ducking = "/duck"
    case interruptions = "/interruption"

    /// The innermost object whose addresses begin as this one does.
    init(innermostOf address: String) {
      let owners = Self.allCases.filter { address.hasPrefix($0.rawValue + "/") }
      self = owners.max { $0.rawValue.count < $1.rawValue.count } ?? .router
    }
  }

  /// The parameters that a preset may set on one kind of object, in the order of the reference.
  public static func keys(of owner: Owner) -> [Parameter] { keyed[owner] ?? [] }

  private static let keyed = Dictionary(grouping: parameters.filter { $0.key != nil }, by: \.owner)
}

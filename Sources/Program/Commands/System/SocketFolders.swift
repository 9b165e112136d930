import OSC
import SystemCalls

/// The folders for Unix sockets. Each router opens a socket `NAME.osc`, and client commands look for these sockets.
public struct SocketFolders: Equatable, Sendable {
  /// The user's folder, `$XDG_RUNTIME_DIR/multiroute`; nil without that variable.
  public var own: String?
  /// The machine's folder. systemd makes it for a system service (systemd.exec(5), `RuntimeDirectory=multiroute`).
  public var machine: String

  public init(own: String?, machine: String = "/run/multiroute") {
    (self.own, self.machine) = (own, machine)
  }

  /// The path of the socket for a router of this name; nil if no folder can be used.
  ///
  /// Creates the user's folder if necessary, with mode 0700. A slash in the name becomes an underscore.
  public func path(forRouter name: String) -> String? {
    let file = "\(name.replacing("/", with: "_"))\(Self.ending)"
    if let own {
      try? System.mkdir(own, permissions: 0o700)
      if Self.isUsable(own) { return "\(own)/\(file)" }
    }
    return Self.isUsable(machine) ? "\(machine)/\(file)" : nil
  }

  /// The sockets at which routers listen and which this user may use, from the first folder that has any.
  public var live: [String] {
    for folder in [own, machine].compactMap(\.self) {
      let names = (try? System.readdir(folder)) ?? []
      let paths = names.filter { $0.hasSuffix(Self.ending) }.map { "\(folder)/\($0)" }
      let live = paths.filter(UnixSocket.isAlive)
      if !live.isEmpty { return live }
    }
    return []
  }

  /// The socket of the router of a name; nil if no router listens there that this user may use.
  func live(ofRouter name: String) -> String? {
    live.first { $0.hasSuffix("/\(name.replacing("/", with: "_"))\(Self.ending)") }
  }

  private static let ending = ".osc"

  private static func isUsable(_ folder: String) -> Bool {
    Files.isFolder(folder) && System.access(folder, .write)
  }
}

import Foundation

/// A machine of its own in a network of its own: interfaces, a system bus and an avahi daemon that nobody else has.
///
/// It is a network, mount and host-name namespace; programs enter it by `launcher`.
public final class PrivateMachine {
  /// The machine did not start.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  public let name: String
  /// Its address in the network of its machines; the number of the machine is the last octet.
  public let address: String
  /// A program and its words, which enter the machine and then become the program that follows.
  public let launcher: [String]
  /// Holds the namespaces.
  private let holder: Daemon
  private let folder: TemporaryFolder
  private var bus: Daemon?
  private var avahi: Daemon?

  /// Whether the system lets this user make such machines. The run reports it if not.
  public static let isPossible: Bool = {
    let probe = try? ChildProcess(
      "unshare", ["--net", "--mount", "--uts", "sh", "-c", "ip link add cable0 type veth peer name cable1"])
    if probe?.wait(seconds: 10) == 0 { return true }
    TestNotes.remark("no test had a network with avahi, since the system lets this user make none")
    return false
  }()

  /// Starts a machine without bus and daemon, with a cable to another machine.
  ///
  /// - Parameter other: the machine at the other end of the cable; nil for a cable that ends in this machine.
  public init(_ name: String, number: Int = 1, cableTo other: PrivateMachine? = nil) throws {
    (self.name, address) = (name, "10.77.0.\(number)")
    folder = try TemporaryFolder()
    let script = "mount -t tmpfs none /run && mkdir /run/dbus && hostname \"$0\" && exec sleep infinity"
    holder = try Daemon(["unshare", "--net", "--mount", "--uts", "sh", "-c", script, name], environment: [:])
    launcher = ["nsenter", "--target", "\(holder.identifier)", "--net", "--mount", "--uts"]
    // The namespaces are there when the host name is.
    try wait("its namespaces") { try self.run("hostname").output.text.contains(name) }
    try ip("link set lo up")
    if let other {
      // Its end lay free in the other machine.
      try other.ip("link set cable1 netns \(holder.identifier)")
      try ip("link set cable1 name cable0")
    } else {
      try ip("link add cable0 type veth peer name cable1")
      try ip("link set cable1 up")
    }
    try ip("address add \(address)/24 dev cable0")
    try ip("link set cable0 up")
    if let other { try other.ip("link set cable0 up") }
  }

  private func ip(_ words: String) throws {
    let child = try run("ip", words.split(separator: " ").map(String.init))
    guard child.wait() == 0 else { throw Failure(description: "ip \(words): \(child.errors.text)") }
  }

  /// Starts a program in the machine.
  public func run(_ program: String, _ words: [String] = [], environment: [String: String] = [:]) throws
    -> ChildProcess
  {
    let words = launcher.dropFirst() + [program] + words
    return try ChildProcess(launcher[0], Array(words), environment: environment)
  }

  /// Starts the system bus. Returns when it answers.
  public func startBus() throws {
    bus = try Daemon(launcher + ["dbus-daemon", "--system", "--nofork", "--nopidfile"], environment: [:])
    try wait("its bus") { try self.call("org.freedesktop.DBus", "GetId").wait() == 0 }
  }

  /// Starts the avahi daemon. Returns when it runs and knows its name.
  public func startAvahi() throws {
    let configuration = try folder.write(
      "[server]\nhost-name=\(name)\nuse-ipv4=yes\nuse-ipv6=yes\n[publish]\n[rlimits]\n", to: "avahi.conf")
    avahi = try Daemon(
      launcher + [
        "avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "--no-proc-title", "-f",
        configuration,
      ], environment: [:])
    try wait("its avahi daemon") {
      let state = try self.call("org.freedesktop.Avahi", "Server.GetState")
      return state.wait() == 0 && state.output.text.contains("int32 2")
    }
  }

  /// Kills the avahi daemon, or ends it.
  public func endAvahi(kills: Bool = false) {
    if kills { avahi?.kill() }
    avahi?.end()
    avahi = nil
  }

  /// Kills the system bus, and ends the avahi daemon, which needs it.
  public func endBus() {
    bus?.kill()
    bus?.end()
    bus = nil
    endAvahi()
  }

  /// Stops the avahi daemon while `body` runs: it reads and writes nothing.
  public func avahiStandsStill(while body: () throws -> Void) rethrows {
    guard let avahi else { return }
    Glibc.kill(avahi.identifier, SIGSTOP)
    defer { Glibc.kill(avahi.identifier, SIGCONT) }
    try body()
  }

  private func call(_ service: String, _ method: String) throws -> ChildProcess {
    let path = service.hasSuffix("Avahi") ? "/" : "/org/freedesktop/DBus"
    return try run(
      "dbus-send", ["--system", "--print-reply", "--dest=\(service)", path, "\(service).\(method)"])
  }

  private func wait(_ what: String, until isThere: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(20)
    while try !isThere() {
      guard ContinuousClock.now < end else {
        throw Failure(
          description: "\(name): waited in vain for \(what): \(avahi?.said ?? "")\(bus?.said ?? "")")
      }
      usleep(20_000)
    }
  }
}

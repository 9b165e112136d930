import Foundation
public import JackClient

/// A PipeWire for one test: the daemon, WirePlumber and a message bus, in a folder that is removed with the
/// test.
///
/// Its devices are null sinks with the names and properties of real cards. As long as it lives it holds one
/// of the machine's places (`PrivateServer.Place`).
public final class PrivatePipeWire {
  /// Thrown when an expected event did not come in time.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  /// The environment that makes a JACK program a client of this PipeWire and not of jackd: the variables of
  /// `pw-jack`, and the daemon's address.
  public let environment: [String: String]
  /// The value for `--server`.
  public let name = "pipewire-0"
  private let folder: TemporaryFolder
  private let permit: Permit
  private let bus: PrivateBus
  private var daemons: [Daemon] = []

  /// Starts PipeWire as soon as a place is free.
  /// - Parameter configuration: files below the configuration folder, by their paths.
  public init(configuration: [String: String] = [:]) async throws {
    permit = try await Permit(.rig)
    folder = try TemporaryFolder()
    let runtime = folder.file("run")
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for (path, text) in configuration {
      let file = URL(filePath: folder.file("config/\(path)"))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let inherited = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":" + $0 } ?? ""
    environment = [
      "XDG_RUNTIME_DIR": runtime, "PIPEWIRE_RUNTIME_DIR": runtime, "HOME": folder.path,
      "XDG_CONFIG_HOME": folder.file("config"), "XDG_STATE_HOME": folder.file("state"),
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus",
      "LD_LIBRARY_PATH": "/usr/${LIB}/pipewire-0.3/jack" + inherited,
    ]
    bus = try PrivateBus(folder: runtime, environment: environment)
    try start()
  }

  deinit {
    stop()
    bus.stop()
  }

  // MARK: The daemon

  /// Starts the daemon and its session manager. Returns when both answer; there are no devices yet.
  public func start() throws {
    guard daemons.isEmpty else { return }
    daemons.append(try Daemon(["pipewire"], environment: environment))
    try Self.await("PipeWire: \(daemons[0].said)", at: socket)
    daemons.append(try Daemon(["wireplumber"], environment: environment))
    // Only an event of PipeWire's own tells that the manager has joined, and a subscriber to that sees only
    // later changes.
    let limit = Date(timeIntervalSinceNow: 10)
    while try !hasManager() {
      guard Date() < limit else {
        throw Failure(description: "waited in vain for WirePlumber: \(daemons[1].said)")
      }
    }
  }

  /// Starts the daemon for programs that know PulseAudio alone (package `pipewire-pulse`). Returns when it answers.
  public func startPulse() throws {
    let daemon = try Daemon(["pipewire-pulse"], environment: environment)
    daemons.append(daemon)
    let folder = environment["XDG_RUNTIME_DIR"]! + "/pulse"
    try Self.await("pipewire-pulse: \(daemon.said)", at: ServerSocket(folder: folder, name: "native"))
  }

  /// Stops the daemon that `startPulse` has started while the body runs: it answers no program.
  public func withPulseStopped(_ body: () throws -> Void) rethrows {
    guard let daemon = daemons.last else { return }
    Glibc.kill(daemon.identifier, SIGSTOP)
    defer { Glibc.kill(daemon.identifier, SIGCONT) }
    try body()
  }

  private func hasManager() throws -> Bool {
    try objects("Client").contains { Self.properties($0)["application.name"] as? String == "WirePlumber" }
  }

  /// The socket of the daemon.
  public var socket: ServerSocket { ServerSocket(folder: environment["XDG_RUNTIME_DIR"]!, name: name) }

  /// The daemon's process number; nil while it does not run.
  public var processIdentifier: Int32? { daemons.first?.identifier }

  /// Ends both. The session manager ends first, since it cannot run without the daemon.
  public func stop() {
    for daemon in daemons.reversed() { daemon.end() }
    daemons = []
  }

  /// Kills both at once.
  public func kill() {
    for daemon in daemons { daemon.kill() }
    stop()
  }

  // MARK: Devices

  /// Plugs in a device. The keys of `properties` are PipeWire's, such as `device.bus=usb`.
  ///
  /// - Parameters:
  ///   - node: the name that never changes and distinguishes identical cards.
  ///   - description: the name that people and JACK see.
  public func plug(
    _ node: String, _ description: String, isSource: Bool = false, channels: String = "FL FR",
    _ properties: String = ""
  ) throws {
    let words = [
      "factory.name=support.null-audio-sink", "object.linger=true", "node.name=\"\(node)\"",
      "node.description=\"\(description)\"",
      "media.class=\(isSource ? "Audio/Source/Virtual" : "Audio/Sink")", "audio.position=[\(channels)]",
      properties,
    ]
    try run("pw-cli", ["create-node", "adapter", "{ \(words.joined(separator: " ")) }"])
  }

  /// Unplugs a device.
  public func unplug(_ node: String) throws { try run("pw-cli", ["destroy", "\(identifier(of: node))"]) }

  /// Has the daemon throw a JACK program out: its library's client is dead, and the program and the daemon live on.
  public func throwOut(_ program: String) throws {
    let node = try objects("Node").first { Self.properties($0)["node.name"] as? String == program }
    guard let node, let client = Self.properties(node)["client.id"] as? Int else {
      throw Failure(description: "there is no node \(program)")
    }
    try run("pw-cli", ["destroy", "\(client)"])
  }

  /// Sets properties of a device or program, as the desktop's mixer does: `{ mute: true, channelVolumes: [ 0.5, 0.5 ] }`.
  public func set(_ node: String, _ properties: String) throws {
    try run("pw-cli", ["set-param", "\(identifier(of: node))", "Props", properties])
  }

  private func identifier(of node: String) throws -> Int {
    let found = try objects("Node").first { Self.properties($0)["node.name"] as? String == node }
    guard let id = found?["id"] as? Int else { throw Failure(description: "there is no node \(node)") }
    return id
  }

  /// Makes a device the default, to which the session manager connects every player.
  public func makeDefault(_ node: String) throws {
    let name = "{ \"name\": \"\(node)\" }"
    try run("pw-metadata", ["0", "default.configured.audio.sink", name, "Spa:String:JSON"])
  }

  /// Has the session manager move a program from device to device, without a pause.
  public func move(_ program: String, along devices: [String]) throws {
    let (node, targets) = (try identifier(of: program), try devices.map(identifier))
    for target in targets { try run("pw-metadata", ["\(node)", "target.node", "\(target)", "Spa:Id"]) }
  }

  /// Starts a stage at this server.
  public func stage() throws -> StageProcess {
    try StageProcess(server: name, environment: environment, owner: self)
  }

  // MARK: Reading the graph

  /// All objects of a type, as `pw-dump` shows them; none while it cannot connect.
  ///
  /// `pw-dump` prints another array for what changes while it reads. An object in it without `info` is gone.
  private func objects(_ type: String) throws -> [[String: Any]] {
    let child = try ChildProcess("pw-dump", [type], environment: environment)
    guard child.wait() == 0 else { return [] }
    let text = child.output.text.replacingOccurrences(of: "\n]\n[\n", with: "\n],\n[\n")
    let arrays = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [[[String: Any]]] ?? []
    var objects: [Int: [String: Any]] = [:]
    for object in arrays.joined() {
      guard let id = object["id"] as? Int else { continue }
      objects[id] = object["info"] is [String: Any] ? object : nil
    }
    return Array(objects.values)
  }

  private static func properties(_ object: [String: Any]) -> [String: Any] {
    (object["info"] as? [String: Any])?["props"] as? [String: Any] ?? [:]
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let child = try ChildProcess(program, arguments, environment: environment)
    child.endInput()
    guard child.wait() == 0 else {
      throw Failure(description: "\(program) \(arguments.joined(separator: " ")): \(child.errors.text)")
    }
  }

  private static func await(_ what: @autoclosure () -> String, at socket: ServerSocket) throws {
    guard SocketWatch(socket).waitForAnswer(seconds: 10) else {
      throw Failure(description: "waited in vain for \(what())")
    }
  }
}

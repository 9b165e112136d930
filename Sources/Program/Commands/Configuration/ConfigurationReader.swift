import ControlInterface
public import JSON5
import OSC
import Parameters
import Presets
import SessionModel

/// Reads `config.json` and reports every problem.
public struct ConfigurationReader {
  private let environment: Environment
  private let folder: String
  private var configuration = Configuration()

  private init(_ environment: Environment, folder: String) {
    (self.environment, self.folder) = (environment, folder)
  }

  /// Reads a configuration from bytes.
  ///
  /// - Parameters:
  ///   - file: the path of the file; relative folders in it start at its folder.
  ///   - environment: gives the home folder for `~`.
  /// - Returns: the configuration, or nil if a problem is an error; and all problems.
  public static func read(
    _ bytes: [UInt8], file: String, environment: Environment
  ) -> (configuration: Configuration?, problems: [Problem]) {
    let (value, problems) = JSON5Reader.read(bytes, file: file)
    let log = ProblemLog(file: file, problems: problems)
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    var reader = ConfigurationReader(environment, folder: folder)
    if let value { reader.read(ValueReader(value, log: log)) }
    return (log.hasErrors ? nil : reader.configuration, log.problems)
  }

  private mutating func read(_ root: ValueReader) {
    let keys = ConfigurationKey.allCases
    guard
      let object = root.object(
        keys.filter { !$0.isLater }.map(\.rawValue), later: keys.filter(\.isLater).map(\.rawValue))
    else { return }
    func value(_ key: ConfigurationKey) -> ValueReader? { object[key.rawValue] }
    _ = object.required(ConfigurationKey.version.rawValue, example: "1")?.integer(1...1)
    _ = value(.schema)?.text()
    configuration.server = value(.server).flatMap { Self.name($0, limit: 63) }
    configuration.clientName = value(.name).flatMap { Self.name($0, limit: 32) }
    configuration.osc = value(.osc).map(endpoints) ?? []
    configuration.http = value(.http).flatMap(Self.webPlace)
    configuration.metrics = value(.metrics).flatMap(Self.webPlace)
    configuration.admission = Admission(
      hosts: value(.hosts).map(Self.hosts) ?? [], passcodes: value(.passcodes).map(Self.passcodes) ?? [:])
    var surfaces = SurfaceReader(configuration.admission)
    _ = value(.surfaces)?.list { surfaces.read($0) }
    configuration.admission.surfaces = surfaces.surfaces
    configuration.scenes = value(.scenes).map(Self.scenes) ?? []
    configuration.presetFolder = value(.presets).flatMap(path)
    configuration.mediaFolder = value(.media).flatMap(path)
    configuration.stateFolder = value(.state).flatMap(path)
    configuration.bridgeFolders = value(.bridges)?.list { path($0) } ?? []
    configuration.restoresAfterCrash = value(.restore)?.choice(["afterCrash", "never"]) != "never"
    configuration.joinsDesktop = value(.mpris)?.choice(["on", "off"]) != "off"
    configuration.isAnnounced = value(.mdns)?.choice(["on", "off"]) != "off"
  }

  // MARK: Values

  /// The order of the show. `/preset/go` finds its place by the preset in force, so each preset stands in it once.
  private static func scenes(_ value: ValueReader) -> [PresetID] {
    var seen: Set<PresetID> = []
    return value.list { scene in
      guard let id: PresetID = scene.identifier() else { return nil }
      guard seen.insert(id).inserted else {
        scene.report(
          "\(id.name.quoted) is in the order of the show already, so that a GO would begin again behind it",
          fix:
            "write a preset { \"multiroute\": 1, \"extends\": \(id.name.quoted) } with an id of its own, and name that"
        )
        return nil
      }
      return id
    } ?? []
  }

  private static func name(_ value: ValueReader, limit: Int) -> String? {
    guard let text = value.text(upTo: limit) else { return nil }
    guard !text.contains(":") else {
      value.report("'\(text)' has a colon", fix: "write a name that JACK can use")
      return nil
    }
    // Names of files are made from it.
    guard !text.contains("/") else {
      value.report("'\(text)' has a slash", fix: "write a name without one")
      return nil
    }
    return text
  }

  /// One address or a list of them.
  private func endpoints(_ value: ValueReader) -> [Endpoint] {
    if case .string = value.value.kind { return endpoint(value).map { [$0] } ?? [] }
    return value.list { endpoint($0) } ?? []
  }

  private func endpoint(_ value: ValueReader) -> Endpoint? {
    guard let text = value.text() else { return nil }
    if let correction = Endpoint.correction(of: text) {
      value.report("'\(text)' is not an address to receive OSC at", fix: correction)
    }
    guard case .unix(let path) = Endpoint(text) else { return Endpoint(text) }
    return .unix(path: absolute(path))
  }

  /// The place of a web server.
  private static func webPlace(_ value: ValueReader) -> WebPlace? {
    guard let text = value.text() else { return nil }
    if let correction = WebPlace.correction(of: text) {
      value.report("'\(text)' is not an address to serve HTTP at", fix: correction)
    }
    return WebPlace(text)
  }

  /// Reads the permissions of other machines, with the narrowest networks first. The order has no effect on permissions: the narrowest
  /// network that contains a machine counts (`Admission`).
  private static func hosts(_ value: ValueReader) -> [HostRule] {
    var rules: [HostRule] = []
    for (key, member) in members(value) {
      guard let rule = hostRule(key, member) else { continue }
      if let index = rules.firstIndex(where: { $0.network == rule.network }) {
        let right = min(rule.right, rules[index].right)
        member.report(
          "\(rule.network) is listed twice; the lower permission counts: \(right)",
          fix: "remove one of the two", severity: .warning)
        rules[index] = HostRule(rule.network, right: right)
        continue
      }
      rules.append(rule)
    }
    reportLowered(rules, value)
    return rules.sorted { $0.network.isNarrower(than: $1.network) }
  }

  private static func hostRule(_ key: String, _ member: ValueReader) -> HostRule? {
    let right = right(member, ["mix", "view", "control", "admin"])
    guard let network = HostNetwork(key) else {
      member.report(
        "'\(key)' is neither an address nor a network",
        fix: "write a.b.c.d, a.b.c.d/24, fd00::1 or fd00::/8 as the key")
      return nil
    }
    if let stray = network.stray {
      member.report(
        "'\(key)' is an address within a network",
        fix: "write \(network) for the network, or \(stray) for the machine")
      return nil
    }
    return right.map { HostRule(network, right: $0) }
  }

  /// Reports each machine or network that has a lower permission than the network around it, which is often a mistake.
  private static func reportLowered(_ rules: [HostRule], _ value: ValueReader) {
    for rule in rules {
      let around = rules.filter { $0.network != rule.network && $0.network.contains(rule.network) }
      guard let outer = around.max(by: { $1.network.isNarrower(than: $0.network) }), outer.right > rule.right
      else {
        continue
      }
      value.report(
        "\(rule.network) has the permission \(rule.right) within \(outer.network), which has \(outer.right); the narrower entry counts",
        fix: "remove one of the two unless that is intended", severity: .warning)
    }
  }

  private static func passcodes(_ value: ValueReader) -> [String: Right] {
    var passcodes: [String: Right] = [:]
    for (key, member) in members(value) {
      if key.isEmpty { member.report("the passcode is empty", fix: "write one as the key") }
      passcodes[key] = right(member)
    }
    return passcodes
  }

  private static func right(
    _ value: ValueReader, _ words: [String] = ["view", "control", "admin"]
  ) -> Right? {
    value.choice(words).flatMap(Right.init(name:))
  }

  /// The members of an object whose keys the user chooses.
  private static func members(_ value: ValueReader) -> [(key: String, value: ValueReader)] {
    var keys: [String] = []
    if case .object(let members) = value.value.kind { keys = members.map(\.key) }
    guard let object = value.object(keys) else { return [] }
    return keys.map { ($0, object[$0]!) }
  }

  /// Reads a folder. `~/` is the home folder; a relative path starts at the configuration file's folder.
  private func path(_ value: ValueReader) -> String? {
    value.text(upTo: 4_096).map(absolute)
  }

  private func absolute(_ text: String) -> String {
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~/"), let home = environment["HOME"] { return home + text.dropFirst() }
    return "\(folder)/\(text)"
  }
}

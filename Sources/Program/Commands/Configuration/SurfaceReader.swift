import ControlInterface
import JSON5
import Parameters
import Patterns
import Presets
import SessionModel

/// Reads the surfaces that get feedback without asking (`surfaces`).
struct SurfaceReader {
  /// The permissions of hosts: a surface whose host has none gets nothing.
  let admission: Admission
  private(set) var surfaces: [StaticSurface] = []

  init(_ admission: Admission) { self.admission = admission }

  private static let keys = [
    "name", "host", "port", "subscriptions", "rate", "echo", "boolean", "strips", "bank",
  ]

  mutating func read(_ value: ValueReader) {
    guard let object = value.object(Self.keys) else { return }
    let name = object.required("name", example: #""wall""#).flatMap(name)
    let host = object.required("host", example: #""192.168.1.20""#).flatMap(host)
    let port = object.required("port", example: "9000")?.integer(1...65_535)
    let subscriptions = object["subscriptions"]?.list(Self.pattern) ?? []
    let rate = object["rate"]?.number(0.1...1_000, unit: "Hz")
    let echo: Echo? = object["echo"]?.choice()
    let switches: SwitchFormat? = object["boolean"]?.choice()
    let bank = bank(object)
    guard let name, let host, let port else { return }
    if let twin = surfaces.first(where: { $0.host == host && $0.port == port }) {
      value.report(
        "the surface \(twin.name) receives at \(host):\(port), too",
        fix: "remove one of the two, or give it another port")
    }
    var surface = StaticSurface(name: name, host: host, port: UInt16(port))
    (surface.subscriptions, surface.rate, surface.bank) = (subscriptions, rate, bank)
    (surface.echo, surface.switches) = (echo ?? .settled, switches ?? .integers)
    surfaces.append(surface)
  }

  private func name(_ value: ValueReader) -> String? {
    guard let name = value.text(upTo: 64) else { return nil }
    if surfaces.contains(where: { $0.name == name }) {
      value.report("another surface is named \(name)", fix: "rename one of the two")
    }
    return name
  }

  private func bank(_ object: ObjectReader) -> StaticSurface.Bank? {
    let number = object["bank"]?.integer(Strips.banks)
    if let reader = object["bank"], object["strips"] == nil {
      reader.report("a bank needs a number of strips", fix: #"add "strips": 8"#)
    }
    return object["strips"]?.integer(Strips.numbers).map {
      StaticSurface.Bank(number: number ?? 1, size: $0)
    }
  }

  private func host(_ value: ValueReader) -> HostAddress? {
    guard let text = value.text() else { return nil }
    guard let host = text == "localhost" ? .loopback : HostAddress(text), !host.isAny else {
      value.report(
        "'\(text)' is not the address of a machine", fix: "write one, such as 192.168.1.20 or fd00::20")
      return nil
    }
    guard !host.isLinkLocal || host.scope != 0 else {
      value.report("\(host) is at every interface", fix: "name one, such as \(host)%wlan0")
      return nil
    }
    if admission.right(of: host) < .view {
      value.report(
        admission.right(of: host) == .none
          ? "\(host) is not listed in hosts, so the surface would get nothing"
          : "\(host) may not view by hosts, so the surface would get nothing",
        fix: "add \"\(host)\": \"control\" to hosts")
    }
    return host
  }

  private static func pattern(_ value: ValueReader) -> AddressPattern? {
    guard let text = value.text(upTo: AddressPattern.maximumLength) else { return nil }
    do { return try AddressPattern(text) } catch {
      value.report("'\(text)' is malformed: \(error)", fix: "write an address or a pattern, such as /strip")
      return nil
    }
  }
}

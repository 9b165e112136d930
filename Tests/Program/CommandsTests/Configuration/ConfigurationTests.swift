import ControlInterface
import OSC
import Parameters
import Patterns
import Testing

@testable import Commands

@Suite("The configuration gives server, addresses, folders and permissions")
struct ConfigurationTests {
  private func read(_ text: String) -> (configuration: Configuration?, problems: [String]) {
    let environment = Environment(["HOME": "/home/user"])
    let (configuration, problems) = ConfigurationReader.read(
      Array(text.utf8), file: "/etc/multiroute/config.json", environment: environment)
    return (configuration, problems.map { String("\($0)".dropFirst("/etc/multiroute/config.json:".count)) })
  }

  @Test("Every key is read")
  func full() throws {
    let (configuration, problems) = read(
      """
      {
        "$schema": "schema/config.json", "multiroute": 1,
        "server": "stage", "name": "desk", // comments are welcome
        "osc": ["127.0.0.1:9440", "wlan0:9440"],
        "hosts": { "192.168.1.0/24": "control", "192.168.1.7": "admin", "10.0.0.0/8": "view" },
        "passcodes": { "open sesame": "admin" },
        "presets": "shows", "state": "/var/lib/multiroute",
        "bridges": ["/opt/zita", "tools"],
        "restore": "never", "mpris": "off", "mdns": "off", "http": "off",
      }
      """)
    #expect(problems.isEmpty)
    let found = try #require(configuration)
    #expect(found.server == "stage" && found.clientName == "desk")
    #expect(found.osc.map(\.description) == ["127.0.0.1:9440", "wlan0:9440"])
    #expect(found.presetFolder == "/etc/multiroute/shows")
    #expect(found.stateFolder == "/var/lib/multiroute")
    #expect(found.bridgeFolders == ["/opt/zita", "/etc/multiroute/tools"])
    #expect(!found.restoresAfterCrash && !found.joinsDesktop && !found.isAnnounced)
    #expect(found.admission.passcodes == ["open sesame": .admin])
    func right(_ host: String) -> Right { found.admission.right(of: HostAddress(host)!) }
    #expect(right("192.168.1.8") == .control && right("10.2.3.4") == .view && right("172.16.0.1") == .none)
  }

  @Test(
    "What setup writes opens the ports to the family of its guest, and OSC to this machine",
    arguments: [
      ("192.168.1.20", ["0.0.0.0:9441"], "0.0.0.0:9481"),
      ("fd00::/8", ["127.0.0.1:9441", "[::]:9441"], "[::]:9481"),
    ])
  func setup(guest: String, osc: [String], page: String) throws {
    let (configuration, problems) = read(SetupCommand.configuration(guest: guest, osc: 9441, page: 9481))
    #expect(problems.isEmpty && configuration?.osc.map(\.description) == osc)
    let place = try #require(configuration?.http?.endpoint)
    #expect("\(place)" == "tcp:\(page)")
    #expect(configuration?.admission.hosts.map(\.description) == ["\(guest) control"])
  }

  @Test("The most specific rule for a host counts, in any order of the rules")
  func specific() throws {
    let (configuration, _) = read(
      #"{ "multiroute": 1, "hosts": { "192.168.1.0/24": "view", "192.168.1.7": "admin" } }"#)
    let admission = try #require(configuration).admission
    #expect(admission.right(of: HostAddress("192.168.1.7")!) == .admin)
    #expect(admission.right(of: HostAddress("192.168.1.8")!) == .view)
  }

  @Test("Hosts, networks, surfaces and addresses may be of IPv6, and a mapped address is its IPv4 host")
  func ipv6() throws {
    let (configuration, problems) = read(
      """
      { "multiroute": 1, "osc": ["[::1]:9440", "tcp:[fd00::1]:9440"], "metrics": "[::1]:9470",
        "hosts": {
          "fd00::/8": "view", "fd00::20": "control", "fe80::/10": "view", "fe80::%lo/10": "control",
          "10.0.0.0/8": "control", "::ffff:10.0.0.7": "view" },
        "surfaces": [{ "name": "wall", "host": "fd00::20", "port": 9000 }] }
      """)
    #expect(
      problems == [
        "2:12: warning: hosts: 10.0.0.7 has the permission view within 10.0.0.0/8, which has control; the narrower entry counts; remove one of the two unless that is intended"
      ])
    let found = try #require(configuration)
    #expect(found.osc.map(\.description) == ["[::1]:9440", "tcp:[fd00::1]:9440"])
    #expect(found.metrics?.endpoint?.description == "tcp:[::1]:9470")
    func right(_ host: String) throws -> Right { found.admission.right(of: try #require(HostAddress(host))) }
    #expect(try right("fd00::21") == .view && right("fd00::20") == .control && right("2001:db8::1") == .none)
    #expect(try right("fe80::1%lo") == .control && right("fe80::1%4000000000") == .view)
    #expect(try right("::ffff:10.0.0.8") == .control && right("10.0.0.7") == .view && right("::1") == .admin)
    #expect("\(found.admission.surfaces[0].host)" == "fd00::20")
    func unreachable(_ endpoints: String...) -> [String] {
      found.admission.unreachableSurfaces(from: endpoints.compactMap { Endpoint($0) })
    }
    #expect(unreachable("127.0.0.1:9440", "[fd00::1]:9440").isEmpty)
    #expect(
      unreachable("127.0.0.1:9440", "tcp:[fd00::1]:9440") == [
        "the surface wall gets nothing: it has the address fd00::20, and no --osc is UDP over IPv6"
      ])
  }

  @Test("A wrong IPv6 address is reported with what would be right")
  func wrongIPv6() {
    let (configuration, problems) = read(
      """
      { "multiroute": 1, "osc": "::1:9440", "metrics": "::1:9470",
        "hosts": { "fd00::7/8": "view", "fd00::/129": "view", "fe80::/10": "view" },
        "surfaces": [{ "name": "wall", "host": "fe80::9", "port": 9000 }] }
      """)
    #expect(configuration == nil)
    for sentence in [
      "'::1:9440' is not an address to receive OSC at; write an IPv6 address in brackets, such as [::1]:9440",
      "'::1:9470' is not an address to serve HTTP at; write an IPv6 address in brackets, such as [::1]:9470",
      "'fd00::7/8' is an address within a network; write fd00::/8 for the network, or fd00::7 for the machine",
      "'fd00::/129' is neither an address nor a network",
      "fe80::9 is at every interface; name one, such as fe80::9%wlan0",
    ] {
      #expect(problems.contains { $0.contains(sentence) }, "\(sentence) in \(problems)")
    }
  }

  @Test("A surface has a name and an address, and the rest as the usual client if nothing is said")
  func surfaces() throws {
    let (configuration, problems) = read(
      """
      { "multiroute": 1, "hosts": { "192.168.1.0/24": "control" }, "surfaces": [
        { "name": "wall", "host": "192.168.1.20", "port": 9000 },
        { "name": "desk", "host": "localhost", "port": 9001, "subscriptions": ["/strip", "/meter/output/*"],
          "rate": 20, "echo": "never", "boolean": "tf", "strips": 4, "bank": 2 },
      ] }
      """)
    #expect(problems.isEmpty)
    let surfaces = try #require(configuration).admission.surfaces
    #expect(surfaces.count == 2)
    #expect(surfaces[0] == StaticSurface(name: "wall", host: HostAddress("192.168.1.20")!, port: 9_000))
    var desk = StaticSurface(name: "desk", host: .loopback, port: 9_001)
    desk.subscriptions = try ["/strip", "/meter/output/*"].map { try AddressPattern($0) }
    (desk.rate, desk.echo, desk.switches) = (20, .never, .tags)
    desk.bank = StaticSurface.Bank(number: 2, size: 4)
    #expect(surfaces[1] == desk)
  }

  @Test("A surface that could not be reached, or is there twice, is reported")
  func wrongSurfaces() {
    let (configuration, problems) = read(
      """
      { "multiroute": 1, "surfaces": [
        { "name": "a", "host": "10.0.0.1", "port": 9000 },
        { "name": "b", "host": "tablet.local", "port": 0, "echo": "loud", "subscriptions": ["/a//b"] },
        { "host": "127.0.0.1", "port": 9001, "bank": 1 },
        { "name": "c", "host": "127.0.0.1", "port": 9002 },
        { "name": "c", "host": "127.0.0.1", "port": 9002 },
      ] }
      """)
    #expect(configuration == nil)
    for part in [
      #"surfaces[1].host: 'tablet.local' is not the address of a machine"#, "surfaces[1].port",
      #"surfaces[1].echo: unknown value "loud""#, "surfaces[1].subscriptions[0]",
      #"surfaces[2].name: "name" is missing"#, "surfaces[2].bank: a bank needs a number of strips",
      "surfaces[0].host: 10.0.0.1 is not listed in hosts",
      "surfaces[4]: the surface c receives at 127.0.0.1:9002",
      "surfaces[4].name: another surface is named c",
    ] {
      #expect(problems.contains { $0.contains(part) }, "\(part): \(problems)")
    }
  }

  @Test("Only the version is required, and a single address needs no list")
  func small() throws {
    let found = try #require(read(#"{ "multiroute": 1, "osc": "lo:0" }"#).configuration)
    #expect(found.osc == [Endpoint.udp(host: "lo", port: 0)])
    #expect(found.restoresAfterCrash && found.joinsDesktop && found.isAnnounced && found.server == nil)
  }

  @Test("All problems are reported at once, each with its place and a correction")
  func problems() {
    let (configuration, problems) = read(
      """
      {
        "sever": "x",
        "osc": ["9440"],
        "hosts": { "somewhere": "control", "10.0.0.1": "root" },
        "restore": "maybe",
        "scenes": ["Act 1", "act-2", "act-2"],
        "liveness": 2,
        "http": "desk",
        "name": "a:b",
      }
      """)
    #expect(configuration == nil)
    #expect(
      problems == [
        #"1:1: multiroute: "multiroute" is missing; add it, for instance "multiroute": 1"#,
        #"2:3: sever: unknown key "sever"; did you mean "server"?"#,
        "3:11: osc[0]: '9440' is not an address to receive OSC at; write HOST:PORT, such as 127.0.0.1:9440",
        "4:27: hosts.somewhere: 'somewhere' is neither an address nor a network; write a.b.c.d, a.b.c.d/24, fd00::1 or fd00::/8 as the key",
        #"4:50: hosts."10.0.0.1": unknown value "root"; write one of "mix", "view", "control", "admin""#,
        #"5:14: restore: unknown value "maybe"; write one of "afterCrash", "never""#,
        #"6:14: scenes[0]: "Act 1" is not a valid name; write 1 to 32 of a-z, 0-9, - and _, such as "act-1""#,
        #"6:32: scenes[2]: "act-2" is in the order of the show already, so that a GO would begin again behind it; write a preset { "multiroute": 1, "extends": "act-2" } with an id of its own, and name that"#,
        #"7:3: liveness: "liveness" is not supported yet (16, notYet); remove it for now"#,
        "8:11: http: 'desk' is not an address to serve HTTP at; write HOST:PORT, such as 127.0.0.1:9480, with a port from 0 to 65535, PORT alone for this machine, or off",
        "9:11: name: 'a:b' has a colon; write a name that JACK can use",
      ])
  }

  @Test(
    "An address bit beyond the mask is an error; one network twice, or a lower permission within a network, is a warning"
  )
  func contradictions() throws {
    let (wrong, errors) = read(#"{ "multiroute": 1, "hosts": { "192.168.1.20/24": "control" } }"#)
    #expect(wrong == nil)
    #expect(
      errors == [
        "1:50: hosts.\"192.168.1.20/24\": '192.168.1.20/24' is an address within a network; write 192.168.1.0/24 for the network, or 192.168.1.20 for the machine"
      ])
    let (found, warnings) = read(
      """
      { "multiroute": 1, "hosts": {
        "10.0.0.1": "admin", "10.0.0.1/32": "view",
        "192.168.1.0/24": "control", "192.168.1.64/26": "view", "192.168.1.70": "admin" } }
      """)
    #expect(
      warnings == [
        "1:29: warning: hosts: 192.168.1.64/26 has the permission view within 192.168.1.0/24, which has control; the narrower entry counts; remove one of the two unless that is intended",
        #"2:39: warning: hosts."10.0.0.1/32": 10.0.0.1 is listed twice; the lower permission counts: view; remove one of the two"#,
      ])
    let admission = try #require(found).admission
    func right(_ host: String) throws -> Right { admission.right(of: try #require(HostAddress(host))) }
    #expect(try right("10.0.0.1") == .view)
    #expect(try right("192.168.1.65") == .view && right("192.168.1.70") == .admin)
    #expect(try right("192.168.1.1") == .control)
  }

  @Test("Passcodes under six characters are reported if OSC is open to the network, without the passcodes")
  func shortPasscodes() throws {
    let admission = Admission(passcodes: ["12345": .admin, "123456": .control])
    let network = Endpoint.udp(host: "192.168.1.2", port: 9_440)
    #expect(
      admission.warnings(receivingAt: [.standard, network]) == [
        "a passcode for admin has only 5 characters, and OSC is open to the network at 192.168.1.2:9440; use at least 6"
      ])
    #expect(admission.warnings(receivingAt: [.standard, .unix(path: "/run/x")]).isEmpty)
  }

  @Test("A named file must exist and be correct; the usual files may be missing")
  func finding() throws {
    let folder = try TemporaryFolder()
    let context = Context(
      console: Terminal().console(), environment: Environment(["HOME": folder.path("home")]))
    #expect(try Configuration.find(.usual, context).server == nil)
    let missing = #expect(throws: CommandFailure.self) {
      try Configuration.find(.file(folder.path("none.json")), context)
    }
    #expect(missing?.exitCode == .unreadableFile)
    #expect(
      missing?.lines == ["multiroute: \(folder.path("none.json")) cannot be read: No such file or directory."]
    )
    let broken = try folder.file("broken.json", "{ multiroute: 2, x: 1 }")
    let bad = #expect(throws: CommandFailure.self) { try Configuration.find(.file(broken), context) }
    #expect(bad?.exitCode == .badPreset && bad?.lines.count == 2)
    _ = try folder.file("home/.config/multiroute/config.json", #"{ "multiroute": 1, "server": "stage" }"#)
    #expect(try Configuration.find(.usual, context).server == "stage")
    #expect(try Configuration.find(.none, context).server == nil)
  }

  @Test("Flags precede the configuration, and the configuration precedes the defaults")
  func precedence() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file(
      ".config/multiroute/config.json",
      #"{ "multiroute": 1, "server": "stage", "name": "desk", "osc": ["lo:7"], "presets": "p", "media": "m" }"#
    )
    let context = Context(
      console: Terminal().console(), environment: Environment(["HOME": folder.path("")]))
    func settings(_ arguments: String...) throws -> RunSettings {
      let parsed = try ArgumentReader.read(arguments[...], of: CommandTable.description(of: .run))
      return try RunSettings(RunOptions(parsed), context)
    }
    let usual = try settings()
    #expect(
      usual.server == "stage" && usual.clientName == "desk"
        && usual.osc == [Endpoint.udp(host: "lo", port: 7)])
    #expect(usual.folders.presets.first?.hasSuffix("/.config/multiroute/p") == true)
    #expect(usual.folders.media.first?.hasSuffix("/.config/multiroute/m") == true)
    let flags = try settings(
      "--server", "x", "--osc", "lo:8", "--osc", "lo:9", "--presets", "/q", "--media", "/n")
    #expect(flags.folders.media.first == "/n")
    #expect(
      flags.server == "x" && flags.clientName == "desk" && flags.osc.map(\.description) == ["lo:8", "lo:9"])
    #expect(flags.folders.presets.first == "/q")
    let bare = try settings("--config", "none")
    #expect(bare.server == nil && bare.clientName == "multiroute" && bare.osc == [.standard])
  }
}

import Checkout
import Foundation
import TestKit
import Testing

/// `multiroute setup`, and `multiroute` alone, at a terminal and without one.
@Suite struct SetupTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // The user's systemd, without a manager: systemctl then changes only the links (systemctl(1), SYSTEMD_OFFLINE).
    let child = try ChildProcess(
      Checkout.file("packaging/install-units.sh"), [folder.file("units"), "/usr", "root"])
    try #require(child.wait() == 0)
    try FileManager.default.createDirectory(
      atPath: folder.file("XDG_CONFIG_HOME/systemd/user"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: folder.file("units/share/systemd/user/multiroute.service"),
      toPath: folder.file("XDG_CONFIG_HOME/systemd/user/multiroute.service"))
  }

  /// A machine on which no server runs.
  private let variables = [
    "SYSTEMD_OFFLINE": "1", "JACK_DEFAULT_SERVER": "mrtest-absent", "JACK_NO_START_SERVER": "1",
  ]
  private var configuration: String { folder.file("XDG_CONFIG_HOME/multiroute/config.json") }
  private var link: String {
    folder.file("XDG_CONFIG_HOME/systemd/user/default.target.wants/multiroute.service")
  }
  private func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  private func setup(_ words: String..., home: String? = nil) throws -> Program.Result {
    try Program.run(["setup"] + words, in: folder, environment: variables)
  }

  @Test("It asks, writes the configuration for a tablet, enables the unit, and undoes both")
  func dialogue() throws {
    let terminal = try PseudoTerminal(["setup"], in: folder, columns: 80, rows: 24, environment: variables)
    #expect(terminal.show("no JACK server", seconds: 20) != nil, "\(terminal.rest)")
    for (question, answer) in [
      ("[none]: ", "192.168.1.20"), ("[9440]: ", ""), ("[9480]: ", "9500"), ("[no]: ", "yes"),
      ("[no]: ", "y"),
    ] {
      #expect(terminal.show(question) != nil, "\(question) \(terminal.rest)")
      terminal.type(answer + "\r")
    }
    #expect(terminal.end().code == 0)
    let text = try String(contentsOfFile: configuration, encoding: .utf8)
    #expect(text.contains("\"0.0.0.0:9500\"") && text.contains("\"192.168.1.20\": \"control\""))
    #expect(exists(link))
    let undo = try setup("--undo", "--yes")
    #expect(undo.code == 0 && !exists(configuration) && !exists(link), "\(undo.errors)")
    #expect(try setup("--undo", "--yes").errors.contains("no setup is to be undone"))
  }

  @Test("Without a terminal it needs --yes, and leaves what was edited since, and what was there before")
  func script() throws {
    let refused = try setup()
    #expect(refused.code == 64 && refused.errors.contains("--yes"))
    let wrong = try setup("--yes", "--guest", "the tablet")
    #expect(
      wrong.code == 64 && wrong.errors.contains("the tablet") && !exists(configuration) && !exists(link))
    #expect(try setup("--yes", "--guest", "192.168.1.0/24").code == 0)
    let text = try String(contentsOfFile: configuration, encoding: .utf8)
    try Data((text + "// mine\n").utf8).write(to: URL(filePath: configuration))
    let again = try setup("--yes", "--guest", "10.0.0.1")
    #expect(again.code == 0 && again.errors.contains("stays as it is") && again.output.contains("10.0.0.1"))
    let undo = try setup("--undo", "--yes")
    #expect(undo.code == 0 && undo.errors.contains("edited since") && exists(configuration) && !exists(link))
  }

  @Test("A home that cannot be written ends with 66 and the reason, and enables nothing")
  func readOnly() throws {
    // A file stands where the folder would be: not even root can write below it.
    try folder.write("", to: "XDG_CONFIG_HOME/multiroute")
    let result = try setup("--yes", "--guest", "192.168.1.20")
    #expect(
      result.code == 66 && result.errors.contains("cannot be written") && !exists(link), "\(result.errors)")
  }

  @Test("multiroute alone offers three things at a terminal, and the first plays the demonstration")
  func welcome() throws {
    for (answer, effect) in [
      ("2\r", "The id of the preset [my-show]: "), ("x\r", "usage: multiroute COMMAND"),
      ("1\r", "USB interface"),
    ] {
      let terminal = try PseudoTerminal([], in: folder, columns: 80, rows: 24, environment: variables)
      #expect(terminal.show("1, 2 or 3: ", seconds: 20) != nil, "\(terminal.rest)")
      terminal.type(answer)
      #expect(terminal.show(effect, seconds: 30) != nil, "\(answer) \(terminal.rest)")
      terminal.type(answer == "1\r" ? "\u{3}" : "\r")
      #expect(terminal.end(seconds: 20).code != nil)
    }
  }

  @Test("Its third choice serves the page, at a server of its own where none runs")
  func page() throws {
    // Ports that no other test has.
    try folder.write(
      #"{ "multiroute": 1, "osc": "127.0.0.1:0", "http": "127.0.0.1:0", "server": "mrtest-welcome", "mpris": "off" }"#,
      to: "XDG_CONFIG_HOME/multiroute/config.json")
    let terminal = try PseudoTerminal([], in: folder, environment: variables)
    #expect(terminal.show("1, 2 or 3: ", seconds: 20) != nil, "\(terminal.rest)")
    terminal.type("3\r")
    #expect(terminal.show("http://127.0.0.1:") != nil, "\(terminal.rest)")
    #expect(terminal.show("ready jack=", seconds: 30) != nil, "\(terminal.rest)")
    terminal.type("\u{3}")
    #expect(terminal.end(seconds: 20).code == 0)
  }

  @Test(
    "Without a terminal, a home, a runtime folder or a locale, multiroute alone lists its commands",
    arguments: [["LANG": "C"], ["HOME": "/nonexistent"], ["XDG_RUNTIME_DIR": "/nonexistent"], ["LANG": ""]])
  func bare(_ environment: [String: String]) throws {
    let result = try Program.run([], in: folder, environment: environment)
    #expect(result.code == 64 && result.errors.contains("usage: multiroute COMMAND"))
  }
}

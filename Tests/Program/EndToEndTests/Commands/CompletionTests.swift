import Checkout
import Foundation
import TestKit
import Testing

/// Tab in the real shells, at a terminal.
@Suite struct CompletionTests {
  private let folder: TemporaryFolder
  private let server: PrivateServer
  private let router: RouterProcess

  init() async throws {
    folder = try TemporaryFolder()
    server = try await PrivateServer()
    router = try RouterProcess(
      preset: "usb-and-headphones", server: server.name, in: folder, owners: [server])
    let path = (ChildProcess.product("multiroute") as NSString).deletingLastPathComponent
    let scripts = Checkout.file("packaging/completions")
    try folder.write(
      "PATH='\(path)':$PATH\nPS1='ready> '\n. '\(scripts)/multiroute.bash'\n", to: "bashrc")
    try folder.write(
      "PATH='\(path)':$PATH\nPS1='ready> '\nfpath=('\(scripts)' $fpath)\nautoload -Uz compinit\ncompinit -u -D\n",
      to: ".zshrc")
    try folder.write(
      "set -gx PATH '\(path)' $PATH\nfunction fish_prompt; echo -n 'ready> '; end\nfunction fish_right_prompt; end\nset -g fish_greeting\nset -g fish_autosuggestion_enabled 0\nsource '\(scripts)/multiroute.fish'\n",
      to: "setup.fish")
  }

  /// How a shell is started with only what the test gives it.
  private func shell(_ name: String) -> String {
    switch name {
    case "bash": "exec bash --noprofile --rcfile '\(folder.file("bashrc"))' -i"
    case "zsh": "ZDOTDIR='\(folder.path)' exec zsh -d -i"
    default: "exec fish --no-config -i -C \"source '\(folder.file("setup.fish"))'\""
    }
  }

  @Test(
    "bash, zsh and fish complete commands, flags, values, presets, and sessions and addresses of the router",
    arguments: ["bash", "zsh", "fish"])
  func shells(_ name: String) throws {
    let terminal = try PseudoTerminal([], in: folder, launcher: ["sh", "-c", shell(name)])
    try #require(terminal.show("ready> ", seconds: 30) != nil, "\(terminal.rest)")
    let to = "--to 127.0.0.1:\(router.port)"
    for (line, answer) in [
      // A command and a flag.
      ("multiroute hel\t--markd\t | head -n 1", "# The command line"),
      // A preset, whose check says nothing.
      ("multiroute check usb-an\t && echo fi''ne", "fine"),
      // The value of a flag.
      ("multiroute layout open-st\t --bank 1 | head -c 1 && echo \" la\"yout", "{ layout"),
      ("multiroute get \(to) /outp\tusb/typ\t", "usbAudio"),
      ("multiroute why \(to) announ\t | head -n 1", "announce"),
    ] {
      terminal.type(line + "\r")
      #expect(terminal.show(answer, seconds: 20) != nil, "\(name): \(line): \(terminal.rest)")
      #expect(terminal.show("ready> ", seconds: 20) != nil, "\(name): \(line): \(terminal.rest)")
    }
    terminal.type("exit\r")
    #expect(terminal.end().code == 0)
  }

  @Test("Every command and every flag of the table is completed, and nothing else is said")
  func table() throws {
    for words in [[""], ["r"], ["run", "--"], ["run", "--backend", ""], ["nothing", ""], []] {
      let result = try Program.run(["complete", "--"] + words, in: folder)
      #expect(result.code == 0 && result.errors == "")
      let found = result.output.split(separator: "\n").map(String.init)
      switch words {
      case [""], []: #expect(found.contains("run") && found.contains("--version"))
      case ["r"]: #expect(found == ["recall", "record", "reload", "render", "run"])
      case ["run", "--"]: #expect(found.contains("--start-server") && found.contains("--help"))
      case ["run", "--backend", ""]: #expect(found == ["jack", "pipewire"])
      default: #expect(found.isEmpty)
      }
    }
  }

  @Test("A router that does not answer costs a Tab a third of a second, and says nothing")
  func silence() throws {
    // A socket that takes everything and answers nothing.
    let path = folder.file("silent.osc")
    let silent = try DatagramStandIn(path: path)
    let start = ContinuousClock.now
    let result = try Program.run(["complete", "--", "get", "--to", "unix:\(path)", "/"], in: folder)
    let taken = ContinuousClock.now - start
    #expect(result.code == 0 && result.output == "" && result.errors == "")
    #expect(taken >= .milliseconds(300) && taken < .seconds(3))
    #expect(try silent.next(within: 0) != nil, "it was asked")
  }
}

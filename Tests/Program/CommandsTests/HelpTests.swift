import Checkout
import Testing
import Version

@testable import Commands

@Suite("Help is made from the table")
struct HelpTests {
  @Test("docs/reference/cli.md is in step with the table; if not, `make docs` writes it anew")
  func referenceIsInStep() throws {
    #expect(try Checkout.text("docs/reference/cli.md") == CommandReference.markdown)
  }

  @Test("Every command is in the table once, with a sentence")
  func complete() {
    #expect(
      CommandTable.commands.map(\.name).sorted { $0.rawValue < $1.rawValue }
        == CommandName.allCases.sorted { $0.rawValue < $1.rawValue })
    for command in CommandTable.commands {
      #expect(command.summary.first?.isLowercase == true && command.summary.last != ".")
      #expect(Set(command.flags.map(\.name)).count == command.flags.count)
      for flag in command.flags {
        #expect(flag.name.hasPrefix("--") && flag.summary.first?.isUppercase == true)
      }
    }
  }

  @Test("help names every command, and help COMMAND every flag of it", arguments: CommandName.allCases)
  func pages(_ name: CommandName) {
    let shell = Shell()
    #expect(shell.run("help") == .success)
    #expect(shell.terminal.output.contains("  \(name.rawValue)"))
    #expect(shell.run("help", name.rawValue) == .success)
    for flag in CommandTable.description(of: name).flags {
      #expect(shell.terminal.output.contains("  \(flag.usage)"))
    }
    #expect(shell.terminal.error.isEmpty)
  }

  @Test("--help after a command shows the command's page, even if other arguments are wrong")
  func helpFlag() {
    let shell = Shell()
    #expect(shell.run("send", "--wrong", "--help") == .success)
    #expect(shell.terminal.output.hasPrefix("usage: multiroute send ADDRESS [ARG...]"))
  }

  @Test("No line of help is wider than the terminal", arguments: [60, 80, 100])
  func width(_ width: Int) {
    var shell = Shell()
    shell.screen.width = width
    for name in CommandName.allCases { shell.run("help", name.rawValue) }
    // Example lines are to be copied, so they are never broken.
    let examples = CommandTable.commands.flatMap(\.examples).map(\.line)
    for line in shell.terminal.lines where !examples.contains(where: line.contains) {
      #expect(line.count <= width)
    }
  }

  @Test("No command, an unknown command and an unknown flag end with 64 and point to the help")
  func mistakes() {
    let shell = Shell()
    #expect(shell.run() == .usage)
    #expect(shell.terminal.error.contains("usage: multiroute COMMAND"))
    #expect(shell.run("staus") == .usage)
    #expect(shell.terminal.error.contains("there is no command 'staus'; did you mean status?"))
    #expect(shell.run("--to", "x:1", "status") == .usage)
    #expect(shell.terminal.error.contains("--to belongs behind a command"))
    #expect(shell.run("help", "nothing-like-it") == .usage)
    #expect(shell.terminal.output.isEmpty)
  }

  @Test("--version goes to standard output")
  func version() {
    let shell = Shell()
    #expect(shell.run("--version") == .success)
    #expect(shell.terminal.output == "multiroute \(Version.current)\n")
  }

  @Test("Text has colour only if the stream shows colour")
  func colour() {
    let terminal = Terminal()
    #expect(terminal.console(.init(isColoured: true)).styled("x", .red) == "\u{1B}[31mx\u{1B}[0m")
    #expect(terminal.console(.init(isTerminal: true)).styled("x", .red) == "x")
  }
}

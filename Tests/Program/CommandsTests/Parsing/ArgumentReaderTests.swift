import OSC
import Testing

@testable import Commands

@Suite("The command line is read from the table")
struct ArgumentReaderTests {
  private func read(_ command: CommandName, _ arguments: String...) throws(CommandFailure) -> ParsedArguments
  {
    try ArgumentReader.read(arguments[...], of: CommandTable.description(of: command))
  }

  private func complaints(_ command: CommandName, _ arguments: String...) -> [String] {
    do throws(CommandFailure) {
      _ = try ArgumentReader.read(arguments[...], of: CommandTable.description(of: command))
      return []
    } catch {
      #expect(error.exitCode == .usage)
      #expect(error.lines.last == "See: multiroute help \(command.rawValue)")
      return error.lines.dropLast().map { String($0.dropFirst("multiroute \(command.rawValue): ".count)) }
    }
  }

  @Test(
    "A value follows its flag, as the next argument or after an equals sign",
    arguments: [["--server", "stage"], ["--server=stage"]])
  func values(_ arguments: [String]) throws {
    let parsed = try ArgumentReader.read(arguments[...], of: CommandTable.description(of: .run))
    #expect(parsed.text(.server) == "stage")
  }

  @Test("Flags and arguments may be mixed, and after -- no argument is a flag")
  func mixed() throws {
    let parsed = try read(.send, "/a", "--timeout", "2", "1", "--", "--to", "x")
    #expect(parsed.positionals == ["/a", "1", "--to", "x"])
    #expect(parsed.seconds(.timeout) == 2)
  }

  @Test(
    "A negative number is an argument, not a flag", arguments: ["-6", "-6.5", "-.5", "-1e-3", "-inf", "-"])
  func negative(_ number: String) throws {
    #expect(try read(.send, "/a", number).positionals == ["/a", number])
  }

  @Test("A repeatable flag keeps all values in order, and any other flag the last one")
  func repeated() throws {
    let parsed = try read(.run, "--osc", "a:1", "--server", "x", "--osc=b:2", "--server=y")
    #expect(parsed.all(.osc) == ["a:1", "b:2"])
    #expect(parsed.text(.server) == "y")
  }

  @Test("Every mistake of a command line is named at once")
  func together() {
    #expect(
      complaints(.run, "--sever", "x", "--osc", "9440", "--wait=1", "a", "b", "--log") == [
        "there is no flag --sever; did you mean --server?",
        "--osc does not take '9440'; write HOST:PORT, such as 127.0.0.1:9440",
        "--wait takes no value", "--log needs a value: --log LEVEL", "too many arguments: 'b'",
      ])
  }

  @Test("A flag of another command is named with that command")
  func foreign() {
    #expect(complaints(.get, "/a", "--osc", "x:1") == ["--osc is a flag of run, not of get"])
  }

  @Test(
    "A level with a unit or a comma is not taken for a flag, and the message says what to write",
    arguments: [("-6 dB", "-6"), ("-6dB", "-6"), ("-6,5", "-6.5"), ("-6,5 dB", "-6.5"), ("-.5db", "-.5")])
  func numbersWithUnits(text: String, number: String) {
    #expect(complaints(.send, "/a", text) == ["'\(text)' is not a number; write \(number)"])
  }

  @Test("The message names missing arguments and flags")
  func missing() {
    #expect(complaints(.send) == ["ADDRESS is missing"])
    #expect(complaints(.check) == ["PRESET is missing"])
    #expect(complaints(.render, "show") == ["--out OUTPUT=FILE is missing"])
    #expect(complaints(.run, "--server", "--fresh") == ["--server needs a value: --server NAME"])
  }

  @Test(
    "Wrong values are refused with a correction",
    arguments: [
      ("--seconds", "soon", "write seconds from 0 to 86400"),
      ("--seconds", "-1", "write seconds from 0 to 86400"),
      ("--seconds", "nan", "write seconds from 0 to 86400"),
      ("--seconds", "0x10", "write seconds from 0 to 86400"),
    ])
  func badSeconds(flag: String, value: String, correction: String) {
    #expect(complaints(.demo, flag, value) == ["\(flag) does not take '\(value)'; \(correction)"])
  }

  @Test(
    "Endpoints are HOST:PORT, tcp:HOST:PORT or unix:PATH",
    arguments: [
      ("127.0.0.1:9440", true), ("wlan0:0", true), ("router.local:65535", true), (":9440", false),
      ("a:", false),
      ("a:65536", false), ("a:-1", false), ("a:+1", false), ("a:b:1", false), ("a b:1", false), ("", false),
      ("unix:/run/a b.osc", true), ("unix:desk:1", true), ("unix:", false), ("/run/a.osc", false),
      ("tcp:127.0.0.1:9440", true), ("tcp:wlan0:0", true), ("tcp:9440", false), ("tcp:", false),
      ("tcp:a:65536", false), ("tcp:a:b:1", false),
    ])
  func endpoints(text: String, isRight: Bool) {
    #expect((Endpoint(text) != nil) == isRight)
    #expect((Endpoint.correction(of: text) == nil) == isRight)
    if isRight { #expect(Endpoint(text)?.description == text) }
  }
}

import OSC
import Testing

@testable import Commands

@Suite("The places of HTTP and of metrics come from the flags or the configuration")
struct WebPlaceTests {
  private func settings(_ words: String..., configuration: String = "{ \"multiroute\": 1 }") throws
    -> RunSettings
  {
    let folder = try TemporaryFolder()
    let words = words + ["--config", try folder.file("config.json", configuration)]
    let options = RunOptions(try ArgumentReader.read(words[...], of: CommandTable.description(of: .run)))
    return try RunSettings(
      options, Context(console: Terminal().console(), environment: Environment(["HOME": folder.path("")])))
  }

  @Test(
    "HOST:PORT is a port of TCP, PORT one of this machine alone, and off is none",
    arguments: [
      ("0.0.0.0:9480", .tcp(host: "0.0.0.0", port: 9_480)), ("eth0:0", .tcp(host: "eth0", port: 0)),
      ("9480", .tcp(host: "127.0.0.1", port: 9_480)), ("off", nil),
    ] as [(String, Endpoint?)])
  func places(text: String, endpoint: Endpoint?) throws {
    for flag in ["--http", "--metrics"] {
      let found = try settings(flag, text)
      #expect((flag == "--http" ? found.http : found.metrics) == endpoint)
      #expect((flag == "--http" ? found.metrics : found.http) == nil)
    }
    let configured = try settings(
      configuration: "{ \"multiroute\": 1, \"http\": \"\(text)\", \"metrics\": \"\(text)\" }")
    #expect(configured.http == endpoint && configured.metrics == endpoint)
  }

  @Test("A flag takes precedence over the configuration, also to turn a port off")
  func precedence() throws {
    let configuration = "{ \"multiroute\": 1, \"http\": \"9480\" }"
    #expect(try settings(configuration: configuration).http == .tcp(host: "127.0.0.1", port: 9_480))
    #expect(try settings("--http", "lo:1", configuration: configuration).http == .tcp(host: "lo", port: 1))
    #expect(try settings("--http", "off", configuration: configuration).http == nil)
    #expect(try settings().http == nil && settings().metrics == nil)
  }

  @Test(
    "What is no place is refused with what would be right",
    arguments: [
      "tcp:127.0.0.1:9480", "unix:/tmp/http", "127.0.0.1:70000", "70000", "http://127.0.0.1:9480", "desk",
    ])
  func refusals(text: String) {
    let advice = "write HOST:PORT, such as 127.0.0.1:9480"
    for flag in ["--http", "--metrics"] {
      let shell = Shell()
      #expect(shell.run("run", flag, text) == .usage)
      #expect(shell.terminal.error.contains(advice), "\(shell.terminal.error)")
    }
    for key in ["http", "metrics"] {
      let (configuration, problems) = ConfigurationReader.read(
        Array("{ \"multiroute\": 1, \"\(key)\": \"\(text)\" }".utf8), file: "/etc/config.json",
        environment: Environment([:]))
      #expect(configuration == nil && problems.count == 1)
      #expect(problems.first.map { "\($0)" }?.contains(advice) == true, "\(problems)")
    }
  }
}

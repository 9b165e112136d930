import OSC
import Testing

@testable import Commands

@Suite("The address of metrics comes from the flag or the configuration")
struct MetricsAddressTests {
  private func options(_ words: String...) throws -> RunOptions {
    RunOptions(try ArgumentReader.read(words[...], of: CommandTable.description(of: .run)))
  }

  private func configuration(_ text: String) -> (metrics: Endpoint?, problems: [String]) {
    let (configuration, problems) = ConfigurationReader.read(
      Array(text.utf8), file: "/etc/config.json", environment: Environment([:]))
    return (configuration?.metrics, problems.map { "\($0)" })
  }

  @Test("HOST:PORT is a port of TCP, and without the flag there is none")
  func flag() throws {
    #expect(try options("--metrics", "127.0.0.1:9470").metrics == .tcp(host: "127.0.0.1", port: 9_470))
    #expect(try options().metrics == nil)
  }

  @Test(
    "What is no HOST:PORT is refused with what would be right",
    arguments: [
      ("9470", "write HOST:PORT, such as 127.0.0.1:9470"), ("tcp:127.0.0.1:9470", "write HOST:PORT, such as"),
      ("unix:/tmp/metrics", "write HOST:PORT"), ("127.0.0.1:70000", "with a port from 0 to 65535"),
      ("http://127.0.0.1:9470", "write HOST:PORT"),
    ])
  func refusals(text: String, advice: String) {
    let shell = Shell()
    #expect(shell.run("run", "--metrics", text) == .usage)
    #expect(shell.terminal.error.contains(advice), "\(shell.terminal.error)")
    let (metrics, problems) = configuration("{ \"multiroute\": 1, \"metrics\": \"\(text)\" }")
    #expect(metrics == nil && problems.count == 1)
    #expect(problems.first?.contains(advice) == true, "\(problems)")
  }

  @Test("The configuration has the address, too")
  func key() {
    let (metrics, problems) = configuration("{ \"multiroute\": 1, \"metrics\": \"eth0:9470\" }")
    #expect(metrics == .tcp(host: "eth0", port: 9_470) && problems.isEmpty)
  }
}

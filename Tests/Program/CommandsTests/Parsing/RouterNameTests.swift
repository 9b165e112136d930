import Testing

@testable import Commands

@Suite("--to takes an address, a path, or the name of a router in the network")
struct RouterNameTests {
  @Test("A name is any text that is no address and no part of one")
  func names() {
    for name in ["desk", "multiroute #2", "front of house", "Bühne", "9440a"] {
      #expect(RouterName.isOne(name), "\(name)")
    }
    let long = String(repeating: "x", count: 64)
    for text in [
      "", "127.0.0.1:9440", "[::1]:9440", "unix:/a", "desk:", "/run/x", "9440", "192.168.1.5", "a\nb", long,
    ] {
      #expect(!RouterName.isOne(text), "\(text)")
    }
  }

  @Test(
    "What is neither is refused with what would be right, before anything is looked for",
    arguments: [
      ("9440", "write HOST:PORT, such as 127.0.0.1:9440"), ("192.168.1.5", "such as 192.168.1.5:9440"),
      ("/run/x.osc", "write unix:PATH, such as unix:/run/x.osc"), ("::1:9440", "such as [::1]:9440"),
    ])
  func refusals(text: String, advice: String) {
    let shell = Shell()
    #expect(shell.run("status", "--to", text) == .usage)
    #expect(shell.terminal.error.contains(advice), "\(shell.terminal.error)")
  }
}

import Checkout
import Foundation
import HTTPClient
import JackServer
import OSC
import TestKit
import Testing

/// The metrics of a running router.
@Suite struct MetricsTests {
  /// The port of HTTP, as the router prints it.
  private func port(_ router: RouterProcess) throws -> UInt16 {
    let said = router.child.errors.text
    let place = try #require(
      said.firstMatch(of: /metrics are at http:\/\/127.0.0.1:([0-9]+)\/metrics/), "\(said)")
    return try #require(UInt16(place.1))
  }

  /// The values of a page by their names with labels.
  private func values(_ page: String) -> [String: Double] {
    page.split(separator: "\n").reduce(into: [:]) { values, line in
      guard !line.hasPrefix("#"), let blank = line.lastIndex(of: " ") else { return }
      values[String(line[..<blank])] = Double(line[line.index(after: blank)...])
    }
  }

  /// Has promtool check something; returns its exit code and what it says.
  private func promtool(_ words: [String], input: String = "") throws -> (code: Int32?, text: String) {
    let script = try ChildProcess(Checkout.file(".ci/promtool.sh"), [])
    try #require(script.wait(seconds: 60) == 0, "\(script.errors.text)")
    let path = try #require(script.output.text.split(separator: "\n").last).description
    let folder = try TemporaryFolder()
    let page = try folder.write(input, to: "page")
    let check = try ChildProcess("/bin/sh", ["-c", "exec \"$0\" \"$@\" < \(page)", path] + words)
    return (check.wait(seconds: 20), check.output.text + check.errors.text)
  }

  @Test("Over HTTP and on standard output the page is the same, promtool accepts it, and its counters grow")
  func page() async throws {
    let house = try await House(flags: ["--metrics", "127.0.0.1:0"])
    let port = try port(house.router)
    let answer = try #require(try HTTPConnection.ask("GET", "/metrics", port: port))
    #expect(
      answer.status == 200 && answer.fields["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    let first = values(answer.text)
    #expect(first["multiroute_server_up"] == 1)
    #expect(first[#"multiroute_session_active{session="show",category="multiRoute",mode="default"}"#] == 1)
    #expect(first[#"multiroute_port_available{direction="output",port="usb",type="usbAudio"}"#] == 1)
    let check = try promtool(["check", "metrics"], input: answer.text)
    #expect(check.code == 0 && check.text.isEmpty, "\(check.text)")

    // More periods, a refused message, and an interruption.
    let refused = try Program.run(["send", "/ramp", "loud", "--to", "127.0.0.1:\(house.router.port)"])
    #expect(refused.code == 1)
    try house.surface.send("/interruption/begin", "phone")
    try house.surface.sync()
    // The router reads the audio thread's counts four times a second.
    let periods = "multiroute_periods_total"
    let printed = try house.stage.ask(
      { try Program.run(["metrics", "--to", "127.0.0.1:\(house.router.port)"]) },
      until: { values($0.output)[periods] ?? 0 > first[periods] ?? .infinity })
    #expect(printed.code == 0, "\(printed.errors)")
    let second = values(printed.output)
    #expect(Set(second.keys).isSuperset(of: first.keys))
    for (name, value) in first where name.contains("_total") || name.contains("_bucket") {
      #expect(second[name] ?? -1 >= value, "\(name)")
    }
    for name in [
      periods, "multiroute_frames_total",
      #"multiroute_osc_errors_total{symbol="badValue"}"#,
      #"multiroute_osc_messages_total{transport="udp"}"#, #"multiroute_stage_seconds_total{stage="sinks"}"#,
    ] { #expect(second[name] ?? 0 > first[name] ?? .infinity, "\(name)") }
    #expect(second[#"multiroute_interruptions_total{source="phone"}"#] == 1)
    #expect(
      second[#"multiroute_session_interrupted{session="show",category="multiRoute",mode="default"}"#] == 1)
    let bytes = "process_resident_memory_bytes"
    #expect(second[bytes] ?? 0 > 1e6 && first["process_cpu_seconds_total"] ?? 0 > 0)
    #expect(second["process_start_time_seconds"] == first["process_start_time_seconds"])
    #expect(house.router.terminate().code == 0)
  }

  @Test("Samples that a limiter reduces are counted for their output alone")
  func limiter() async throws {
    let house = try await House(flags: ["--metrics", "127.0.0.1:0"])
    let port = try port(house.router)
    func limited(_ output: String) throws -> Double? {
      let page = try #require(try HTTPConnection.ask("GET", "/metrics", port: port)).text
      return values(page)["multiroute_limited_samples_total{output=\"\(output)\"}"]
    }
    #expect(try limited("headphones") == 0)
    // The impulses of the metronome are louder than the ceiling now.
    try house.surface.send("/output/headphones/max", 10)
    try house.surface.send("/output/headphones/gain", 10)
    let limit = Date(timeIntervalSinceNow: 10)
    while try limited("headphones") == 0, limit.timeIntervalSinceNow > 0 {}
    #expect(try limited("headphones") ?? 0 > 0)
    #expect(try limited("usb") == 0)
  }

  @Test("The alert rules that ship are accepted by promtool, which refuses a wrong rule and a wrong page")
  func rules() throws {
    let rules = Checkout.file("packaging/multiroute.rules.yml")
    let check = try promtool(["check", "rules", rules])
    #expect(check.code == 0, "\(check.text)")
    // Every metric of a rule is one that the router has.
    let text = try Checkout.text("packaging/multiroute.rules.yml")
    let page = try Checkout.text("docs/operate/metrics.md")
    for name in text.matches(of: /multiroute_[a-z_]+/).map({ String($0.output) }) {
      let family = name.replacing(/_(bucket|count|sum)$/, with: "")
      #expect(page.contains("`\(family)`"), "docs/operate/metrics.md does not list \(family)")
    }
    let folder = try TemporaryFolder()
    let wrong = try folder.write("groups: [{ name: a, rules: [{ alert: B, expr: '1 +' }] }]", to: "wrong.yml")
    #expect(try promtool(["check", "rules", wrong]).code != 0)
    #expect(try promtool(["check", "metrics"], input: "# TYPE a counter\na 1\na 2\n").code != 0)
  }

  @Test("A file for a node exporter is replaced whole, and stays as it is when no router answers")
  func file() async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let router = try RouterProcess(preset: nil, server: server.name, in: folder, owners: [server])
    let file = try folder.write("old", to: "multiroute.prom")
    #expect(try Program.run(["metrics", "--output", file], in: folder).output == "")
    let page = try String(contentsOfFile: file, encoding: .utf8)
    #expect(values(page)["multiroute_server_up"] == 1)
    #expect(router.terminate().code == 0)
    let failed = try Program.run(["metrics", "--output", file, "--timeout", "0.2"], in: folder)
    #expect(failed.code == 69)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == page)
    #expect(!FileManager.default.fileExists(atPath: file + ".new"))
  }

  @Test("Counters go on when the server dies and comes back, and the page says while it is away")
  func restart() async throws {
    let folder = try TemporaryFolder()
    // The test provides the name and place; the router starts the server.
    let place = try await PrivateServer()
    place.server.stop()
    let router = try RouterProcess(
      preset: nil, server: place.name, in: folder, flags: ["--start-server", "--metrics", "127.0.0.1:0"])
    let surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/media")
    let port = try port(router)
    func page() throws -> [String: Double] {
      values(try #require(try HTTPConnection.ask("GET", "/metrics", port: port)).text)
    }
    let before = try page()
    #expect(before["multiroute_server_restarts_total"] == 0)
    let server = try #require(ServerPlaces().taken.first { $0.server == place.name })
    #expect(kill(server.process, SIGKILL) == 0)
    #expect(try surface.event("media") == ["lost"])
    #expect(try page()["multiroute_server_up"] == 0)
    #expect(try surface.event("media", seconds: 10) == ["reset"])
    let after = try page()
    #expect(after["multiroute_server_restarts_total"] == 1 && after["multiroute_server_up"] == 1)
    for (counter, value) in before where counter.contains("_total") {
      #expect(after[counter] ?? -1 >= value, "\(counter)")
    }
    #expect(router.terminate().code == 0)
  }

  @Test("The page of three hundred sessions arrives whole, at the Unix socket and over UDP and TCP")
  func crowd() async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let router = try RouterProcess(
      preset: nil, server: server.name, in: folder,
      flags: ["--osc", "127.0.0.1:0", "--osc", "tcp:127.0.0.1:0"], owners: [server])
    let surface = try ControlSurface(port: router.port)
    for number in 1...300 {
      try surface.send("/session/create", .string("session-\(number)"), "playback")
    }
    let places = ["unix:\(router.socket)", "127.0.0.1:\(router.port)", "tcp:127.0.0.1:\(router.tcpPort)"]
    for place in places {
      let page = try Program.run(["metrics", "--to", place, "--timeout", "5"], in: folder).output
      #expect(values(page).keys.count { $0.hasPrefix("multiroute_session_active{") } == 300, "\(place)")
      #expect(page.contains("multiroute_disk_free_bytes{folder=\"state\"}"), "\(place)")
    }
  }

  @Test("Without --metrics there is no socket of HTTP, no thread for it, and libwebsockets is not loaded")
  func off() async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    func isLoaded(_ router: RouterProcess) throws -> Bool {
      let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(router.child.identifier)/maps"))
        .readToEnd()
      let text = String(decoding: try #require(maps), as: UTF8.self)
      try #require(text.contains("libjack"))
      return text.contains("libwebsockets")
    }
    let plain = try RouterProcess(preset: nil, server: server.name, in: folder, owners: [server])
    #expect(try Program.run(["metrics", "--to", "unix:\(plain.socket)"], in: folder).code == 0)
    #expect(try !isLoaded(plain))
    let open = try RouterProcess(
      preset: nil, server: server.name, in: folder,
      flags: ["--name", "open", "--metrics", "127.0.0.1:0"], owners: [server])
    #expect(try isLoaded(open))
  }

  @Test("A port that another program has is named with the program, and the router ends with 73")
  func taken() async throws {
    let folder = try TemporaryFolder()
    let server = try await PrivateServer()
    let first = try RouterProcess(
      preset: nil, server: server.name, in: folder, flags: ["--metrics", "127.0.0.1:0"], owners: [server])
    let port = try port(first)
    let second = try Program.run(
      [
        "run", "--server", server.name, "--config", "none", "--name", "second", "--osc", "127.0.0.1:0",
        "--no-mpris", "--metrics", "127.0.0.1:\(port)",
      ], in: folder)
    #expect(second.code == 73)
    #expect(second.errors.contains("TCP port \(port) is in use by multiroute (process"), "\(second.errors)")
  }
}

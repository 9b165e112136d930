import Checkout
import Foundation
import TestKit
import Testing

/// A running router with the devices and programs of the checks in `Tests/Browser`, and the scripts against it.
struct BrowserRun {
  let server: PrivateServer
  let router: RouterProcess
  let folder: TemporaryFolder
  /// Where the page is, such as `http://127.0.0.1:9480`.
  let page: String
  /// The machine in which router and browser run; nil for this one.
  private let machine: PrivateMachine?

  /// Where the pictures go that a person looks at, and what the scripts say.
  static let pictures = Checkout.file(".build/page")

  /// - Parameters:
  ///   - machine: where the router runs, which then serves the page at that machine's address.
  ///   - surfaces: the address at which the router takes OSC.
  ///   - name: that of the router.
  ///   - configuration: the router's; nil for none.
  ///   - programs: further programs, as lines for the stage.
  ///   - prepare: puts what the router finds into its folder.
  init(
    in machine: PrivateMachine? = nil, surfacesAt surfaces: String = "127.0.0.1", name: String = "multiroute",
    configuration: String? = nil, programs: [String] = [], prepare: (String) throws -> Void = { _ in }
  ) async throws {
    server = try await PrivateServer()
    let stage = try server.stage()
    for line in House.devices + ["source Band 2 sine 440 -20", "source Metronome 1 silence"] + programs {
      try stage.do(line)
    }
    (folder, self.machine) = (try TemporaryFolder(), machine)
    try prepare(folder.path)
    let host = machine?.address ?? "127.0.0.1"
    var flags = [
      "--http", "\(host):0", "--presets", folder.file("shows"), "--osc", "\(surfaces):0", "--name", name,
    ]
    if let configuration { flags += ["--config", try folder.write(configuration, to: "config.json")] }
    router = try RouterProcess(
      preset: "usb-and-headphones", server: server.name, in: folder, flags: flags,
      launcher: machine?.launcher ?? [], owners: [stage, server] + (machine.map { [$0] } ?? []))
    page = "http://\(host):\(try router.webPort())"
    try FileManager.default.createDirectory(atPath: Self.pictures, withIntermediateDirectories: true)
  }

  /// Starts a program with the libraries of the scripts.
  static func python(_ program: String, _ words: [String]) throws -> ChildProcess {
    try ChildProcess(program, words, environment: ["PYTHONPATH": Checkout.file(".build/python")])
  }

  /// Runs a script, and expects that all its checks pass.
  ///
  /// - Parameters:
  ///   - words: what follows the name of the script.
  ///   - place: the machine of the browser; nil for that of the router.
  ///   - isEnough: whether so many checks are all that should have run.
  func expect(
    _ script: String, _ words: [String], in place: PrivateMachine? = nil, isEnough: (Int) -> Bool
  ) throws {
    let launcher = (place ?? machine)?.launcher ?? []
    let all = launcher + ["python3", Checkout.file("Tests/Browser/\(script)")] + words
    let browser = try Self.python(all[0], Array(all.dropFirst()))
    #expect(browser.wait(seconds: 600) == 0, "\(browser.output.text)\n\(browser.errors.text)")
    try browser.output.text.write(toFile: "\(Self.pictures)/\(script).log", atomically: true, encoding: .utf8)
    let passed = browser.output.text.split(separator: "\n").count { $0.hasPrefix("ok ") }
    #expect(isEnough(passed), "\(passed) checks: \(browser.output.text)")
    #expect(router.terminate().code == 0)
  }
}

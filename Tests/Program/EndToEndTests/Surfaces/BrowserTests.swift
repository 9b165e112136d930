import Checkout
import Foundation
import TestKit
import Testing

/// The page in a real browser, beside a surface over OSC. `Tests/Browser` has the checks; the pictures that they take are in `.build/page`, and one
/// of them, taken with `MULTIROUTE_REGENERATE`, stands in the README.
@Suite struct BrowserTests {
  /// Those that `make test` runs; `make soak` runs all.
  private static let short = [
    "a_finger_moves_the_router", "fingers_do_not_disturb_each_other", "a_finger_is_never_fought",
    "GO_recalls_and_the_page_shows_it", "preview_equals_recall", "panic_must_be_held",
    "a_solo_is_lit_and_cleared", "a_talkback_is_held_and_latched",
  ]

  @Test("What a person does on the page happens, and what others do is seen there")
  func short() async throws {
    try await check(Self.short)
  }

  @Test(
    "Every check of the page passes",
    .enabled(if: ProcessInfo.processInfo.environment["MULTIROUTE_SOAK"] != nil))
  func all() async throws {
    try await check([])
    guard Checkout.regenerates else { return }
    let picture = try Data(
      contentsOf: URL(fileURLWithPath: Checkout.file(".build/page/mixer-tablet-dark.png")))
    try picture.write(to: URL(fileURLWithPath: Checkout.file("docs/guide/pictures/page.png")))
  }

  private func check(_ names: [String]) async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    for line in House.devices + ["source Band 2 sine 440 -20", "source Metronome 1 silence"] {
      try stage.do(line)
    }
    let folder = try TemporaryFolder()
    let router = try RouterProcess(
      preset: "usb-and-headphones", server: server.name, in: folder,
      flags: ["--http", "127.0.0.1:0", "--presets", folder.file("shows")], owners: [stage, server])
    let pictures = Checkout.file(".build/page")
    try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
    let browser = try ChildProcess(
      "python3",
      [
        Checkout.file("Tests/Browser/page.py"), "http://127.0.0.1:\(try router.webPort())", "\(router.port)",
        pictures,
      ]
        + names,
      environment: ["PYTHONPATH": Checkout.file(".build/python")])
    #expect(browser.wait(seconds: 600) == 0, "\(browser.output.text)\n\(browser.errors.text)")
    let passed = browser.output.text.split(separator: "\n").filter { $0.hasPrefix("ok ") }
    #expect(names.isEmpty ? passed.count > 20 : passed.count == names.count)
    #expect(router.terminate().code == 0)
  }
}

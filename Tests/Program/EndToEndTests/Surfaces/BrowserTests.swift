import Chance
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
    "a_solo_is_lit_and_cleared", "a_talkback_is_held_and_latched", "a_group_is_a_strip_of_its_own",
    "the_section_of_an_output_is_in_its_sheet", "an_output_shows_the_meters_that_it_asks_for",
    "a_stream_shows_its_effects_and_their_controls", "a_call_that_ended_unseen_is_off",
    "a_send_that_is_gone_is_not_shown", "leaving_a_subject_ends_no_other_subscription",
    "two_who_hold_panic_want_the_same", "a_crosspoint_stays_chosen",
  ]
  static let isSoak = Soak.isRunning

  @Test("What a person does on the page happens, and what others do is seen there")
  func short() async throws {
    try await check(Self.short)
  }

  @Test(
    "Every check of the page passes, or those of the variable MULTIROUTE_PAGE_CHECKS", .enabled(if: isSoak))
  func all() async throws {
    let wanted = ProcessInfo.processInfo.environment["MULTIROUTE_PAGE_CHECKS"] ?? ""
    try await check(wanted.split(separator: " ").map(String.init))
    guard Checkout.regenerates else { return }
    let picture = try Data(
      contentsOf: URL(fileURLWithPath: "\(BrowserRun.pictures)/mixer-tablet-dark.png"))
    try picture.write(to: URL(fileURLWithPath: Checkout.file("docs/guide/pictures/page.png")))
  }

  private func check(_ names: [String]) async throws {
    let run = try await BrowserRun()
    try run.expect("page.py", [run.page, "\(run.router.port)", BrowserRun.pictures] + names) {
      names.isEmpty ? $0 > 20 : $0 >= names.count
    }
  }

  // MARK: Routers of their own

  @Test(
    "A musician's phone sets its own mix and nothing else, until its link is taken back", .enabled(if: isSoak)
  )
  func mix() async throws {
    let run = try await BrowserRun()
    try run.expect("mix.py", [run.page, "\(run.router.port)", BrowserRun.pictures]) { $0 == 7 }
  }

  @Test(
    "Who may only view sees and cannot touch, at an address of the network without TLS",
    .enabled(if: isSoak && PrivateMachine.isPossible))
  func access() async throws {
    let machine = try PrivateMachine("desk")
    let run = try await BrowserRun(in: machine, configuration: Self.viewers)
    try run.expect("access.py", [run.page, "\(run.router.port)", BrowserRun.pictures]) { $0 == 6 }
  }

  @Test(
    "The page works behind nginx with TLS, set up as the guide says",
    .enabled(if: isSoak && PrivateMachine.isPossible))
  func proxy() async throws {
    let machine = try PrivateMachine("desk")
    let run = try await BrowserRun(in: machine, configuration: Self.viewers)
    let place = String(run.page.dropFirst("http://".count))
    try run.expect("proxy.py", [place, Checkout.file("docs/guide/page.md"), run.folder.path]) { $0 == 1 }
  }

  @Test(
    "Two pages and a surface agree after random moves over a network that is cut, and a page says within a second that it is lost",
    .enabled(if: PrivateMachine.isPossible))
  func cut() async throws {
    let stage = try PrivateMachine("stage")
    let house = try PrivateMachine("house", number: 2, cableTo: stage)
    let run = try await BrowserRun(
      in: stage, surfacesAt: stage.address,
      configuration: #"{ "multiroute": 1, "hosts": { "10.77.0.2": "control" } }"#)
    let (seconds, cuts) = Self.isSoak ? ("60", "3") : ("4", "1")
    try run.expect(
      "cut.py", [run.page, "\(stage.address):\(run.router.port)", seconds, cuts] + stage.launcher, in: house
    ) { $0 == 1 }
  }

  @Test(
    "The page finds the other routers of the network and leads there",
    .enabled(if: isSoak && PrivateMachine.isPossible))
  func routers() async throws {
    let stage = try PrivateMachine("stage")
    let foh = try PrivateMachine("foh", number: 2, cableTo: stage)
    for machine in [stage, foh] {
      try machine.startBus()
      try machine.startAvahi()
    }
    let hosts = #"{ "multiroute": 1, "hosts": { "10.77.0.0/24": "control" } }"#
    let run = try await BrowserRun(in: stage, name: "stage", configuration: hosts)
    let folder = try TemporaryFolder()
    let other = try RouterProcess(
      preset: nil, server: run.server.name, in: folder,
      flags: [
        "--name", "monitors", "--http", "\(foh.address):0", "--config",
        try folder.write(hosts, to: "config.json"),
      ], launcher: foh.launcher, owners: [run.server, foh])
    for (router, name) in [(other, "monitors"), (run.router, "stage")] {
      let line = router.child.errors.line(
        containing: "is announced on the network as \"\(name)\"", seconds: 40)
      #expect(line != nil, "\(router.child.errors.text)")
    }
    try run.expect("routers.py", [run.page, "\(run.router.port)", BrowserRun.pictures]) { $0 == 1 }
  }

  @Test("Names and titles of others stay texts, however long and whatever they hold", .enabled(if: isSoak))
  func hostile() async throws {
    let program = "source \"program\u{202e}\u{2066}<img src=x onerror=window.broken=1>\" 1 sine 440 -20"
    let run = try await BrowserRun(programs: [program]) { folder in
      let maker = try BrowserRun.python(
        "python3", [Checkout.file("Tests/Browser/hostile.py"), "files", folder])
      #expect(maker.wait(seconds: 60) == 0, "\(maker.errors.text)")
    }
    try run.expect("hostile.py", [run.page, "\(run.router.port)", BrowserRun.pictures]) { $0 == 1 }
  }

  @Test("The page works in Firefox", .enabled(if: isSoak))
  func firefox() async throws {
    let run = try await BrowserRun()
    try run.expect("firefox.py", [run.page, "\(run.router.port)", BrowserRun.pictures]) { $0 == 10 }
  }

  /// The machine's own address may view, and a passcode gives control.
  private static let viewers =
    #"{ "multiroute": 1, "hosts": { "10.77.0.1": "view" }, "passcodes": { "4711": "control" } }"#
}

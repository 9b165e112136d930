import Checkout
import Foundation
import TestKit
import Testing

/// The manual, desktop entry and AppStream data that `make install` installs, as the programs that read them judge.
@Suite struct ManualTests {
  private let share: TemporaryFolder

  init() throws {
    share = try TemporaryFolder()
    let child = try ChildProcess(
      Checkout.file("packaging/install-manual.sh"), [share.path, ChildProcess.product("multiroute")],
      environment: ["SOURCE_DATE_EPOCH": "1795824000"])
    try #require(child.wait(seconds: 30) == 0, "\(child.errors.text)")
  }

  private var pages: [String] {
    [1, 5, 7].flatMap { section in
      let folder = share.file("man/man\(section)")
      return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map {
        "\(folder)/\($0)"
      }
    }
  }

  /// What a program prints; its exit code must be 0.
  private func said(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) throws
    -> String
  {
    let child = try ChildProcess(program, arguments, environment: environment)
    let code = child.wait(seconds: 60)
    #expect(code == 0, "\(program) \(arguments.last ?? "")")
    #expect(child.output.waitForEnd() && child.errors.waitForEnd())
    return child.output.text + child.errors.text
  }

  @Test("mandoc finds nothing wrong with any page, and there is one for each command")
  func lint() throws {
    let names = pages.map { ($0 as NSString).lastPathComponent }
    for name in [
      "multiroute.1.gz", "multiroute-run.1.gz", "multiroute-preset.5.gz", "multiroute-config.5.gz",
    ]
      + ["multiroute-osc.7.gz", "multiroute-setup.1.gz", "multiroute-help.1.gz"]
    { #expect(names.contains(name)) }
    // mandoc reads no packed pages when it is given files.
    let unpacked = try pages.map { page in
      let text = try said("gzip", ["-dc", page])
      let name = (page as NSString).lastPathComponent.dropLast(3)
      try share.write(text + "\n", to: "lint/\(name)")
      return share.file("lint/\(name)")
    }
    #expect(try said("mandoc", ["-T", "lint", "-W", "warning"] + unpacked) == "")
  }

  @Test("man formats every page without a warning, also where LANG is C")
  func warnings() throws {
    for page in pages {
      let text = try said(
        "man", ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], ["LANG": "C", "MANWIDTH": "80"])
      #expect(!text.contains(": warning"), "\(page): \(text.prefix(2_000))")
    }
  }

  @Test("A page with a mistake is found: the checks can fail")
  func positiveControl() throws {
    try share.write(".TH X 1 2026-11-28 x\n.SH NAME\nx \\- y\n.QQ\n", to: "wrong.1")
    let lint = try ChildProcess("mandoc", ["-T", "lint", share.file("wrong.1")])
    #expect(lint.wait() != 0 && (lint.output.text + lint.errors.text).contains("QQ"))
  }

  @Test("The desktop entry and the AppStream data are valid")
  func desktop() throws {
    #expect(try said("desktop-file-validate", [share.file("applications/multiroute.desktop")]) == "")
    let data = share.file("metainfo/multiroute.metainfo.xml")
    let version = try Checkout.text("packaging/VERSION").trimmingCharacters(in: .newlines)
    #expect(
      try share.text(of: "metainfo/multiroute.metainfo.xml").contains(
        "version=\"\(version)\" date=\"2026-11-28\""))
    _ = try said("appstreamcli", ["validate", "--no-net", data])
    #expect(FileManager.default.fileExists(atPath: share.file("icons/hicolor/scalable/apps/multiroute.svg")))
  }

  @Test("Two builds of one second have equal pages")
  func reproducible() throws {
    let again = try TemporaryFolder()
    let child = try ChildProcess(
      Checkout.file("packaging/install-manual.sh"), [again.path, ChildProcess.product("multiroute")],
      environment: ["SOURCE_DATE_EPOCH": "1795824000"])
    #expect(child.wait(seconds: 30) == 0)
    #expect(try said("diff", ["-r", share.path, again.path]) == "")
  }
}

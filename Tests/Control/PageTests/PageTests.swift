import Checkout
import Foundation
import Page
import Testing

/// What a browser gets.
@Suite struct PageTests {
  private let folder = Checkout.root.appending(path: "Sources/Control/Page/Content")

  private var names: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
    }
  }

  @Test func everyFileOfTheFolderIsServedAsItIs() throws {
    try #require(names.count > 10)
    for name in try names {
      let answer = try #require(
        WebPage.answer(to: "/\(name)"), "name \(name) in Sources/Libraries/CPage/CPage.c")
      #expect(answer.status == 200)
      #expect(answer.body == Array(try Data(contentsOf: folder.appending(path: name))), "\(name)")
      #expect(answer.fields["Content-Encoding"] == nil)
    }
  }

  @Test func thePageItselfStandsAtTheTop() throws {
    let answer = try #require(WebPage.answer(to: "/"))
    #expect(answer == WebPage.answer(to: "/index.html"))
    #expect(answer.type == "text/html; charset=utf-8")
  }

  @Test func aMixIsAtAnAddressOfItsOwn() {
    let page = WebPage.answer(to: "/")
    #expect(page != nil && WebPage.answer(to: "/mix/headphones") == page)
    #expect(WebPage.answer(to: "/mix") == nil)
  }

  @Test(arguments: [("/elements.js", "elements/"), ("/elements.css", "style/")])
  func everySubjectIsImported(_ list: String, _ folder: String) throws {
    let answer = try #require(WebPage.answer(to: list))
    let text = String(decoding: answer.body, as: UTF8.self)
    for name in try names where name.hasPrefix(folder) { #expect(text.contains("import \"/\(name)\";")) }
  }

  @Test func allFilesTogetherSendLessThan200KB() throws {
    let sizes = try names.map { name in
      try #require(WebPage.answer(to: "/\(name)", fields: ["accept-encoding": "gzip, deflate, br"])).body
        .count
    }
    #expect(sizes.reduce(0, +) < 200_000)
  }

  @Test func aPackedFileIsTheSameFile() throws {
    let answer = try #require(WebPage.answer(to: "/style.css", fields: ["accept-encoding": "deflate"]))
    #expect(answer.fields["Content-Encoding"] == "deflate")
    let plain = try unpacked(Data(answer.body))
    #expect(Array(plain) == WebPage.answer(to: "/style.css")?.body)
  }

  /// The content of a zlib stream, as another program reads it. The stream is shorter than the pipe.
  private func unpacked(_ stream: Data) throws -> Data {
    let (python, input, output) = (Process(), Pipe(), Pipe())
    python.executableURL = URL(filePath: "/usr/bin/env")
    python.arguments = [
      "python3", "-c",
      "import sys, zlib; sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))",
    ]
    (python.standardInput, python.standardOutput) = (input, output)
    try python.run()
    try input.fileHandleForWriting.write(contentsOf: stream)
    try input.fileHandleForWriting.close()
    let plain = try output.fileHandleForReading.readToEnd() ?? Data()
    python.waitUntilExit()
    return plain
  }

  @Test(arguments: ["", "gzip", "deflate;q=0", "br, deflate; q=0.0"])
  func aBrowserThatTakesNoDeflateGetsThePlainFile(_ encodings: String) throws {
    let answer = try #require(WebPage.answer(to: "/style.css", fields: ["accept-encoding": encodings]))
    #expect(answer.fields["Content-Encoding"] == nil)
    #expect(answer == WebPage.answer(to: "/style.css"))
  }

  @Test func aBrowserThatHasTheFileGetsNothing() throws {
    let tag = try #require(WebPage.answer(to: "/app.js")?.fields["ETag"])
    for known in [tag, "W/\(tag)", "\"other\", \(tag)"] {
      let answer = try #require(WebPage.answer(to: "/app.js", fields: ["if-none-match": known]))
      #expect(answer.status == 304)
      #expect(answer.body.isEmpty)
      #expect(answer.fields["ETag"] == tag)
    }
    #expect(WebPage.answer(to: "/app.js", fields: ["if-none-match": "\"other\""])?.status == 200)
    #expect(WebPage.answer(to: "/style.css")?.fields["ETag"] != tag)
  }

  @Test func thePolicyAllowsNoOtherHostAndNothingInline() throws {
    for name in try names {
      let policy = try #require(WebPage.answer(to: "/\(name)")?.fields["Content-Security-Policy"])
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; "))
      #expect(!policy.contains("unsafe"))
      #expect(!policy.contains("http"))
    }
  }

  @Test(arguments: [
    "/metrics", "/core", "/core/", "//app.js", "/../Page.swift", "/core/../app.js", "/app.js/", "",
  ])
  func whatIsNoFileOfThePageIsNotAnswered(_ path: String) {
    #expect(WebPage.answer(to: path) == nil)
  }
}
